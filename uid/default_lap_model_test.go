package uid

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/internal/race"
)

// Every interleaving of a lap's atomic steps, in a small world: one goroutine opens
// and closes laps as the lock's holders do, others claim, and the clock goes on
// whenever it likes. A tick is two moments of the clock and has three numbers, and
// numbers of ticks lie close together, so that what overshoots one tick would be
// another's.
const (
	modelTick    = 2 // moments
	modelNumbers = 3
	modelEnd     = 3 // of the clock
	modelAbove   = 99
	modelLaps    = 3
)

// lapWorld is all that steps read and write.
type lapWorld struct {
	clock             int8
	last, until, next int8
	given             uint32 // a bit for each number
	holder            lapHolder
	calls             [2]lapCall
	fault             string // what a step did wrong
}

// lapHolder is who has the lock: where it is in its program, and what it knows.
type lapHolder struct {
	step, laps          int8
	tick, latest, first int8 // the tick, its latest number, the first of the lap
	seen                int8
}

// lapCall is a goroutine that claims.
type lapCall struct {
	step, claims          int8 // how many it has left to do
	now, last, v, highest int8
}

// lapMutant is what is wrong with a protocol.
type lapMutant struct {
	name string

	lastAfterAdd bool // last is read when the number is there
	staysOpen    bool // close leaves until as it is
	opensEarly   bool // open stores until before next
	noSwap       bool // close reads next, and leaves it
	unchecked    bool // a number is not compared with last
	blindSwap    bool // a batch does not look whether next is what it compared with last
	farther      bool // a lap is longer than its tick
}

func (w *lapWorld) number(tick, i int8) int8 { return tick*modelNumbers + i }

// give hands a number to a call whose clock showed now, and may show more by now.
func (w *lapWorld) give(v, now int8, n *lapCall) {
	switch {
	case v >= modelAbove || v < 0:
		w.fault = "a number that is none"
	case w.given&(1<<v) != 0:
		w.fault = "a number twice"
	case v/modelNumbers < now/modelTick || v/modelNumbers > w.clock/modelTick:
		w.fault = "a number of a tick that the clock did not show during the call"
	case n != nil && v <= n.highest:
		w.fault = "a smaller number than before"
	}
	w.given |= 1 << (v & 31)
	if n != nil {
		n.highest = v
	}
}

// advance does the next step of the holder: close, look at the clock, give a number,
// open. False when it is done.
func (w *lapWorld) advance(m lapMutant) bool {
	h := &w.holder
	if h.laps == modelLaps {
		return false
	}
	switch {
	case h.step == 0:
		if !m.staysOpen {
			w.until = 0
		}
	case h.step == 1:
		next := w.next
		if !m.noSwap {
			w.next = modelAbove
		}
		if h.first >= 0 {
			h.latest = max(h.latest, min(next-1, w.last))
		}
	case h.step == 2:
		h.seen = w.clock
		tick := h.seen / modelTick
		switch {
		case tick > h.tick:
			h.tick, h.latest = tick, w.number(tick, 0)
			w.give(h.latest, h.seen, nil)
		case h.latest < w.number(tick, modelNumbers-1):
			h.latest++
			w.give(h.latest, h.seen, nil)
		}
		if h.first = h.latest + 1; h.first > w.number(h.tick, modelNumbers-1) {
			h.first, h.step = -1, -1 // nothing is left: no lap
			h.laps++
		}
	case h.step == 3:
		w.last = w.number(h.tick, modelNumbers-1)
	case h.step == 4 && !m.opensEarly, h.step == 5 && m.opensEarly:
		w.next = h.first
	default:
		w.until = (h.tick + 1) * modelTick
		if m.farther {
			w.until++
		}
	}
	if h.step == 5 {
		h.step = -1
		h.laps++
	}
	h.step++
	return true
}

// claim does the next step of a call, which takes a number, or a batch of two.
func (w *lapWorld) claim(c *lapCall, batch bool, m lapMutant) bool {
	if c.claims == 0 {
		return false
	}
	switch c.step {
	case 0:
		c.now = w.clock
	case 1:
		c.last = w.last
	case 2:
		switch {
		case c.now >= w.until:
			c.end()
			return true
		case w.next >= modelAbove:
			w.fault = "a call was let in between laps"
		}
	case 3:
		c.v = w.next
		if batch {
			if c.v > c.last && !m.unchecked {
				c.end()
				return true
			}
			break
		}
		w.next++
		if !m.lastAfterAdd {
			w.take(c, 1, m)
			return true
		}
	case 4:
		switch {
		case !batch:
			c.last = w.last
			w.take(c, 1, m)
		case w.next != c.v && !m.blindSwap:
			c.step = 3
		default:
			n := min(2, c.last-c.v+1)
			w.next = c.v + n
			w.take(c, n, m)
		}
		return true
	}
	c.step++
	return true
}

func (w *lapWorld) take(c *lapCall, n int8, m lapMutant) {
	for v := c.v; v < c.v+n && (v <= c.last || m.unchecked); v++ {
		w.give(v, c.now, c)
	}
	c.end()
}

func (c *lapCall) end() { *c = lapCall{claims: c.claims - 1, highest: c.highest} }

// explore goes through all interleavings and returns the first fault.
func (m lapMutant) explore() (fault string, states int) {
	start := lapWorld{next: modelAbove}
	start.holder.first, start.holder.tick, start.holder.latest = -1, -1, -1
	start.calls = [2]lapCall{{claims: 1, highest: -1}, {claims: 1, highest: -1}}
	seen := map[lapWorld]bool{start: true}
	for todo := []lapWorld{start}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for actor := range 4 {
			w := at
			stepped := false
			switch actor {
			case 0:
				stepped = w.advance(m)
			case 1, 2:
				stepped = w.claim(&w.calls[actor-1], actor == 2, m)
			default:
				if stepped = w.clock < modelEnd; stepped {
					w.clock++
				}
			}
			if w.fault != "" {
				return w.fault, len(seen)
			}
			if stepped && !seen[w] {
				seen[w] = true
				todo = append(todo, w)
			}
		}
	}
	return "", len(seen)
}

func TestEveryInterleavingOfALap(t *testing.T) {
	race.Skip(t)
	fault, states := lapMutant{}.explore()
	assert.Empty(t, fault)
	t.Logf("%d states", states)
	for _, m := range []lapMutant{
		{name: "last is read after the add", lastAfterAdd: true},
		{name: "close leaves until", staysOpen: true},
		{name: "open stores until before next", opensEarly: true},
		{name: "close leaves next", noSwap: true},
		{name: "numbers are not compared with last", unchecked: true},
		{name: "a lap is longer than its tick", farther: true},
		{name: "a batch swaps whatever next is", blindSwap: true},
	} {
		fault, states := m.explore()
		assert.NotEmpty(t, fault, m.name)
		t.Logf("%s: %s, found after %d states", m.name, fault, states)
	}
}
