package testserver

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TempDir returns a folder for a program that the test starts. Unlike t.TempDir() it has a
// short name, since the path of a Unix socket must stay below some hundred bytes. It is removed
// even if children of the program, killed a moment ago, still write there.
func TempDir(t testing.TB) string {
	t.Helper()
	short := "/tmp"
	if _, err := os.Stat(short); err != nil {
		short = os.TempDir()
	}
	dir, err := os.MkdirTemp(cmp.Or(inMemory(), short), "u")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for begin := time.Now(); ; time.Sleep(50 * time.Millisecond) {
			err := os.RemoveAll(dir)
			if err == nil {
				return
			}
			if time.Since(begin) > retries {
				t.Error(err)
				return
			}
		}
	})
	return dir
}

// Port picks an unused TCP port of the loopback address for the duration of the test.
//
// A port that is only looked up may be taken before the server binds it. So the UDP port of the
// same number, which no server here needs, is held as a claim that other test processes
// respect. The ports lie below those that the kernel gives to outgoing connections, so that a
// restart finds its port free.
func Port(t testing.TB) int {
	t.Helper()
	const low, high, tries = 15_000, 32_000, 1000
	for range tries {
		port := low + rand.IntN(high-low)
		addr := fmt.Sprintf("127.0.0.1:%d", port)
		claim, err := net.ListenPacket("udp4", addr)
		if err != nil {
			continue
		}
		if l, err := net.Listen("tcp4", addr); err == nil {
			l.Close()
			t.Cleanup(func() { claim.Close() })
			return port
		}
		claim.Close()
	}
	t.Fatalf("no free port from %d to %d", low, high-1)
	return 0
}

// finder looks for a program on PATH and then in the given places, where the last match counts:
// the newest version. If UID_TEST_SERVERS is set, it looks only there.
func finder(program string, globs ...string) func() (string, bool) {
	return func() (string, bool) {
		if path, ok, only := appointed(program); only {
			return path, ok
		}
		if path, err := exec.LookPath(program); err == nil {
			return path, true
		}
		for _, glob := range globs {
			if found, _ := filepath.Glob(glob); len(found) > 0 {
				return found[len(found)-1], true
			}
		}
		return "", false
	}
}

// appointed looks for a file in the folders that UID_TEST_SERVERS lists, in the form of PATH.
// only reports whether it lists any, so that no other place counts.
func appointed(file string) (path string, ok, only bool) {
	folders := filepath.SplitList(os.Getenv("UID_TEST_SERVERS"))
	for _, folder := range folders {
		path := filepath.Join(folder, file)
		if _, err := os.Stat(path); err == nil {
			return path, true, true
		}
	}
	return "", false, len(folders) > 0
}
