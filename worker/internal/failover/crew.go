package failover

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// layout has few ids in a tick, so that a generator borrows all of its window.
var layout = uid.Layout{
	Epoch: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), Unit: unit,
	TimeBits: 45, WorkerBits: 8, SeqBits: 4,
}

const (
	unit = 10 * time.Millisecond

	// window is longer than a fail-over lasts: then nothing but the floor keeps
	// the new grants apart from the lost ones.
	window = 25 * time.Second

	slack    = 500 * time.Millisecond
	ttl      = 500 * time.Millisecond
	timeout  = 400 * time.Millisecond
	workers  = 3 // with worker ids 1 to 3: a claim of 0 to 0 is one of any
	patience = time.Minute
)

// Crew is generators that take ids, and all ids that they took.
type Crew struct {
	Slack time.Duration // of those that join from now on; half a second if not set

	t       *testing.T
	open    func() store.Store
	members []*Member
}

// NewCrew makes the namespace in the store of open, which is called once for each
// member: it is a process' own way to the primary, whoever that is.
func NewCrew(t *testing.T, open func() store.Store) *Crew {
	t.Helper()
	ns, err := worker.NewNamespace(Namespace, layout.Need(), 1, workers, window)
	require.NoError(t, err)
	require.NoError(t, open().Init(t.Context(), ns, store.InitOptions{Fresh: true}))
	return &Crew{Slack: slack, t: t, open: open}
}

// Namespace is the name of the crew's.
const Namespace = "crew"

// View is what a store shows of the namespace.
func (c *Crew) View(s store.Store) store.View {
	c.t.Helper()
	var v store.View
	c.Until("the store answers", func() (err error) {
		v, err = s.View(c.t.Context(), Namespace, 1, workers)
		return err
	})
	return v
}

// Until waits for what a server does in its own time.
func (c *Crew) Until(what string, done func() error) {
	c.t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(patience); ; <-tick.C {
		err := done()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			require.NoError(c.t, err, what)
		}
	}
}

// Member is one generator, and the ids that it took, in that order.
type Member struct {
	crew *Crew
	g    *uid.CachedGenerator
	way  *cable
	done chan struct{}
	stop context.CancelFunc

	mu   sync.Mutex
	ids  []uid.ID
	last int64 // tick
}

// Join adds a member that has this worker id, as soon as it is free.
func (c *Crew) Join(id int64) *Member {
	c.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	m := &Member{crew: c, way: &cable{Store: c.open()}, done: make(chan struct{}), stop: cancel}
	quiet := slog.New(slog.DiscardHandler)
	a := worker.Leased(m.way, worker.Claim{
		Namespace: Namespace, First: id, Last: id, Owner: fmt.Sprint("member ", len(c.members)),
		TTL: ttl, Timeout: timeout, Slack: c.Slack, Logger: quiet,
	})
	c.Until("the worker id is free", func() (err error) {
		m.g, err = uid.NewCached(c.t.Context(), a, uid.Config{Layout: layout, Logger: quiet})
		return err
	})
	c.members = append(c.members, m)
	c.t.Cleanup(m.leave)
	go m.take(ctx)
	return m
}

// take takes ids until the member leaves, as fast as they are granted.
func (m *Member) take(ctx context.Context) {
	defer close(m.done)
	for {
		id, err := m.g.GetUIDContext(ctx)
		if err != nil {
			if ctx.Err() == nil {
				m.crew.t.Errorf("a generator ends: %v", err)
			}
			return
		}
		p, err := layout.Parse(id)
		if err != nil {
			m.crew.t.Errorf("an id of another layout: %v", err)
			return
		}
		m.mu.Lock()
		m.ids, m.last = append(m.ids, id), p.Time.UnixMilli()/unit.Milliseconds()
		m.mu.Unlock()
	}
}

func (m *Member) leave() {
	m.stop()
	<-m.done
	m.g.Close() // fails where the store is gone, or cut off
}

// Crash ends the member without a word to the store.
func (m *Member) Crash() {
	m.way.cut()
	m.leave()
}

// Sleep cuts the member off from its store; it goes on with what it was granted.
func (m *Member) Sleep() { m.way.cut() }

// Wake ends Sleep.
func (m *Member) Wake() { m.way.mend() }

// Last is the tick of the id that was taken last, counted from the Unix epoch.
func (m *Member) Last() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.last
}

// Reaches waits until the member has taken ids of a later tick, but for those that
// sleep or crashed.
func (m *Member) Reaches(tick int64) {
	m.crew.t.Helper()
	m.crew.Until("ids of a later tick", func() error {
		if last := m.Last(); last <= tick {
			return fmt.Errorf("the last tick is %d, %d before those waited for; %+v", last, tick-last, m.g.Stats())
		}
		return nil
	})
}

// fails waits until so many more calls of the member's store got no answer.
func (m *Member) fails(calls int64) {
	m.crew.t.Helper()
	before := m.way.failures.Load()
	m.crew.Until("calls that get no answer", func() error {
		if n := m.way.failures.Load() - before; n < calls {
			return fmt.Errorf("%d of %d", n, calls)
		}
		return nil
	})
}

// granted is the last tick that the member believes to have.
func (m *Member) granted() int64 {
	return m.g.Stats().GrantedUntil.UnixMilli()/unit.Milliseconds() - 1
}

// Repeated ends all members and returns the ids that were taken more than once.
// What one member took must have grown.
func (c *Crew) Repeated() (twice []uid.ID) {
	c.t.Helper()
	var all []uid.ID
	for _, m := range c.members {
		m.leave()
		require.True(c.t, slices.IsSorted(m.ids), "the ids of one generator grow")
		all = append(all, m.ids...)
	}
	slices.Sort(all)
	for i := 1; i < len(all); i++ {
		if all[i] == all[i-1] {
			twice = append(twice, all[i])
		}
	}
	c.t.Logf("%d ids of %d generators, %d of them twice", len(all), len(c.members), len(twice))
	return twice
}

var errCut = errors.New("the way to the store is cut")
