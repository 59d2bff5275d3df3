package k8sstore

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/race"
	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/failover"
	"github.com/ringuid/ringuid/worker/store"
)

// A process is this test binary as a service in a pod. From the first line of its stdin on
// it takes ids as fast as there are any, so that they lie a window ahead of the clock, and
// writes each to its log before it takes the next one. It ends, and gives its worker id
// back, when its stdin does.
const asProcess = "K8SSTORE_PROCESS"

func isProcess() bool { return os.Getenv(asProcess) != "" }

// job is what a process is told.
type job struct {
	Addr, Namespace, Token, Log string
	TTL                         time.Duration
}

// layout has so few ids a tick that a window is used up at once.
var layout = uid.Layout{Epoch: uid.DefaultLayout.Epoch, Unit: 10 * time.Millisecond, TimeBits: 40, WorkerBits: 21, SeqBits: 0}

const window = 3 * time.Second

func process() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve() error {
	var is job
	if err := json.Unmarshal([]byte(os.Getenv(asProcess)), &is); err != nil {
		return err
	}
	s, err := New(config(is.Addr, is.Token), Options{Namespace: is.Namespace})
	if err != nil {
		return err
	}
	log, err := os.Create(is.Log)
	if err != nil {
		return err
	}
	claim := s.Claim()
	claim.TTL, claim.Timeout, claim.Logger = is.TTL, 20*time.Second, slog.New(slog.DiscardHandler)
	ctx, cancel := context.WithCancel(context.Background())
	hurry := make(chan struct{})
	go func() {
		defer cancel()
		in := bufio.NewReader(os.Stdin)
		if _, err := in.ReadString('\n'); err == nil {
			close(hurry)
			_, _ = io.Copy(io.Discard, in)
		}
	}()
	g, err := uid.NewCached(ctx, worker.Leased(s, claim), uid.Config{Layout: layout, Logger: claim.Logger})
	for err != nil { // Kubernetes would start the container again
		if !sleep(ctx, 100*time.Millisecond) {
			return err
		}
		g, err = uid.NewCached(ctx, worker.Leased(s, claim), uid.Config{Layout: layout, Logger: claim.Logger})
	}
	for first := true; ctx.Err() == nil; {
		id, err := g.GetUIDContext(ctx)
		if err != nil {
			continue // the server is gone: it waited, and goes on waiting
		}
		if err := binary.Write(log, binary.BigEndian, int64(id)); err != nil {
			return err
		}
		if first {
			fmt.Println(time.Now().UnixNano())
			first = false
			select {
			case <-hurry:
			case <-ctx.Done():
			}
		}
	}
	return g.Close()
}

// child is a process as its parent has it.
type child struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	log   string
	began time.Time
}

// processes are those of a test: all that there were, and those that live.
type processes struct {
	space
	dir  string
	all  []*child
	live []*child
}

func (c *processes) start() *child {
	c.t.Helper()
	name := fmt.Sprint("app-", len(c.all))
	is := job{c.server.Addr(), c.name, c.pod(name), filepath.Join(c.dir, name), 2 * time.Second}
	text, err := json.Marshal(is)
	require.NoError(c.t, err)
	k := &child{cmd: exec.Command(os.Args[0]), log: is.Log}
	k.cmd.Env, k.cmd.Stderr = append(os.Environ(), asProcess+"="+string(text)), os.Stderr
	k.in, err = k.cmd.StdinPipe()
	require.NoError(c.t, err)
	out, err := k.cmd.StdoutPipe()
	require.NoError(c.t, err)
	k.out = bufio.NewReader(out)
	c.all, c.live = append(c.all, k), append(c.live, k)
	return k
}

// run starts processes at once, and returns how long each took to its first id. When all
// have one, they take more.
func (c *processes) run(n int) (took []time.Duration) {
	c.t.Helper()
	var started []*child
	for range n {
		started = append(started, c.start())
	}
	for _, k := range started {
		k.began = time.Now()
		require.NoError(c.t, k.cmd.Start())
		c.t.Cleanup(func() { _ = k.cmd.Process.Kill(); _ = k.cmd.Wait() })
	}
	for _, k := range started {
		line, err := k.out.ReadString('\n')
		require.NoError(c.t, err, "a process did not come to its first id")
		at, err := strconv.ParseInt(strings.TrimSpace(line), 10, 64)
		require.NoError(c.t, err)
		took = append(took, time.Unix(0, at).Sub(k.began))
	}
	for _, k := range started {
		_, err := io.WriteString(k.in, "\n")
		require.NoError(c.t, err)
	}
	slices.Sort(took)
	return took
}

// leave takes processes off, each by end.
func (c *processes) leave(n int, end func(k *child)) {
	c.t.Helper()
	for _, k := range c.live[:n] {
		end(k)
	}
	for _, k := range c.live[:n] {
		_ = k.cmd.Wait()
	}
	c.live = c.live[n:]
}

func kill(k *child)   { _ = k.cmd.Process.Kill() }
func retire(k *child) { k.in.Close() }

// grow waits until the logs of all live processes grow.
func (c *processes) grow(after string) {
	c.t.Helper()
	begin := time.Now()
	defer func() { c.t.Logf("%s: all went on after %v", after, time.Since(begin).Round(time.Millisecond)) }()
	for _, k := range c.live {
		was := size(k.log)
		require.Eventually(c.t, func() bool { return size(k.log) > was }, 5*time.Minute, 5*time.Millisecond, after)
	}
}

func size(file string) int64 {
	info, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return info.Size()
}

// check compares the ids of all.
func (c *processes) check() {
	c.t.Helper()
	var ids []int64
	for _, k := range c.all {
		text, err := os.ReadFile(k.log)
		require.NoError(c.t, err)
		last := int64(-1)
		for ; len(text) >= 8; text = text[8:] {
			id := int64(binary.BigEndian.Uint64(text))
			require.Greater(c.t, id, last, "a process's ids, in its order")
			last = id
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	assert.Len(c.t, slices.Compact(slices.Clone(ids)), len(ids), "ids that came twice")
	c.t.Logf("%d ids of %d processes", len(ids), len(c.all))
	require.NotEmpty(c.t, ids)
}

// pods is how many processes there are at most.
func pods(t *testing.T) int {
	text := os.Getenv("UID_TEST_PODS")
	if text == "" {
		return 15
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err, "UID_TEST_PODS")
	require.True(t, 5 <= n && n <= 50, "UID_TEST_PODS is 5 to 50")
	return n
}

// TestProcessesAsADeploymentHasThem: one becomes many at once, and one again. In between
// they are killed, and put to sleep past their leases, and the API server goes away.
func TestProcessesAsADeploymentHasThem(t *testing.T) {
	race.Skip(t)
	t.Parallel()
	most := pods(t)
	cl := newCluster(t)
	c := &processes{space: cl.space("shop"), dir: t.TempDir()}
	n, err := worker.NewNamespace("default", layout.Need(), 0, 255, window) // as many as the first start makes
	require.NoError(t, err)
	require.NoError(t, c.store("maker").Init(t.Context(), n, store.InitOptions{Fresh: true}))

	t.Logf("start to first id, one alone: %v", c.run(1))
	took := c.run(most - 1)
	t.Logf("start to first id, %d at once: p50 %v, p99 %v", len(took), took[len(took)/2], took[len(took)*99/100])
	c.grow("all are there")

	killed, sleepers := most*2/5, most/5
	c.leave(killed, kill)
	var asleep []*child
	for _, k := range c.live[:sleepers] {
		testserver.Pause(t, k.cmd.Process)
		asleep = append(asleep, k)
	}
	c.live = c.live[sleepers:]
	c.run(killed) // they get what the killed had, or the sleepers
	c.grow("some were killed, and some sleep")
	for _, k := range asleep {
		testserver.Resume(t, k.cmd.Process)
	}
	c.live = append(c.live, asleep...)
	c.grow("the sleepers woke up")

	c.server.Kill()
	c.server.Start()
	c.grow("the API server was killed")
	c.server.Stop()
	cl.etcd.Kill()
	cl.etcd.Start()
	c.server.Start()
	c.grow("etcd was killed, too")

	c.leave(len(c.live)-1, retire)
	c.grow("one is left")
	c.leave(1, retire)
	c.check()
}

// TestNoIDComesTwiceWhoeverLeads: leaders of etcd are killed, paused and cut off, behind
// two API servers, while ids are taken as fast as they come.
func TestNoIDComesTwiceWhoeverLeads(t *testing.T) {
	t.Parallel()
	etcd := testserver.EtcdCluster(t, 3)
	cl := &cluster{t: t, server: testserver.Kubernetes(t, etcd.Addrs())}
	in := cl.space("shop")
	token := in.pod("a")
	var second *testserver.Server
	failover.TestCluster(t, etcd, func(addrs ...string) store.Store {
		if slices.Equal(addrs, etcd.Addrs()) {
			return asking{in.as(token)}
		}
		if second == nil { // on its own ways to etcd
			second = testserver.Kubernetes(t, addrs)
		}
		return asking{in.through(second.Addr(), testserver.KubernetesAdmin)}
	})
}

// asking is a store that shows what the server has, and never what it wrote last itself:
// what was acknowledged to anybody is in each view.
type asking struct{ *Store }

func (a asking) View(ctx context.Context, namespace string, first, last int64) (store.View, error) {
	a.memory.show(place{namespace, first}) // the next one asks
	return a.Store.View(ctx, namespace, first, last)
}
