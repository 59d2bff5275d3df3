package redisstore

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// Two machines that are resumed from one snapshot make the same ids, unless the monitor changes the
// generation in the guest's memory before it runs. `make clones` starts them, in software emulation.
// The guest is this test's program, alone with a kernel: it reaches Redis by its second serial
// port, and its memory has a page that is a file of this machine.
func TestClones(t *testing.T) {
	kernel := os.Getenv("UID_CLONES")
	if kernel == "" {
		t.Skip("minutes, with QEMU: see `make clones`")
	}
	for _, told := range []bool{false, true} {
		t.Run(fmt.Sprint("told ", told), func(t *testing.T) {
			m := machine{T: t, kernel: kernel, redis: testserver.Redis(t, testserver.Durable()).Addr()}
			m.initrd = filepath.Join(t.TempDir(), "initrd")
			m.snapshot = filepath.Join(t.TempDir(), "snapshot")
			require.NoError(t, os.WriteFile(m.initrd, archive(t), 0o600))
			original := m.start()
			m.await(original, "ready")
			m.order(original, "stop", "migrate exec:cat>"+m.snapshot, "quit")

			copies := []string{m.start("-S", "-incoming", "exec:cat "+m.snapshot),
				m.start("-S", "-incoming", "exec:cat "+m.snapshot)}
			for i, c := range copies {
				for strings.Contains(m.order(c, "info status"), "inmigrate") {
					time.Sleep(50 * time.Millisecond)
				}
				words := [2]uint64{0, 1}
				if told {
					words[0] = uint64(1 + i)
				}
				page, err := os.OpenFile(filepath.Join(c, "page"), os.O_WRONLY, 0)
				require.NoError(t, err)
				require.NoError(t, binary.Write(page, binary.LittleEndian, words))
				require.NoError(t, page.Close())
				m.order(c, "cont")
			}
			made := map[string]int{}
			for _, c := range copies {
				for _, id := range m.await(c, "done") {
					made[id]++
				}
			}
			equal := 0
			for _, n := range made {
				equal += n - 1
			}
			t.Logf("%d ids, and %d equal ones", len(made), equal)
			assert.Equal(t, told, equal == 0)
		})
	}
}

// machine is how the test's machines are started.
type machine struct {
	*testing.T
	kernel, initrd, snapshot, redis string
}

// start starts a machine, and returns the folder with what belongs to it.
func (m *machine) start(more ...string) (dir string) {
	dir = testserver.TempDir(m)
	require.NoError(m, os.WriteFile(filepath.Join(dir, "page"), make([]byte, pageSize), 0o600))
	cmd := exec.CommandContext(m.Context(), "qemu-system-x86_64", append([]string{"-accel", "tcg",
		"-cpu", "max", "-m", "256", "-nodefaults", "-no-user-config", "-display", "none", "-kernel",
		m.kernel, "-initrd", m.initrd, "-append", "quiet panic=-1 " + asGuest + "=1",
		"-serial", "file:" + dir + "/out", "-serial", "tcp:" + m.redis,
		"-monitor", "unix:" + dir + "/monitor,server=on,wait=off",
		"-object",
		fmt.Sprintf("memory-backend-file,id=page,share=on,mem-path=%s/page,size=%d", dir, pageSize),
		"-device", "ivshmem-plain,memdev=page,master=on"}, more...)...)
	cmd.Stderr = os.Stderr
	require.NoError(m, cmd.Start())
	m.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	return dir
}

// order gives the monitor of a machine orders, one after another, and returns what it says.
func (m *machine) order(dir string, orders ...string) (said string) {
	var conn net.Conn
	require.Eventually(m, func() (ok bool) {
		var err error
		conn, err = net.Dial("unix", filepath.Join(dir, "monitor"))
		return err == nil
	}, 5*time.Minute, 50*time.Millisecond)
	defer conn.Close()
	in := bufio.NewReader(conn)
	for _, order := range append(orders, "") {
		for !strings.HasSuffix(said, "(qemu) ") {
			b, err := in.ReadByte()
			if err != nil {
				return said // it has quit
			}
			said += string(b)
		}
		if order != "" {
			said = ""
			fmt.Fprintln(conn, order)
		}
	}
	return said
}

// await returns the lines that a machine wrote before this one.
func (m *machine) await(dir, last string) (lines []string) {
	for {
		text, _ := os.ReadFile(filepath.Join(dir, "out"))
		if before, _, ok := strings.Cut(string(text), last+"\r\n"); ok {
			return strings.Fields(before)
		}
		if _, why, ok := strings.Cut(string(text), "panic:"); ok {
			m.Fatal(why)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// archive is a cpio archive that has this program as /init.
func archive(t *testing.T) []byte {
	path, err := os.Executable()
	require.NoError(t, err)
	program, err := os.ReadFile(path)
	require.NoError(t, err)
	var a bytes.Buffer
	for _, f := range []struct {
		name string
		mode int
		data []byte
	}{
		{"dev", 0o40755, nil}, {"sys", 0o40755, nil}, {"init", 0o100755, program}, {"TRAILER!!!", 0, nil},
	} {
		a.WriteString("070701")
		for _, field := range []int{0, f.mode, 0, 0, 1, 0, len(f.data), 0, 0, 0, 0, len(f.name) + 1, 0} {
			fmt.Fprintf(&a, "%08x", field)
		}
		a.WriteString(f.name + "\x00")
		a.Write(make([]byte, -a.Len()&3))
		a.Write(f.data)
		a.Write(make([]byte, -a.Len()&3))
	}
	return a.Bytes()
}

const (
	asGuest  = "RINGUID_GUEST" // the kernel gives it to the program that it starts
	pageSize = 1 << 20         // the least that QEMU takes
)

func init() {
	if os.Getenv(asGuest) != "" {
		guest()
	}
}

// guest is what runs in the machine: it has a stream that holds ids, waits for the second word of
// the page, and takes ids in all ways.
func guest() {
	must := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	must(syscall.Mount("dev", "/dev", "devtmpfs", 0, ""))
	out, err := os.OpenFile("/dev/ttyS0", os.O_RDWR, 0)
	must(err)
	must(syscall.Dup3(int(out.Fd()), 2, 0)) // panics
	must(syscall.Mount("sys", "/sys", "sysfs", 0, ""))
	bars, _ := filepath.Glob("/sys/bus/pci/devices/*/resource2_wc")
	bar, err := os.OpenFile(bars[0], os.O_RDWR, 0)
	must(err)
	must(os.WriteFile(filepath.Join(filepath.Dir(bars[0]), "enable"), []byte("1"), 0))
	page, err := syscall.Mmap(int(bar.Fd()), 0, pageSize, syscall.PROT_READ, syscall.MAP_SHARED)
	must(err)
	words := (*[2]atomic.Uint64)(unsafe.Pointer(&page[0]))

	quiet := slog.New(slog.DiscardHandler)
	client := redis.NewClient(&redis.Options{Protocol: 2, DisableIdentity: true, PoolSize: 1,
		MaxRetries: -1, ReadTimeout: time.Minute,
		Dialer: func(context.Context, string, string) (net.Conn, error) { return openPort() }})
	a := worker.Leased(New(client, Options{}),
		worker.Claim{Count: 8, Logger: quiet, Timeout: time.Minute})
	gen, err := uid.New(context.Background(), a, uid.Config{Generation: &words[0],
		MaxLag: -1, Logger: quiet})
	must(err)
	stream := gen.Stream()
	for range 1001 { // then it holds the rest of a span
		_, err = stream.GetUID()
		must(err)
	}
	fmt.Fprintln(out, "ready")
	for words[1].Load() == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	ids, err := gen.AppendUIDs(nil, 500)
	must(err)
	for len(ids) < 2000 {
		one, err := gen.GetUID()
		must(err)
		two, err := stream.GetUID()
		must(err)
		ids = append(ids, one, two)
	}
	for _, id := range ids {
		fmt.Fprintln(out, int64(id))
	}
	fmt.Fprintln(out, "done")
	select {}
}

// port is a serial port that is a connection, which begins and ends with the machine.
type port struct{ *os.File }

func (port) Close() error         { return nil }
func (port) LocalAddr() net.Addr  { return &net.UnixAddr{} }
func (port) RemoteAddr() net.Addr { return &net.UnixAddr{} }

var openPort = sync.OnceValues(func() (net.Conn, error) {
	f, err := os.OpenFile("/dev/ttyS1", os.O_RDWR|syscall.O_NOCTTY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	raw := syscall.Termios{Cflag: syscall.CS8 | syscall.CREAD | syscall.CLOCAL | syscall.B115200}
	raw.Cc[syscall.VMIN] = 1
	_, _, no := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TCSETS,
		uintptr(unsafe.Pointer(&raw)))
	if no != 0 {
		return nil, no
	}
	return port{File: f}, nil
})
