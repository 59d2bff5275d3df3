package k8sstore

import (
	"context"
	"math"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// TestWorkerIDs is about who has which worker id, and that its rows, its terms and the
// book agree on it though no request writes two of them.
func TestWorkerIDs(t *testing.T) {
	c := newCluster(t)
	for name, test := range map[string]func(*testing.T, space){
		"first-start":     testFirstStart,
		"leases-deleted":  testLeasesDeleted,
		"book-deleted":    testBookDeleted,
		"all-others-gone": testBookDeletedBesideOthers,
		"taken-over":      testTakenOver,
		"lift-broken-off": testLiftBrokenOff,
		"init-broken-off": testInitBrokenOff,
		"pod-gone":        testPodGone,
		"same-name":       testPodOfTheSameName,
		"small":           testSmallLeases,
		"four-requests":   testStart,
	} {
		t.Run(name, func(t *testing.T) {
			inner := *c
			inner.t = t
			test(t, inner.space(name))
		})
	}
}

// testFirstStart: fifty pods start where nothing is. One makes the namespace, and each
// gets a worker id of its own that grants at once.
func testFirstStart(t *testing.T, in space) {
	token := in.pod("a")
	var mu sync.Mutex
	seen := map[int64]bool{}
	var took []time.Duration
	var all errgroup.Group
	for range 50 {
		s := in.as(token)
		s.first = 64 // fifty lists of all of them are enough for a race detector
		all.Go(func() error {
			begin := time.Now()
			lease, err := worker.Leased(s,
				worker.Claim{Timeout: 2 * time.Minute, Logger: claim().Logger}).Assign(t.Context(), need)
			if err != nil {
				return err
			}
			lo, hi := lease.Grant()
			mu.Lock()
			defer mu.Unlock()
			took = append(took, time.Since(begin))
			assert.False(t, seen[lease.WorkerID()], "worker id %d", lease.WorkerID())
			assert.LessOrEqual(t, lo, hi)
			seen[lease.WorkerID()] = true
			t.Cleanup(func() { _ = lease.Release(context.Background(), math.MinInt64) })
			return nil
		})
	}
	require.NoError(t, all.Wait())
	assert.Len(t, seen, 50)
	slices.Sort(took)
	t.Logf("start to lease, 50 at once where nothing is: p50 %v, p99 %v", took[25], took[49])
	v, err := in.as(token).View(t.Context(), "default", 0, math.MaxInt64)
	require.NoError(t, err)
	assert.Len(t, v.Rows, 64)
	assert.LessOrEqual(t, v.Floor, v.TickAt(v.Now), "it began at once")
}

// deleteAll is kubectl delete --all.
func (in space) deleteAll(path string) {
	in.t.Helper()
	require.NoError(in.t, in.admin(http.MethodDelete, path, nil, nil))
}

func (in space) leases() string {
	return "/apis/coordination.k8s.io/v1/namespaces/" + in.name + "/leases"
}

func (in space) configMaps() string { return "/api/v1/namespaces/" + in.name + "/configmaps" }

// held is a lease with nothing more to be granted, as far as can be.
func held(t *testing.T, s store.Store, c worker.Claim) (l worker.Lease, hi int64) {
	t.Helper()
	l, err := worker.Leased(s, c).Assign(t.Context(), need)
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Release(context.Background(), math.MinInt64) })
	_, hi = l.Grant()
	return l, hi
}

// after is where the next one begins that gets this worker id, as soon as there is one.
func after(t *testing.T, s store.Store, c worker.Claim) (lo int64) {
	t.Helper()
	var l worker.Lease
	require.Eventually(t, func() bool {
		var err error
		l, err = worker.Leased(s, c).Assign(t.Context(), need)
		return err == nil
	}, time.Minute, 20*time.Millisecond)
	lo, _ = l.Grant()
	require.NoError(t, l.Release(t.Context(), math.MinInt64))
	return lo
}

// only is a claim of one worker id, whose holder is not heard of again.
func only(id int64) worker.Claim {
	c := claim()
	c.First, c.Last, c.TTL = id, id, time.Hour
	return c
}

// testLeasesDeleted: the book knows how far they may have been granted.
func testLeasesDeleted(t *testing.T, in space) {
	s, other := in.store("a"), in.store("b")
	made(t, s)
	_, hi := held(t, s, only(1))
	in.deleteAll(in.leases())
	assert.Greater(t, after(t, other, claim()), hi)
	assert.Len(t, view(t, other).Rows, 4)
}

// testBookDeleted: the rows know.
func testBookDeleted(t *testing.T, in space) {
	s, other := in.store("a"), in.store("b")
	made(t, s)
	l, hi := held(t, s, only(1))
	require.NoError(t, in.admin(http.MethodDelete, in.configMaps()+"/ringuid", nil, nil))
	assert.Greater(t, after(t, other, claim()), hi, "also a worker id that nobody had")
	v := view(t, other)
	assert.True(t, v.Rows[1].Held, "and its row stays")
	assert.NoError(t, l.Err())
}

// testBookDeletedBesideOthers: a namespace is made again, with worker ids of another one
// of which only rows are left, and a holder that lives. It is shut out first.
func testBookDeletedBesideOthers(t *testing.T, in space) {
	s, other := in.store("a"), in.store("b")
	n := made(t, s)
	n.Name = "second"
	n.First, n.Last = 4, 7
	require.NoError(t, s.Init(t.Context(), n, store.InitOptions{}))
	c := only(5)
	c.Namespace, c.TTL = "second", time.Second
	l, _ := held(t, s, c)
	require.NoError(t, in.admin(http.MethodDelete, in.configMaps()+"/ringuid", nil, nil))

	require.NoError(t, other.MakeNamespace(t.Context(), "default", need), "with 0 to 255")
	_, hi := l.Grant()
	for l.Err() == nil {
		changed := l.Changed()
		if l.Err() == nil {
			<-changed
		}
	}
	require.ErrorIs(t, l.Err(), store.ErrNoNamespace)
	_, last := l.Grant()
	assert.Greater(t, after(t, other, only(5)), max(hi, last))
}

// testTakenOver: worker ids of a namespace whose entry was deleted go to another one. No
// write of its holders is applied from then on, whatever it was built on.
func testTakenOver(t *testing.T, in space) {
	s, other := in.store("a"), in.store("b")
	n := made(t, s)
	v := view(t, s)
	w := write(v, true)
	applied, err := s.Write(t.Context(), w)
	require.NoError(t, err)
	require.True(t, applied)
	in.cluster.hands(t, s).DropNamespace("default")
	late := write(v, false)
	late.Expect[0] = w.Nonce
	remembered, ok := s.memory.recall(place{"default", 0}, w.Nonce)
	require.True(t, ok, "a sign of life would be one request")

	second := n
	second.Name = "second"
	require.NoError(t, other.Init(t.Context(), second, store.InitOptions{Fresh: true}))
	applied, err = s.Write(t.Context(), late)
	require.NoError(t, err)
	assert.False(t, applied)
	rows, _, err := s.rowsOf(t.Context(), "default", 0, 0)
	require.NoError(t, err)
	assert.Equal(t, remembered.text, rows[0].text)
	_, err = s.View(t.Context(), "default", 0, 0)
	require.ErrorIs(t, err, store.ErrNoNamespace)
	c := only(0)
	c.Namespace = "second"
	assert.Greater(t, after(t, other, c), w.High)

	in.cluster.hands(t, s).DropNamespace("second") // and back
	require.NoError(t, s.Init(t.Context(), n, store.InitOptions{Fresh: true}))
	applied, err = s.Write(t.Context(), late)
	require.NoError(t, err)
	assert.False(t, applied, "under the floor of then")
}

// testLiftBrokenOff: whoever looks next goes on with it, and shows no floor before each
// row has it.
func testLiftBrokenOff(t *testing.T, in space) {
	s, other := in.store("a"), in.store("b")
	made(t, s)
	v := view(t, s)
	floor := v.Floor + 10
	b, err := s.book(t.Context())
	require.NoError(t, err)
	done, err := s.change(t.Context(), b,
		map[string]string{keyLifting + "default": strconv.FormatInt(floor, 10)})
	require.NoError(t, err)
	require.True(t, done)
	applied, err := s.Write(t.Context(), write(v, true))
	require.NoError(t, err)
	assert.True(t, applied, "nobody was shown it yet")

	late := write(view(t, s), false)
	assert.Equal(t, floor, late.Floor)
	late.Floor = v.Floor
	for _, by := range []*Store{s, other} {
		applied, err = by.Write(t.Context(), late)
		require.NoError(t, err)
		assert.False(t, applied)
	}
	b, err = s.book(t.Context())
	require.NoError(t, err)
	assert.NotContains(t, b.data, keyLifting+"default")
	require.NoError(t, s.Quarantine(t.Context(), "default", floor-1))
	assert.Equal(t, floor, view(t, other).Floor)
}

// testInitBrokenOff: the book has the namespace, and its rows were not opened. The next
// view does that.
func testInitBrokenOff(t *testing.T, in space) {
	s := in.store("a")
	made(t, s)
	closed, err := s.close(t.Context(), func() ([]row, bool, error) {
		rows, _, err := s.rowsOf(t.Context(), "default", 0, 3)
		return rows, true, err
	})
	require.NoError(t, err)
	require.True(t, closed)
	v := view(t, s)
	applied, err := s.Write(t.Context(), write(v, true))
	require.NoError(t, err)
	assert.True(t, applied)
}

// testPodGone: the row of a pod that is gone is free at once, and that of one that is
// there is not.
func testPodGone(t *testing.T, in space) {
	s, other := in.store("a"), in.store("b")
	made(t, s)
	l, hi := held(t, s, only(2))
	_, err := worker.Leased(other, only(2)).Assign(t.Context(), need)
	require.ErrorIs(t, err, worker.ErrAllHeld)
	in.deletePod("a")
	assert.Greater(t, after(t, other, only(2)), hi)
	assert.NotErrorIs(t, l.Err(), store.ErrRolledBack)

	operator := in.through(in.server.Addr(),
		in.token(in.make(in.configMaps(), named("x")), time.Now().Add(time.Hour)))
	operator.pod = pod{}
	held(t, other, only(2))
	in.deletePod("b")
	_, err = worker.Leased(operator, only(2)).Assign(t.Context(), need)
	require.Error(t, err, "who is no pod, and may not look at them, takes nobody for gone")
}

// testPodOfTheSameName: as a StatefulSet makes it. It is another pod.
func testPodOfTheSameName(t *testing.T, in space) {
	s := in.store("app-0")
	made(t, s)
	_, hi := held(t, s, only(2))
	in.deletePod("app-0")
	again := in.store("app-0")
	assert.Equal(t, "app-0", again.Claim().Owner)
	assert.Greater(t, after(t, again, only(2)), hi)
}

// A start lists all Leases: nothing is in them that nobody looks at.
func testSmallLeases(t *testing.T, in space) {
	s := in.store("a")
	made(t, s)
	for range 3 {
		applied, err := s.Write(t.Context(), write(view(t, s), false))
		require.NoError(t, err)
		require.True(t, applied)
	}
	var l struct{ Items []object }
	require.NoError(t, in.admin(http.MethodGet, in.leases(), nil, &l))
	require.Len(t, l.Items, 4)
	for _, lease := range l.Items {
		assert.Empty(t, lease.Metadata.ManagedFields, lease.Metadata.Name)
	}
}

// testStart: where there is a namespace, a process that starts sends four requests.
func testStart(t *testing.T, in space) {
	var requests atomic.Int64
	token := in.pod("a")
	s := in.open(disturbed(config(in.server.Addr(), token),
		func(q *http.Request, send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
			requests.Add(1)
			return send(q)
		}))
	made(t, in.as(token))
	held(t, s, claim())
	assert.Equal(t, int64(4), requests.Load(), "Check, rows, namespace, write")
}
