package worker

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/race"
	"github.com/ringuid/ringuid/worker/memstore"
	"github.com/ringuid/ringuid/worker/store"
)

// model is a small world of which all schedules are gone through, breadth first:
// two processes on one row, ticks up to 6, windows of 2, one fail-over that loses
// writes, one clone, and a few writes that get no answer and arrive late or never.
// Leases expire at once, since expiry shall not matter (I10). The simulation goes far and at
// random, this goes everywhere nearby. Holders and
// store are the real ones. Whatever is granted counts as minted.
type model struct {
	store *memstore.Store
	disk  *memstore.Store // what a fail-over goes back to; nil: nothing yet, or no more
	clock int64           // the store's, in ticks
	procs []proc
	late  []store.Write // given up, and under way
	taken uint          // a bit for each tick that was granted

	off                  mutation
	until                int64 // the highest tick that may be granted
	lost, cloned, faults int   // how many more there may be
	nonce                int
	wrong                error
}

type proc struct {
	h     *holder
	held  bool
	blind bool // its acquiring write was not acknowledged: it looks what became of it
}

const (
	modelWindow = 2
	always      = 1 << 10 // a cursor that is low
)

func newModel(t *testing.T, m model) *model {
	m.store = memstore.NewAt(m.now)
	m.store.Restart("1")
	n := Namespace{Name: "m", Fingerprint: "m", Unit: time.Second, Window: modelWindow}
	require.NoError(t, m.store.Init(t.Context(), n, InitOptions{Fresh: true}))
	for range 2 {
		m.procs = append(m.procs, proc{h: newHolder(m.claim())})
	}
	return &m
}

func (m *model) now() time.Time { return time.Unix(m.clock, 0) }

// claim has no slack, rounded up to whole ticks: the clock is the same one after
// the fail-over.
func (m *model) claim() Claim {
	c := Claim{Namespace: "m", TTL: -1, Slack: -1,
		Order: func(r []store.Row, _ Claim) []store.Row { return r }}
	return c.rigged(m.now, func() time.Duration { return 0 }, m)
}

// Read makes nonces that are new, and the same in each run.
func (m *model) Read(b []byte) (int, error) {
	m.nonce++
	clear(b)
	binary.LittleEndian.PutUint16(b, uint16(m.nonce))
	return len(b), nil
}

func (m *model) copy() *model {
	c := *m
	c.store = m.store.SnapshotAt(c.now)
	c.procs, c.late = slices.Clone(m.procs), slices.Clone(m.late)
	for i := range c.procs {
		h := c.procs[i].h.clone()
		c.procs[i].h = &h
	}
	return &c
}

// next calls yield with each world that may follow this one.
func (m *model) next(yield func(*model)) {
	if m.clock < m.until-modelWindow {
		c := m.copy()
		c.clock++
		yield(c)
	}
	switch {
	case m.disk != nil:
		c := m.copy()
		c.store.Rollback(m.disk)
		c.store.Restart("server 2")
		c.disk = nil
		yield(c)
	case m.lost > 0:
		c := m.copy()
		c.disk, c.lost = m.store, m.lost-1 // which changes no more
		yield(c)
	}
	for i, w := range m.late {
		c := m.copy()
		c.late = slices.Delete(c.late, i, i+1)
		c.write(w)
		yield(c)
	}
	for i := range m.procs {
		m.act(i, yield)
	}
}

func (m *model) write(w store.Write) bool {
	applied, _ := m.store.Write(context.Background(), w)
	return applied
}

// act lets a process be cloned, or read the row and write it.
func (m *model) act(i int, yield func(*model)) {
	if m.cloned > 0 && m.procs[i].held {
		c := m.copy()
		c.cloned--
		h := c.procs[i].h.clone()
		clone := proc{h: &h, held: true}
		clone.h.restore()
		if m.off == forgetWrites {
			clone.h.cloned = clone.h.acked
		}
		c.procs = append(c.procs, clone)
		yield(c)
	}
	for _, answered := range []bool{true, false} {
		c := m.copy()
		before := c.procs[i].mask()
		if c.procs[i].call(c, answered) {
			c.take(c.procs[i].mask() &^ before)
			yield(c)
		}
	}
}

// take notes what was granted for the first time, and finds it was.
func (m *model) take(granted uint) {
	if m.taken&granted != 0 {
		m.wrong = errors.New("a tick is granted twice")
	}
	m.taken |= granted
}

func (p *proc) mask() (bits uint) {
	for _, s := range p.h.spans {
		for tick := s.lo; tick <= s.hi; tick++ {
			bits |= 1 << tick
		}
	}
	return bits
}

// call reads the row and writes it; false when a lost answer makes no difference,
// or there were enough.
func (p *proc) call(m *model, answered bool) bool {
	v, _ := m.store.View(context.Background(), "m", 0, 0)
	if r, other := v.Raise(m.claim().Slack); other {
		if m.off == floorAtHigh {
			r.Margin--
		}
		m.store.Raise(context.Background(), r)
		return answered
	}
	w, due := p.want(m, v)
	switch {
	case !due:
		return answered
	case answered:
		p.h.wrote(w, m.write(w), nil)
	default:
		m.late = append(m.late, w)
		m.faults--
		p.h.wrote(w, false, context.DeadlineExceeded)
	}
	p.held = p.held || len(p.h.spans) > 0
	p.blind = !p.held
	return m.faults >= 0
}

// want is what the process writes after this view.
func (p *proc) want(m *model, v store.View) (store.Write, bool) {
	if p.held || p.blind {
		p.h.see(v, nil)
		p.held = len(p.h.spans) > 0 || p.held && p.h.lost == nil
		p.blind = false
		if p.held {
			return p.h.due(v, always, false, m.claim().nonce())
		}
	}
	p.h = newHolder(m.claim())
	w, err := p.h.taking(m.claim(), v)
	return w, err == nil
}

// explore goes through all worlds that may follow from m, until one is wrong.
func explore(t *testing.T, m model) (states int, wrong error) {
	start := newModel(t, m)
	seen := map[string]bool{start.key(): true}
	for queue := []*model{start}; len(queue) > 0 && wrong == nil; queue = queue[1:] {
		queue[0].next(func(c *model) {
			wrong = cmp.Or(wrong, c.wrong)
			if k := c.key(); !seen[k] {
				seen[k] = true
				queue = append(queue, c)
			}
		})
	}
	return len(seen), wrong
}

func TestEveryScheduleOfASmallWorld(t *testing.T) {
	if testing.Short() {
		t.Skip("a search through all states of small worlds")
	}
	race.Skip(t)
	leaveGarbage(t)
	for name, m := range map[string]model{
		"a fail-over":             {until: 6, lost: 1, faults: 1},
		"a clone":                 {until: 6, cloned: 1, faults: 1},
		"a fail-over and a clone": {until: 4, lost: 1, cloned: 1, faults: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			states, wrong := explore(t, m)
			require.NoError(t, wrong)
			t.Logf("%d states, and no tick is granted twice", states)
		})
	}
}

func TestASmallWorldShowsAMissingRule(t *testing.T) {
	for _, m := range []model{
		{off: floorAtHigh, until: 6, lost: 1},
		{off: forgetWrites, until: 6, cloned: 1, faults: 1},
	} {
		states, wrong := explore(t, m)
		require.Error(t, wrong, "%s: %d states", m.off, states)
	}
}
