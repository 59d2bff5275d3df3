package uid

import (
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/interleave"
	"github.com/ringuid/ringuid/internal/race"
)

// Every interleaving of takes, a stream, the padder, a restore and Close, in a small world. The
// term is compiled from its source. The ring is what package ringbuffer proves of it: a queue, of
// which a take is one step. What combines the two is mirrored here, in the order of its source,
// without errors, waiting, RejectPut and statistics; the padder fills the ring whenever it likes.
// by is the lease of an id that was made, 0 for the ring's. A tick is two moments of the clock;
// mono is one ahead, so that segments end within ticks.
const presentMirror = `package uid

func (m *mint) get() (first, n, by uint64) { // GetUID, takeSlow
	got := m.take.Swap(1)
	if got != 0 {
		return got, 1, 0
	}
	now := m.mono.Load()
	cur := m.cur.Load()
	v, last := cur.claim(now)
	if v <= last {
		return v, 1, cur.lease
	}
	return m.refused(1, 1)
}

func (m *mint) batch() (first, n, by uint64) { return m.takeSpan(2, 2) } // span

func (m *mint) stream() (first, n, by uint64) { // Stream.GetUID, refill
	first = m.held
	stale := m.stale.Load()
	m.held = 0
	if first > stale {
		return first, 1, 0
	}
	first, n, by = m.takeSpan(2, 1)
	if n == 2 {
		m.held = first + 1
	}
	return first, min(n, 1), by
}

func (m *mint) takeSpan(limit, made uint64) (first, n, by uint64) {
	first, n, by = m.trySpan(limit, made)
	if n == 0 {
		return m.refused(limit, made)
	}
	return first, n, by
}

func (m *mint) trySpan(limit, made uint64) (first, n, by uint64) { // and claim
	got := m.take.Swap(limit)
	if got != 0 {
		return got & 31, 1 + got>>5, 0
	}
	now := m.mono.Load()
	cur := m.cur.Load()
	v, n, ok := cur.claimUpTo(now, made)
	if ok {
		return v, n, cur.lease
	}
	return 0, 0, 0
}

func (m *mint) refused(limit, made uint64) (first, n, by uint64) { // await, try
	for {
		m.mu.Swap(1)
		if m.life.Load() == 1 {
			m.mu.Store(0)
			return 0, 0, 0
		}
		first, n, by = m.make(limit, made)
		m.mu.Store(0)
		if n > 0 {
			return first, n, by
		}
	}
}

func (m *mint) make(limit, made uint64) (first, n, by uint64) {
	first, n, by = m.trySpan(limit, made)
	if n > 0 {
		return first, n, by
	}
	at := m.mono.Load()
	m.stop()
	if m.calm > 1 { // count
		m.calm = m.calm - 1
	}
	if m.Refill(m.calm == 1) > 0 {
		first, n, by = m.trySpan(limit, made)
		if n > 0 {
			return first, n, by
		}
	}
	tick := m.now >> 1
	if m.supply(tick) == 0 && m.n == 0 {
		return 0, 0, 0
	}
	first = m.from
	n = min(made, m.n)
	m.use(n)
	if m.n > 0 {
		until := (at>>1 + 1) << 1
		if m.tick == tick {
			until = min(until, at + (tick+1)<<1 - m.now)
		}
		cur := m.cur.Load()
		cur.open(m.from, m.n, until)
	}
	return first, n, m.lease
}

func (m *mint) stop() {
	cur := m.cur.Load()
	n := cur.close()
	m.use(n)
}

func (m *mint) use(n uint64) {
	m.from = m.from + n
	m.n = m.n - n
}

func (m *mint) drop() { m.refill(0) }
func (m *mint) fill() { m.refill(1) }

func (m *mint) refill(fills uint64) { // the padder's
	m.mu.Swap(1)
	if m.life.Load() == 0 {
		m.Refill(fills)
	}
	m.mu.Store(0)
}

func (m *mint) Refill(fills uint64) (put uint64) {
	m.stop()
	m.now = m.clock.Load()
	m.expire()
	if fills == 0 {
		return 0
	}
	for { // fill
		if m.used.Load() == slots || m.supply(m.now>>1) == 0 && m.n == 0 {
			return put
		}
		put += m.putLeftover()
	}
}

func (m *mint) supply(oldest uint64) (ok uint64) {
	if m.n > 0 && m.tick >= oldest {
		return 1
	}
	tick, ok := m.next()
	if ok {
		m.minted = tick
		m.tick = tick
		m.from = tick * numbers
		m.n = numbers
	}
	return ok
}

func (m *mint) next() (tick, ok uint64) {
	tick = max(max(m.minted+1, m.now>>1), m.lo)
	return tick, tick <= m.hi
}

func (m *mint) putLeftover() (put uint64) {
	for {
		if put == m.n || m.put.Swap(m.from + put) == 0 {
			m.oldest = min(m.oldest, m.tick)
			m.use(put)
			return put
		}
		put += 1
	}
}

func (m *mint) expire() {
	before := m.now >> 1
	if m.oldest >= before {
		return
	}
	_, ok := m.next()
	if ok == 0 {
		return
	}
	m.Drop(before*numbers - 1)
	m.oldest = before
	if m.minted < before {
		m.oldest = none
	}
}

func (m *mint) Drop(number uint64) { // the ring's
	number = min(number, m.highest)
	m.stale.Store(max(number, m.stale.Load()))
	for {
		if m.remove.Swap(number) == 0 {
			return
		}
	}
}

func (m *mint) restore() { m.change(1, 1) } // AfterRestore
func (m *mint) replace() { m.change(0, 1) } // reacquire

func (m *mint) change(drop, do uint64) {
	m.mu.Swap(1)
	m.stop()
	m.n = 0
	if do { // another lease, or this one, which begins above what it granted
		m.lease = m.lease + 1
		m.lo = m.hi + 1
		m.hi = m.hi + 1
	}
	m.terms = m.terms + 1 // newTerm
	cur := m.terms
	cur.lease = m.lease
	m.cur.Store(cur)
	if drop {
		m.Drop(none)
	}
	m.mu.Store(0)
}

func (m *mint) Close() {
	m.life.Store(1)
	m.change(1, 0) // flush
}
`

// presentWords are those that the mirror shares, but for the ring. mu is 1 + who has the lock. At
// calm-1 takes from now it pays to fill the ring; 0: never.
type presentWords struct {
	clock, life, mu, cur, stale, held, calm, minted, lo, hi, oldest, highest, terms, lease, n, tick,
	from, now uint64
}

type presentTerm struct{ first, last, until, next, lease uint64 }

// presentWorld is all that steps read and write. A set of numbers has a bit for each.
type presentWorld struct {
	presentWords
	term     [3]presentTerm
	ring     uint32
	ticks    uint32    // all numbers that were minted
	gone     uint32    // those that were given, taken, or lost by a rule
	given    uint32    // those that calls returned
	flushed  uint32    // not to be given to calls that begin now
	leases   [8]uint64 // of ticks
	released bool
	actors   [4]presentActor
	fault    string // what a step did wrong
}

type presentActor struct {
	interleave.Thread
	call    int // of its program
	began   bool
	barred  uint32 // what was flushed when the call began
	oldest  uint64 // tick that it may make an id of
	highest uint64 // number that it was given
}

// presentScenario is a program of calls for each actor, and the bounds of its world.
type presentScenario struct {
	programs             string
	numbers, slots       uint64 // of a tick, of the ring
	end, granted, bursts uint64 // the last moment and tick, and the most that calm begins with
}

type presentModel struct {
	presentScenario
	programs [][]string
	code     map[string]interleave.Code
	offsets  map[string]uintptr // of words, and of a term's
	seen     map[interleave.Hash]struct{}
}

func (w *presentWorld) failIf(wrong bool, what string) {
	if wrong && w.fault == "" {
		w.fault = what
	}
}

// apart reports whether no other actor can tell when a step is done.
func (m *presentModel) apart(w *presentWorld, i int, s *interleave.Step) bool {
	holds := w.mu == uint64(i+1)
	switch s.Word {
	case "put", "next":
		return false
	case "take", "used":
		return holds && w.ring == 0
	case "remove":
		return uint64(bits.TrailingZeros32(w.ring)) > w.actors[i].Regs[s.A]
	case "mono", "clock":
		return w.clock == m.end
	case "life":
		return !strings.Contains(m.presentScenario.programs, "Close")
	case "mu":
		return s.Op == interleave.Store
	case "last", "cur", "stale":
		return holds && s.Op == interleave.Load
	case "until":
		return holds && (s.Op == interleave.Load || s.Op == interleave.Swap && w.term[w.cur].until == 0)
	}
	return true
}

// do does the step that an actor is at.
func (m *presentModel) do(w *presentWorld, i int, code interleave.Code) {
	a := &w.actors[i]
	s, word := &code[a.PC], new(uint64)
	arg, front := a.Regs[s.A], uint64(bits.TrailingZeros32(w.ring))
	switch {
	case s.Word == "mono":
		*word = w.clock + 1
	case s.Word == "used":
		*word = uint64(bits.OnesCount32(w.ring))
	case s.Word == "take" && w.ring != 0 || s.Word == "remove" && front <= min(arg, 31):
		*word = w.remove(front, s.Word == "take" && arg == 2 && (front+1)%m.numbers != 0)
	case s.Word == "put" && bits.OnesCount32(w.ring) < int(m.slots):
		w.failIf((w.gone|w.ring)>>arg != 0, "put below what was put or given")
		w.ring |= 1 << arg
		w.highest, *word = arg, 1
	case s.Slot > 0:
		word = (*uint64)(unsafe.Add(unsafe.Pointer(&w.term[a.Regs[s.Slot]]), m.offsets["t."+s.Word]))
	case s.Word != "take" && s.Word != "remove" && s.Word != "put":
		word = (*uint64)(unsafe.Add(unsafe.Pointer(&w.presentWords), m.offsets[s.Word]))
	}
	a.Do(code, word)
	switch {
	case s.Word == "mu" && arg == 1:
		w.mu = uint64(i + 1)
	case s.Word == "next" && s.Op == interleave.Add && *word < 32: // even if it is late, see term
		w.gone |= w.ticks & (1 << (*word - 1))
	case s.Word == "terms" && s.Op == interleave.Store: // whoever changes forgets the leftover
		w.gone |= w.ticks &^ w.ring
	case s.Word == "minted" && s.Op == interleave.Store:
		w.failIf(w.released || w.ticks>>(arg*m.numbers) != 0, "minted after Close, or again")
		w.ticks |= uint32(1<<m.numbers-1) << (arg * m.numbers)
		w.leases[arg] = w.lease
		w.gone |= uint32(1<<w.n-1) << w.from // what is left of an older tick
	}
}

// remove removes a number from the ring, or two, and returns it as trySpan reads it.
func (w *presentWorld) remove(v uint64, two bool) uint64 {
	w.failIf(w.released, "the ring has ids after Close")
	set, n := uint32(1)<<v, uint64(0)
	if two && w.ring&(set<<1) != 0 {
		set, n = set*3, 1
	}
	w.ring, w.gone = w.ring&^set, w.gone|set
	return v | n<<5
}

// step lets an actor, if it can, do its next step after some moments, and all that nobody can see.
func (m *presentModel) step(w *presentWorld, i int, moments uint64) (ok bool) {
	a := &w.actors[i]
	if a.call == len(m.programs[i]) {
		return false
	}
	code := m.code[m.programs[i][a.call]]
	word := code[a.PC].Word
	if word == "mu" && w.mu != 0 || moments > 0 && a.began && word != "mono" && word != "clock" {
		return false
	}
	w.clock += moments
	if !a.began {
		a.began, a.barred, a.oldest = true, w.flushed, w.clock>>1
		if max(w.minted+1, a.oldest, w.lo) > w.hi {
			a.oldest = 0 // none newer may be minted
		}
	}
	m.do(w, i, code)
	for !a.Run(code) {
		if !m.apart(w, i, &code[a.PC]) {
			return true
		}
		m.do(w, i, code)
	}
	m.returned(w, a, m.programs[i][a.call])
	m.begin(w, i, a.call+1)
	return true
}

// begin goes to the first step of a call.
func (m *presentModel) begin(w *presentWorld, i, call int) {
	a := &w.actors[i]
	*a = presentActor{call: call, highest: a.highest}
	if call < len(m.programs[i]) {
		a.Run(m.code[m.programs[i][call]])
	}
}

func (m *presentModel) returned(w *presentWorld, a *presentActor, call string) {
	switch call {
	case "restore":
		w.flushed = w.ticks
	case "Close":
		w.flushed, w.released = ^uint32(0), true
	case "get", "batch", "stream":
		by := a.Result(2)
		w.failIf(a.Result(1) > 2, "more numbers than were asked for")
		for v := a.Result(0); v < a.Result(0)+min(a.Result(1), 2); v++ {
			set, tick := uint32(1)<<v, v/m.numbers
			w.failIf(w.ticks&set == 0, "a number that was not minted")
			w.failIf(w.given&set != 0, "a number twice")
			w.failIf(v <= a.highest, "a number below one that was given before")
			w.failIf(a.barred&set != 0, "a number of before a flush, or after Close")
			w.failIf(by > 0 && w.released, "a number that was made after Close")
			w.failIf(by > 0 && (by != w.lease || by != w.leases[tick%8]), "a number of another lease")
			w.failIf(by > 0 && tick < a.oldest, "a number of a tick that ended before the call")
			w.given, w.gone, a.highest = w.given|set, w.gone|set, v
		}
	}
}

// hash leaves out what is not read before it is written.
func (m *presentModel) hash(w *presentWorld) (h interleave.Hash) {
	words := (*[unsafe.Sizeof(presentWords{}) / 8]uint64)(unsafe.Pointer(&w.presentWords))[:]
	if w.mu == 0 && w.n == 0 {
		words = words[:len(words)-3]
	} else if w.mu == 0 {
		words = words[:len(words)-1]
	}
	for _, v := range words {
		h.Mix(v)
	}
	for _, t := range w.term {
		if t.until == 0 && t.next >= above {
			t = presentTerm{lease: t.lease}
		}
		for _, v := range [...]uint64{t.first, t.last, t.until, t.next, t.lease} {
			h.Mix(v)
		}
	}
	h.Mix(uint64(w.ring)<<32 | uint64(w.ticks))
	h.Mix(uint64(w.gone)<<32 | uint64(w.given))
	h.Mix(uint64(w.flushed))
	var sum interleave.Hash // actors with the same program may change places
	for i, p := range m.programs {
		a, holds, one := &w.actors[i], w.mu == uint64(i+1), interleave.Hash{uint64(len(p[0])), 0}
		one.Mix(uint64(a.barred)<<32 | a.highest<<16 | a.oldest<<8 | uint64(a.call))
		if a.call < len(p) && (a.began || holds) {
			one.Mix(1 + w.mu/uint64(i+1))
			one.MixThread(&a.Thread, m.code[p[a.call]])
		}
		sum[0], sum[1] = sum[0]+one[0], sum[1]+one[1]
	}
	h.Mix(sum[0])
	h.Mix(sum[1])
	return h
}

// visit goes on from a state in all ways, and returns the steps to the first fault.
func (m *presentModel) visit(w *presentWorld) (steps []string) {
	left := uint32(1<<w.n-1)<<w.from | 1<<w.held
	w.failIf(w.mu == 0 && w.ticks&^(w.ring|w.gone|left) != 0, "a number is lost")
	for _, t := range w.term {
		w.failIf(t.until != 0 && w.ring != 0, "a segment runs, and the ring has ids")
	}
	if w.fault != "" {
		return []string{w.fault}
	}
	h := m.hash(w)
	if _, ok := m.seen[h]; ok {
		return nil
	}
	m.seen[h] = struct{}{}
	next := new(presentWorld)
	for i := range m.programs {
		for moments := range m.end - w.clock + 1 {
			*next = *w
			if !m.step(next, i, moments) {
				break
			}
			if steps := m.visit(next); steps != nil {
				a, call := &w.actors[i], m.programs[i][w.actors[i].call]
				s := m.code[call][a.PC]
				return append(steps, fmt.Sprintf("%d: %s: %s.%s(%d) at %d", i, call, s.Word,
					interleave.Operations[s.Op], a.Regs[s.A], next.clock))
			}
		}
	}
	return nil
}

// explore returns the first fault of a scenario, after a mutation, if any.
func (s presentScenario) explore(t *testing.T, mutation ...string) (fault string) {
	mirror := filepath.Join(t.TempDir(), "mirror.go")
	require.NoError(t, os.WriteFile(mirror, []byte(presentMirror), 0o600))
	source, err := interleave.Read([]string{"default_segment.go", mirror}, mutation...)
	require.NoError(t, err)
	m := presentModel{s, nil, map[string]interleave.Code{}, map[string]uintptr{},
		map[interleave.Hash]struct{}{}}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[presentWords]()) {
		m.offsets[f.Name] = f.Offset
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[presentTerm]()) {
		m.offsets["t."+f.Name] = f.Offset
	}
	for p := range strings.SplitSeq(s.programs, "|") {
		m.programs = append(m.programs, strings.Fields(p))
		for _, call := range strings.Fields(p) {
			m.code[call] = source.Compile(call, interleave.Object{Name: "m", Consts: map[string]uint64{
				"above": above, "t.below": 0, "true": 1, "false": 0, "none": 31, "numbers": s.numbers,
				"slots": s.slots}})
		}
	}
	for calm := range s.bursts + 1 {
		w := presentWorld{presentWords: presentWords{clock: 2, oldest: 31, lease: 1, calm: calm,
			hi: s.granted}}
		w.term[0].lease = 1
		for i := range m.programs {
			m.begin(&w, i, 0)
		}
		if steps := m.visit(&w); steps != nil {
			slices.Reverse(steps)
			t.Logf("%s\n%s", s.programs, strings.Join(steps, "\n"))
			return steps[len(steps)-1]
		}
	}
	t.Logf("%s: %d states", s.programs, len(m.seen))
	return ""
}

var presentScenarios = []presentScenario{
	{"get get|get get|Close", 2, 2, 4, 2, 2},
	{"get get|fill fill|Close", 3, 2, 4, 2, 2},
	{"get get|get get|fill drop", 2, 3, 4, 3, 2},
	{"get|stream stream|fill restore", 3, 2, 4, 2, 1},
	{"get|stream stream|fill Close", 3, 2, 4, 2, 1},
	{"get|batch batch|fill replace", 3, 2, 4, 2, 2},
}

func TestEveryInterleavingOfTakesAndFills(t *testing.T) {
	race.Skip(t)
	for _, s := range presentScenarios {
		assert.Empty(t, s.explore(t))
	}
}

// A model that did not find these would prove nothing.
func TestTheModelOfTakesAndFillsFindsMutants(t *testing.T) {
	race.Skip(t)
	for _, m := range []struct {
		scenario       int
		name, old, new string
	}{
		{1, "a put without closing the segment", `	m.stop()
	m.now = m.clock.Load()
`, `	m.now = m.clock.Load()
`},
		{0, "a segment is opened while the ring has ids", `		first, n, by = m.trySpan(limit, made)
		if n > 0 {
			return first, n, by
		}
	}
`, `	}
`},
		{0, "stop does not advance the leftover", `	n := cur.close()
	m.use(n)
`, `	n := cur.close()
	m.use(n - n)
`},
		{3, "the term stays", "	m.cur.Store(cur)\n", ""},
		{0, "the segment stays", `	m.stop()
	m.n = 0
`, `	m.n = 0
`},
		{3, "the leftover stays", `	m.stop()
	m.n = 0
`, `	m.stop()
`},
		{0, "the ring stays", "		m.Drop(none)\n", ""},
		{0, "make does not look at life", "		if m.life.Load() == 1 {", "		if false {"},
		{1, "the padder does not look at life", "	if m.life.Load() == 0 {", "	if true {"},
		{0, "life ends after the flush", `	m.life.Store(1)
	m.change(1, 0) // flush
`, `	m.change(1, 0)
	m.life.Store(1)
`},
		{3, "a stream takes two of a segment", "m.takeSpan(2, 1)", "m.takeSpan(2, 2)"},
		{3, "a stream does not look whether ids are stale", "first > stale", "first > 0"},
		{0, "the rest is replaced before it is known that it may be", `	tick, ok := m.next()
	if ok {
`, `	m.n = 0
	tick, ok := m.next()
	if ok {
`},
		{0, "the rest of an older tick is served", "m.n > 0 && m.tick >= oldest", "m.n > 0"},
		{0, "the clock is read before mono", `			until = min(until, at + (tick+1)<<1 - m.now)
`, `			at = m.mono.Load()
			until = min((at>>1 + 1) << 1, at + (tick+1)<<1 - m.now)
`},
		{0, "a segment outlives its tick", `			until = min(until, at + (tick+1)<<1 - m.now)
`, ""},
		{0, "last is read after the add", `	last = t.last.Load()
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
		{0, "close leaves until", "t.until.Swap(0) != 0", "t.until.Load() != 0"},
		{0, "close leaves next", "t.upTo(t.next.Swap(above))", "t.upTo(t.next.Load())"},
		{0, "a batch does not look whether it is late", `	if int64(now) >= t.until.Load() {
		return 0, 0, false
`, `	if false {
		return 0, 0, false
`},
		{0, "a call may be late", `	if int64(now) >= t.until.Load() {
		return above, 0
`, `	if int64(now) > t.until.Load() {
		return above, 0
`},
		{0, "close counts what overshot", "min(next, t.last.Load()+1)", "(next)"},
		{0, "open stores until before next", `	t.next.Store(t.first)
	t.until.Store(int64(until))
`, `	t.until.Store(int64(until))
	t.next.Store(t.first)
`},
		{0, "a segment has a number more than its tick", "uint64(n) - 1)", "uint64(n))"},
		{0, "a batch is not compared with last", "		if v > last {", "		if false {"},
		{0, "a batch swaps whatever next is", "		if t.next.CompareAndSwap(v, v+uint64(n)) {",
			"		if t.next.Swap(v + uint64(n)); true {"},
		{5, "a batch takes one more than is left", "last-v+1))", "last-v+2))"},
	} {
		t.Run(m.name, func(t *testing.T) {
			assert.NotEmpty(t, presentScenarios[m.scenario].explore(t, m.old, m.new))
		})
	}
}
