package k8sstore

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// Plays are what people do to a cluster while pods take ids. Each pod is a process of its
// own that writes every id to a file; at the end no id may be there twice.

// asPod has the test binary be the process of a pod: its arguments, separated by spaces.
const asPod = "UID_TEST_AS_POD"

// runPod takes ids, rate of them each millisecond, or as many as there are for 0, and writes
// them to a file until it is ended. It has one of few worker ids, so that a pod's next row is
// likely to be one that it, or another, had before.
func runPod() {
	args := strings.Fields(os.Getenv(asPod))
	addr, token, namespace, file := args[0], args[1], args[2], args[3]
	rate, _ := strconv.Atoi(args[4])
	workers, _ := strconv.Atoi(args[5])
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	s, err := New(config(addr, token), Options{Namespace: namespace})
	if err == nil {
		err = takeIDs(ctx, s, int64(workers), file, rate)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func takeIDs(ctx context.Context, s *Store, workers int64, file string, rate int) error {
	claim := s.Claim()
	claim.Last = workers - 1
	claim.Timeout = 20 * time.Second // of a server that has just been started, on a busy machine
	claim.Logger = slog.New(slog.NewTextHandler(os.Stderr, nil))
	gen, err := uid.NewCached(ctx, worker.Leased(s, claim), uid.Config{})
	if err != nil {
		return err
	}
	defer gen.Close()
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer out.Close()
	buffer := bufio.NewWriter(out)
	defer buffer.Flush()
	for ctx.Err() == nil {
		n := rate
		if n == 0 {
			n = 1000
		}
		ids, err := gen.AppendUIDsContext(ctx, nil, n)
		for _, id := range ids {
			if err := binary.Write(buffer, binary.LittleEndian, int64(id)); err != nil {
				return err
			}
		}
		if err := buffer.Flush(); err != nil {
			return err
		}
		if rate > 0 || err != nil {
			time.Sleep(time.Millisecond)
		}
	}
	return nil
}

// play is a play's pods.
type play struct {
	in     space
	ids    int // worker ids
	tokens map[string]string
	files  map[string]string
	runs   map[string]*exec.Cmd
}

// newPlay makes the pods of a play, none of which runs.
func newPlay(in space, ids int, pods ...string) *play {
	p := &play{in, ids, map[string]string{}, map[string]string{}, map[string]*exec.Cmd{}}
	for _, name := range pods {
		p.tokens[name] = in.pod(name)
		p.files[name] = filepath.Join(in.t.TempDir(), name)
	}
	return p
}

// start starts the process of a pod.
func (p *play) start(name string, rate int) {
	p.in.t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), fmt.Sprint(asPod, "=", p.in.server.Addr(), " ", p.tokens[name], " ",
		p.in.name, " ", p.files[name], " ", rate, " ", p.ids))
	var log bytes.Buffer
	c.Stderr = &log
	require.NoError(p.in.t, c.Start())
	p.runs[name] = c
	p.in.t.Cleanup(func() {
		if _, runs := p.runs[name]; runs {
			p.stop(name, syscall.SIGKILL)
		}
		if p.in.t.Failed() {
			p.in.t.Logf("%s: %s", name, log.String())
		}
	})
}

// stop ends the process of a pod, with a signal.
func (p *play) stop(name string, with syscall.Signal) {
	p.in.t.Helper()
	require.NoError(p.in.t, p.runs[name].Process.Signal(with))
	err := p.runs[name].Wait()
	delete(p.runs, name)
	if with == syscall.SIGTERM {
		require.NoError(p.in.t, err, name)
	}
}

// more waits until each pod that runs has written more ids.
func (p *play) more() {
	p.in.t.Helper()
	before := map[string]int64{}
	for name := range p.runs {
		before[name] = size(p.files[name])
	}
	for name, was := range before {
		file := p.files[name]
		require.Eventually(p.in.t, func() bool { return size(file) > was }, 2*time.Minute,
			10*time.Millisecond, "%s has no more ids", name)
	}
}

func size(file string) int64 {
	info, err := os.Stat(file)
	if err != nil {
		return 0 // it has no id yet
	}
	return info.Size()
}

// holds waits until the Leases show that each pod that runs has one.
func (p *play) holds() {
	p.in.t.Helper()
	running := slices.Collect(maps.Keys(p.runs))
	require.Eventually(p.in.t, func() bool {
		holders := p.in.holders()
		return !slices.ContainsFunc(running,
			func(name string) bool { return !slices.Contains(holders, name) })
	}, 2*time.Minute, 50*time.Millisecond, "each pod has a Lease")
}

// holders are the pods that `kubectl get leases` shows.
func (s space) holders() (names []string) {
	var list struct {
		Items []struct {
			Spec struct{ HolderIdentity string }
		}
	}
	require.NoError(s.t, s.admin(http.MethodGet, s.leases(), nil, &list))
	for _, l := range list.Items {
		if l.Spec.HolderIdentity != "" {
			names = append(names, l.Spec.HolderIdentity)
		}
	}
	return names
}

func (s space) leases() string {
	return "/apis/coordination.k8s.io/v1/namespaces/" + s.name + "/leases"
}

// deleteLeases does what `kubectl delete leases --all` does.
func (s space) deleteLeases() {
	s.t.Helper()
	require.NoError(s.t, s.admin(http.MethodDelete, s.leases(), nil, nil))
}

// end stops all pods and counts their ids.
func (p *play) end() {
	p.in.t.Helper()
	for name := range p.runs {
		p.stop(name, syscall.SIGTERM)
	}
	var ids []int64
	for _, file := range p.files {
		text, err := os.ReadFile(file)
		require.NoError(p.in.t, err)
		for ; len(text) >= 8; text = text[8:] { // one that was killed may have written half an id
			ids = append(ids, int64(binary.LittleEndian.Uint64(text)))
		}
	}
	slices.Sort(ids)
	twice := len(ids) - len(slices.Compact(slices.Clone(ids)))
	p.in.t.Logf("%d ids of %d pods, %d twice", len(ids), len(p.files), twice)
	assert.Zero(p.in.t, twice)
}

func TestPlays(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	for name, play := range map[string]func(space){
		"deleted":  playLeasesDeleted,
		"services": playTwoServicesWithOneLayout,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inner := *c
			inner.t = t
			play(inner.space(name))
		})
	}
}

// playLeasesDeleted: somebody deletes all Leases, twice, under pods that take ids.
func playLeasesDeleted(in space) {
	p := newPlay(in, 3, "greedy", "steady-1", "steady-2")
	p.start("greedy", 0)
	p.start("steady-1", 2)
	p.start("steady-2", 2)
	for range 2 {
		p.more()
		p.holds()
		p.in.deleteLeases()
		p.holds() // again
	}
	p.more()
	p.end()
}

// playTwoServicesWithOneLayout: without any setting they share the worker ids.
func playTwoServicesWithOneLayout(in space) {
	p := newPlay(in, 6, "orders-0", "orders-1", "orders-2", "invoices-0", "invoices-1", "invoices-2")
	for i := range 3 {
		p.start(fmt.Sprint("orders-", i), 0)
		p.start(fmt.Sprint("invoices-", i), 2)
	}
	p.holds()
	p.more()
	p.end()
}

// TestRestoredToBeforeTheFirstRow: etcd goes back to before there was a Lease, under pods
// that take ids. They, and a new one, create all again.
func TestRestoredToBeforeTheFirstRow(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	p := newPlay(c.space("shop"), 4, "greedy", "steady-1", "steady-2", "new")
	restore := c.backup()
	p.start("greedy", 0)
	p.start("steady-1", 2)
	p.start("steady-2", 2)
	p.more()
	p.holds()
	c.restore(restore)
	p.start("new", 2)
	p.holds()
	p.more()
	p.end()
}

// TestRestoredAndQuarantined: etcd goes back to rows that were granted less, and that nobody
// holds. The rows are deleted before the next pods start, as doc.go says.
func TestRestoredAndQuarantined(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	p := newPlay(c.space("shop"), 2, "first-1", "first-2", "greedy", "steady", "new-1", "new-2")
	p.start("first-1", 2)
	p.start("first-2", 2)
	p.holds()
	p.more()
	p.stop("first-1", syscall.SIGTERM)
	p.stop("first-2", syscall.SIGTERM)
	restore := c.backup()
	p.start("greedy", 0)
	p.start("steady", 2)
	p.more()
	p.stop("greedy", syscall.SIGKILL)
	p.stop("steady", syscall.SIGTERM)
	c.restore(restore)
	s := p.in.through(c.server.Addr(), testserver.KubernetesAdmin)
	require.NoError(t, s.Delete(t.Context(), ""))
	p.start("new-1", 0)
	p.start("new-2", 2)
	p.more()
	p.end()
}

// backup keeps what etcd has now. restore puts it back, and restarts the API server.
func (c *cluster) backup() (restore func()) {
	c.server.Stop()
	c.etcd.Stop()
	restore = c.etcd.Snapshot()
	c.etcd.Start()
	c.server.Start()
	return restore
}

func (c *cluster) restore(restore func()) {
	c.server.Stop()
	c.etcd.Stop()
	restore()
	c.etcd.Start()
	c.server.Start()
}
