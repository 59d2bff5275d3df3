package uid

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/interleave"
	"github.com/ringuid/ringuid/internal/race"
)

// Every interleaving of a segment's atomic steps, in a small world: one goroutine opens
// and closes segments as the lock's holders do, others claim, and the clock goes on
// whenever it likes. The functions are compiled from their source. A tick is two moments of
// the clock and has three numbers, and numbers of ticks lie close together, so that what
// overshoots one tick would be another's.
const (
	modelTick     = 2 // moments
	modelNumbers  = 3
	modelBelow    = 2 // the bits of an id below its number
	modelEnd      = 3*modelTick - 1
	modelSegments = 3
)

// segmentWords are what the functions share. Only the lock's holder reads the first one.
var segmentWords = []string{"first", "last", "until", "next"}

// segmentModel is the functions, and two goroutines that claim.
type segmentModel struct {
	code   map[string]interleave.Code
	claims [2]string
	each   int // how many calls each of the two does
}

// segmentWorld is all that steps read and write.
type segmentWorld struct {
	clock  uint64 // begins in tick 1
	words  [4]uint64
	given  uint64 // a bit for each number
	holder segmentHolder
	calls  [2]segmentCall
	fault  string // what a step did wrong
}

// segmentHolder is who has the lock. It closes the segment, looks at the clock, gives a number, and
// opens a segment of those that are left.
type segmentHolder struct {
	interleave.Thread
	doing                  string // a function; "" when it looks at the clock
	segments, tick, latest uint64 // the tick's latest number
}

// segmentCall is a goroutine that claims a number, or a batch of two.
type segmentCall struct {
	interleave.Thread
	began        bool
	calls        int
	now, highest uint64
}

// run goes on to the next step that others see, and reports whether the function has returned.
func (m *segmentModel) run(w *segmentWorld, t *interleave.Thread, function string) (returned bool) {
	code := m.code[function]
	for !t.Run(code) {
		if code[t.PC].Word != "first" {
			return false
		}
		t.Do(code, &w.words[0])
	}
	return true
}

func (m *segmentModel) step(w *segmentWorld, t *interleave.Thread,
	function string) (returned bool) {
	code := m.code[function]
	t.Do(code, &w.words[slices.Index(segmentWords, code[t.PC].Word)])
	return m.run(w, t, function)
}

// give hands a number to a call whose clock showed now, and may show more by now.
func (w *segmentWorld) give(v, now uint64) {
	switch {
	case v > modelEnd*modelNumbers:
		w.fault = "a number that is none"
	case w.given&(1<<v) != 0:
		w.fault = "a number twice"
	case v/modelNumbers < now/modelTick || v/modelNumbers > w.clock/modelTick:
		w.fault = "a number of a tick that the clock did not show during the call"
	}
	w.given |= 1 << (v & 63)
}

// hold does the next step of the holder. False when it is done.
func (m *segmentModel) hold(w *segmentWorld) bool {
	h := &w.holder
	if h.segments == modelSegments {
		return false
	}
	if h.doing == "" {
		m.look(w)
		return true
	}
	if !m.step(w, &h.Thread, h.doing) {
		return true
	}
	if h.doing == "open" {
		m.nextSegment(w)
		return true
	}
	h.latest += h.Result(0)
	switch {
	case w.given>>(h.latest+1) != 0:
		w.fault = "more numbers were given than close says"
	case h.latest >= (h.tick+1)*modelNumbers:
		w.fault = "close says that more numbers were given than there were"
	}
	h.doing = ""
	return true
}

// nextSegment begins with the end of the one before.
func (m *segmentModel) nextSegment(w *segmentWorld) {
	w.holder.segments++
	w.holder.doing = "close"
	w.holder.Begin()
	m.run(w, &w.holder.Thread, "close")
}

// look is what a call does that finds no segment, between close and open.
func (m *segmentModel) look(w *segmentWorld) {
	h, tick := &w.holder, w.clock/modelTick
	last := tick*modelNumbers + modelNumbers - 1
	if tick > h.tick {
		h.tick, h.latest = tick, tick*modelNumbers-1
	}
	if h.latest < last {
		h.latest++
		w.give(h.latest, w.clock)
	}
	if h.latest == last { // nothing is left: no segment
		m.nextSegment(w)
		return
	}
	h.doing = "open"
	h.Begin((h.latest+1)<<modelBelow|1, last-h.latest, (tick+1)*modelTick)
	m.run(w, &h.Thread, "open")
}

// claim does the next step of a call.
func (m *segmentModel) claim(w *segmentWorld, i int) bool {
	c := &w.calls[i]
	returned := false
	switch {
	case c.calls == m.each:
		return false
	case !c.began:
		c.began, c.now = true, w.clock
		c.Begin(c.now, 2)
		returned = m.run(w, &c.Thread, m.claims[i])
	default:
		returned = m.step(w, &c.Thread, m.claims[i])
	}
	if !returned {
		return true
	}
	first, n := c.Result(0), c.Result(1)
	switch {
	case m.claims[i] == "claimUpTo" && c.Result(2) == 0:
		n = 0
	case m.claims[i] == "claim" && first <= n: // n is the tick's last number
		n = 1
	case m.claims[i] == "claim":
		n = 0
	}
	if n > 2 || n > 0 && first <= c.highest {
		w.fault = "more numbers than asked for, or smaller ones than before"
	}
	for v := first; v < first+min(n, 2); v++ {
		w.give(v, c.now)
		c.highest = v
	}
	c.calls++
	c.began = false
	return true
}

func (m *segmentModel) hash(w *segmentWorld) (h interleave.Hash) {
	for _, v := range [...]uint64{w.clock, w.words[0], w.words[1], w.words[2], w.words[3], w.given,
		w.holder.segments, w.holder.tick, w.holder.latest, uint64(len(w.holder.doing))} {
		h.Mix(v)
	}
	if w.holder.doing != "" {
		h.MixThread(&w.holder.Thread, m.code[w.holder.doing])
	}
	for i := range w.calls {
		c := &w.calls[i]
		h.Mix(c.highest<<32 | uint64(c.calls))
		if c.began {
			h.Mix(1 + c.now)
			h.MixThread(&c.Thread, m.code[m.claims[i]])
		}
	}
	return h
}

// explore goes through all interleavings and returns the first fault.
func (m *segmentModel) explore() (fault string, states int) {
	start := segmentWorld{clock: modelTick, words: [4]uint64{3: above}}
	m.nextSegment(&start)
	start.holder.segments = 0
	seen := map[interleave.Hash]bool{m.hash(&start): true}
	for todo := []segmentWorld{start}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for actor := range 4 {
			w := at
			stepped := false
			switch actor {
			case 0:
				stepped = m.hold(&w)
			case 1, 2:
				stepped = m.claim(&w, actor-1)
			default:
				if stepped = w.clock < modelEnd; stepped {
					w.clock++
				}
			}
			if w.fault == "" && w.words[2] != 0 && w.words[3] >= above {
				w.fault = "calls are let in between segments"
			}
			if w.fault != "" {
				return w.fault, len(seen)
			}
			if h := m.hash(&w); stepped && !seen[h] {
				seen[h] = true
				todo = append(todo, w)
			}
		}
	}
	return "", len(seen)
}

// exploreSegments does so with the source of the segments, after a mutation, if any.
func exploreSegments(t *testing.T, each int, claims [2]string, mutation ...string) (fault string) {
	source, err := interleave.Read([]string{"default_segment.go"}, mutation...)
	require.NoError(t, err)
	m := &segmentModel{code: map[string]interleave.Code{}, claims: claims, each: each}
	for _, name := range []string{"close", "open", "claim", "claimUpTo"} {
		m.code[name] = source.Compile(name, interleave.Object{Name: "t", Consts: map[string]uint64{
			"above": above, "t.below": modelBelow, "true": 1, "false": 0}})
	}
	fault, states := m.explore()
	t.Logf("%d states: %s", states, fault)
	return fault
}

func TestEveryInterleavingOfASegment(t *testing.T) {
	race.Skip(t)
	for _, claims := range [][2]string{{"claim", "claim"}, {"claim", "claimUpTo"},
		{"claimUpTo", "claimUpTo"}} {
		assert.Empty(t, exploreSegments(t, 2, claims))
	}
}

// A model that did not find these would prove nothing.
func TestTheModelOfASegmentFindsMutants(t *testing.T) {
	race.Skip(t)
	for _, m := range []struct{ name, old, new string }{
		{"last is read after the add", `	last = t.last.Load()
	if int64(now) >= t.until.Load() {
		return above, 0
	}
	return t.next.Add(1) - 1, last
`, `	if int64(now) >= t.until.Load() {
		return above, 0
	}
	v = t.next.Add(1) - 1
	return v, t.last.Load()
`},
		{"a batch does not look whether it is late", `	if int64(now) >= t.until.Load() {
		return 0, 0, false
`, `	if false {
		return 0, 0, false
`},
		{"a call may be late", `	if int64(now) >= t.until.Load() {
		return above, 0
`, `	if int64(now) > t.until.Load() {
		return above, 0
`},
		{"close leaves until", "t.until.Swap(0) != 0", "t.until.Load() != 0"},
		{"close leaves next", "t.upTo(t.next.Swap(above))", "t.upTo(t.next.Load())"},
		{"close counts what overshot", "min(next, t.last.Load()+1)", "(next)"},
		{"open stores until before next", `	t.next.Store(t.first)
	t.until.Store(int64(until))
`, `	t.until.Store(int64(until))
	t.next.Store(t.first)
`},
		{"a segment has a number more than its tick", "uint64(n) - 1)", "uint64(n))"},
		{"a batch is not compared with last", "		if v > last {", "		if false {"},
		{"a batch swaps whatever next is", "		if t.next.CompareAndSwap(v, v+uint64(n)) {",
			"		if t.next.Swap(v + uint64(n)); true {"},
		{"a batch takes one more than is left", "last-v+1))", "last-v+2))"},
	} {
		t.Run(m.name, func(t *testing.T) {
			assert.NotEmpty(t, exploreSegments(t, 1, [2]string{"claim", "claimUpTo"}, m.old, m.new))
		})
	}
}
