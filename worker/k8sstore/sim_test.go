package k8sstore

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/race"
	"github.com/ringuid/ringuid/worker/store"
)

// world is stores, holders and operators on one fakeServer. Two namespaces of a layout want
// the same worker ids; the one that has them is deleted by hand now and then.
type world struct {
	*fakeServer
	seed uint64
	two  bool // layouts, whose ids never meet, and whose ticks differ

	mu     sync.Mutex
	grants map[string][]grant // by layout and worker id, whichever namespace had it
}

type grant struct {
	lo, hi int64
	who    string
}

const simFingerprint = "sim"

func simNamespace(name string, first int64) store.Namespace {
	return store.Namespace{Name: name, Fingerprint: simFingerprint, Unit: time.Second, First: first,
		Last: first + 1, Window: 10}
}

// namespace is what an operator makes.
func (w *world) namespace(name string, first int64, random *rand.Rand) store.Namespace {
	n := simNamespace(name, first)
	if w.two && random.IntN(2) == 0 {
		n.Fingerprint, n.Unit, n.Window = simFingerprint+"-fast", 100*time.Millisecond, 100
	}
	return n
}

// granted notes a grant, and says so when others have some of it.
func (w *world) granted(layout string, id, lo, hi int64, who string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if lo > hi {
		return
	}
	key := fmt.Sprint(layout, " ", id)
	for _, g := range w.grants[key] {
		if lo <= g.hi && g.lo <= hi {
			w.say("worker id %d: %s is granted %d to %d, and %s was granted %d to %d", id, who, lo, hi,
				g.who, g.lo, g.hi)
		}
	}
	w.grants[key] = append(w.grants[key], grant{lo, hi, who})
}

// hold takes a row and extends it some times, as carelessly as the protocol allows: a
// write goes by what was seen before, and a view may be long ago.
func (w *world) hold(ctx context.Context, s *Store, who, namespace string, random *rand.Rand) {
	v, err := s.View(ctx, namespace, 0, 9)
	if err != nil || len(v.Rows) == 0 {
		return
	}
	row := v.Rows[random.IntN(len(v.Rows))]
	if _, parked := v.Parked(row); parked || v.Live(row) {
		return
	}
	high, nonce := row.High, row.Nonce
	for i := range 6 {
		q := store.Write{
			Namespace: namespace, Fingerprint: v.Fingerprint, Floor: v.Floor, Worker: row.Worker,
			Expect: []store.Nonce{nonce}, Nonce: newNonce(), High: max(high, v.MaxHigh()),
			TTL:   4 * time.Second,
			Owner: who, Acquire: i == 0, Now: v.Now,
		}
		applied, err := s.Write(ctx, q)
		if err != nil || !applied {
			return
		}
		w.granted(v.Fingerprint, row.Worker, max(high+1, v.Floor), q.High, who)
		high, nonce = max(high, q.High), q.Nonce
		time.Sleep(time.Duration(random.IntN(3000)) * time.Millisecond)
		next, err := s.View(ctx, namespace, row.Worker, row.Worker)
		if err != nil || len(next.Rows) != 1 || next.Rows[0].Nonce != nonce {
			return
		}
		v = next
	}
}

// operate does what operators do, some of it by hand.
func (w *world) operate(ctx context.Context, s *Store, namespace string, first int64,
	random *rand.Rand) {
	if w.two && random.IntN(4) == 0 {
		_ = s.Remove(ctx, namespace, store.RemoveOptions{Held: true, Slack: time.Second})
		return
	}
	switch random.IntN(9) {
	case 0:
		if v, err := s.View(ctx, namespace, 0, 9); err == nil {
			_ = s.Quarantine(ctx, namespace, v.SafeFloor(time.Second))
		}
	case 1:
		w.byHand(func() {
			if w.book != nil {
				delete(w.book.Data, keyNamespace+namespace)
				delete(w.book.Data, keyLifting+namespace)
				w.version++
				w.book.Metadata.ResourceVersion = fmt.Sprint(w.version)
			}
		})
	case 2, 3, 4:
		w.byHand(func() { delete(w.leases, s.leaseName(namespace, first+random.Int64N(2))) })
	default:
		_ = s.Init(ctx, w.namespace(namespace, first, random), store.InitOptions{Fresh: true})
	}
}

// run lets everybody do things until the world ends.
func (w *world) run(t *testing.T, steps int) {
	ctx, end := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for i := range 6 {
		random := rand.New(rand.NewPCG(w.seed, uint64(i)))
		all.Go(func() {
			for life := 0; ctx.Err() == nil; life++ {
				// A crash: what is under way may be done, and nobody goes on from there.
				life, crash := context.WithTimeout(ctx, time.Duration(random.IntN(60_000))*time.Millisecond)
				s := w.store(pod{})
				for life.Err() == nil {
					first := random.Int64N(2)
					namespace := string(rune('a' + first))
					if i < 3 {
						w.hold(life, s, fmt.Sprint("holder ", i), namespace, random)
					} else {
						w.operate(life, s, namespace, first, random)
					}
					time.Sleep(time.Duration(random.IntN(500)) * time.Millisecond)
				}
				crash()
			}
		})
	}
	random := rand.New(rand.NewPCG(w.seed, 98))
	for range steps {
		if !w.next() || random.IntN(8) == 0 {
			time.Sleep(time.Duration(random.IntN(700)) * time.Millisecond)
		}
	}
	end()
	done := make(chan struct{})
	go func() { defer close(done); all.Wait() }()
	w.serve(done)
}

func simulate(t *testing.T, seed uint64, flaw string, two bool) (w *world) {
	synctest.Test(t, func(t *testing.T) {
		w = &world{seed: seed, two: two, grants: map[string][]grant{}, fakeServer: &fakeServer{
			t: t, flaw: flaw, random: rand.New(rand.NewPCG(seed, 99)),
			leases: map[string]*coordinationv1.Lease{},
		}}
		w.run(t, 1500)
	})
	return w
}

// TestSimulation: whatever order requests come in, and wherever processes break off, no row
// is written under a floor that views do not show any more, nor one whose worker id is
// another namespace's, and no tick of a worker id is granted twice.
func TestSimulation(t *testing.T) {
	for _, two := range []bool{false, true} {
		t.Run(fmt.Sprintf("two layouts %v", two), func(t *testing.T) { testSimulation(t, two) })
	}
}

func testSimulation(t *testing.T, two bool) {
	worlds := uint64(60)
	if testing.Short() || race.Enabled {
		worlds = 6
	}
	writes, grants := 0, 0
	for seed := range worlds {
		w := simulate(t, seed, "", two)
		require.Empty(t, w.wrong, "seed %d", seed)
		writes += w.writes
		for _, g := range w.grants {
			grants += len(g)
		}
	}
	t.Logf("%d writes of rows, %d grants", writes, grants)
	assert.NotZero(t, grants)
}

// TestSimulationFindsFlaws: what the arrangement rests on, each left out.
func TestSimulationFindsFlaws(t *testing.T) {
	race.Skip(t)
	for _, flaw := range []string{"does not test " + rowPath, "does not test " + termsPath,
		"closes nothing", "lifts nothing", "opens rows as they were created"} {
		t.Run(flaw, func(t *testing.T) {
			for seed := range uint64(200) {
				if w := simulate(t, seed, flaw, false); len(w.wrong) > 0 {
					t.Logf("seed %d: %s", seed, slices.Compact(w.wrong)[0])
					return
				}
			}
			assert.Fail(t, "nothing was found")
		})
	}
}
