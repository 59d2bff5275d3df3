package storetest

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/ringuid/ringuid/worker/store"
)

// testCheck: the class is one of a recycled worker id.
func testCheck(f *fixture) {
	class, err := f.store.Check(f.t.Context())
	require.NoError(f.t, err, "open a store whose server is set up to keep what it acknowledges")
	assert.Contains(f.t, []store.Class{store.Fenced, store.FencedLossy, store.Unfenced}, class)
}

func testInit(f *fixture) {
	v := f.view()
	assert.Equal(f.t, v.Server, v.Epoch, "the floor is set for the server that is there")
	settled := v.Namespace
	settled.Epoch, settled.Floor = "", 0
	assert.Equal(f.t, f.ns, settled)
	for i, row := range v.Rows {
		assert.Equal(f.t, int64(first+i), row.Worker)
		assert.False(f.t, row.Held)
		assert.Equal(f.t, v.Floor-1, row.High)
		assert.Equal(f.t, "", row.Owner)
	}
	all := nonces(v.Rows)
	slices.SortFunc(all, func(a, b store.Nonce) int {
		return strings.Compare(string(a[:]),
			string(b[:]))
	})
	assert.Len(f.t, slices.Compact(all), len(v.Rows), "each row begins with a nonce of its own")
	for _, row := range v.Rows {
		f.hold(row.Worker)
	}
}

// testInitFloor: by the store's clock, the floor lies above all that may have been
// granted with worker ids of this layout, unless the operator knows that nothing was.
func testInitFloor(f *fixture) {
	const unit, slack = time.Minute, 150 * time.Second
	for _, c := range []struct {
		o     store.InitOptions
		ahead time.Duration
	}{
		{store.InitOptions{Fresh: true}, 0},
		{store.InitOptions{Fresh: true, Slack: slack, Earlier: time.Hour}, 0},
		{store.InitOptions{}, store.MaxWindow(unit)},
		{store.InitOptions{Slack: slack, Earlier: 3 * time.Hour}, 3 * time.Hour},
	} {
		before := f.view().Now
		f.ns = namespace(unit, 100)
		require.NoError(f.t, f.store.Init(f.t.Context(), f.ns, c.o))
		v := f.view()
		if !c.o.Fresh {
			c.ahead += time.Duration(store.SlackTicks(c.o.Slack+f.apart(max(c.o.Earlier, 100*unit)),
				unit)) * unit
		}
		assert.GreaterOrEqual(f.t, v.Floor, v.TickAt(before.Add(c.ahead)), "%+v", c.o)
		assert.LessOrEqual(f.t, v.Floor, v.TickAt(v.Now.Add(c.ahead)), "%+v", c.o)
	}
}

// apart is how far ahead of a store without a clock a writer may be.
func (f *fixture) apart(window time.Duration) time.Duration {
	if f.noClock {
		return window
	}
	return 0
}

func testInitAgain(f *fixture) {
	f.hold(first)
	require.NoError(f.t, f.store.Quarantine(f.t.Context(), f.ns.Name, f.view().Floor+1))
	before := f.view()
	require.NoError(f.t, f.store.Init(f.t.Context(), f.ns, store.InitOptions{}))
	f.unchanged(before)
}

// unchanged: all is as it was.
func (f *fixture) unchanged(before store.View) {
	f.t.Helper()
	after := f.view()
	assert.Equal(f.t, before.Namespace, after.Namespace)
	assert.Equal(f.t, before.Rows, after.Rows)
}

func testInitOther(f *fixture) {
	f.hold(first)
	before := f.view()
	for what, change := range map[string]func(n *store.Namespace){
		"layout":         func(n *store.Namespace) { n.Fingerprint += "-1" },
		"unit":           func(n *store.Namespace) { n.Unit += time.Millisecond },
		"window":         func(n *store.Namespace) { n.Window++ },
		"shorter window": func(n *store.Namespace) { n.Window-- },
		"range":          func(n *store.Namespace) { n.Last-- },
		"lower range":    func(n *store.Namespace) { n.First, n.Last = n.First-1, n.Last-1 },
	} {
		other := f.ns
		change(&other)
		err := f.store.Init(f.t.Context(), other, store.InitOptions{Fresh: true})
		require.ErrorIs(f.t, err, store.ErrNamespace, "another %s", what)
	}
	f.unchanged(before)
}

// testInitAtOnce: whoever is first makes it, and what he made is not made again.
func testInitAtOnce(f *fixture) {
	f.ns = namespace(time.Hour, 20)
	var all errgroup.Group
	views := make([]store.View, 6)
	for i := range views {
		all.Go(func() error {
			if err := f.store.Init(f.t.Context(), f.ns,
				store.InitOptions{Fresh: true, Slack: time.Duration(i) * time.Hour}); err != nil {
				return err
			}
			var err error
			views[i], err = f.store.View(f.t.Context(), f.ns.Name, 0, math.MaxInt64)
			return err
		})
	}
	require.NoError(f.t, all.Wait())
	for _, v := range views {
		assert.Equal(f.t, views[0].Namespace, v.Namespace)
		assert.Equal(f.t, views[0].Rows, v.Rows)
		assert.Len(f.t, v.Rows, last-first+1)
	}
}

// testManyRows: more than fit one request of most clients.
func testManyRows(f *fixture) {
	f.ns = namespace(time.Hour, 20)
	f.ns.First, f.ns.Last = 0, f.settings.many-1
	f.init(f.ns)
	for i, row := range f.view().Rows {
		require.Equal(f.t, int64(i), row.Worker)
	}
	f.hold(f.ns.Last)
}

// testNamespacesApart: one name is a part of the other, or differs in its case.
func testNamespacesApart(f *fixture) {
	theirs := f.view()
	for _, name := range []string{strings.ToUpper(f.ns.Name), f.ns.Name + ".5", f.ns.Name[:20],
		f.ns.Name + "_"} {
		f.ns.Name, f.ns.Fingerprint = name, namespace(time.Hour, 2).Fingerprint
		f.init(f.ns)
		f.hold(first)
		f.applied(f.prepare(first, release))
	}
	v, err := f.store.View(f.t.Context(), theirs.Name, first, last)
	require.NoError(f.t, err)
	assert.Equal(f.t, theirs.Rows, v.Rows)
}

// testNoNamespace: nothing but Init makes one.
func testNoNamespace(f *fixture) {
	ctx, good := f.t.Context(), f.prepare(first, acquire)
	const name = "storetest-none"
	w := good
	w.Namespace = name
	for range 2 {
		_, err := f.store.View(ctx, name, 0, math.MaxInt64)
		require.ErrorIs(f.t, err, store.ErrNoNamespace, "View")
		assert.ErrorContains(f.t, err, name)

		f.missed(w)
		applied, _ := f.store.Raise(ctx, store.Raise{Namespace: name, Epoch: w.Epoch, Floor: w.Floor})
		assert.False(f.t, applied, "Raise")
		require.ErrorIs(f.t, f.store.Quarantine(ctx, name, 1), store.ErrNoNamespace, "Quarantine")
	}
	f.applied(good)
}

func testViewRange(f *fixture) {
	for _, c := range []struct{ from, to, first, last int64 }{
		{first, last, first, last},
		{0, math.MaxInt64, first, last},
		{6, 7, 6, 7},
		{8, 8, 8, 8},
		{0, 5, 5, 5},
		{9, 20, 9, 9},
		{0, 4, 1, 0},
		{10, 20, 1, 0},
		{8, 6, 1, 0},
	} {
		v, err := f.store.View(f.t.Context(), f.ns.Name, c.from, c.to)
		require.NoError(f.t, err)
		require.Len(f.t, v.Rows, int(c.last-c.first+1), "%d to %d", c.from, c.to)
		for i, row := range v.Rows {
			assert.Equal(f.t, c.first+int64(i), row.Worker, "%d to %d", c.from, c.to)
		}
	}
	v := f.view()
	between(f.t, time.Now().Add(-time.Minute), v.Now, time.Now().Add(time.Minute), "the store's clock")
}
