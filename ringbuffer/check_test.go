package ringbuffer

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/interleave"
	"github.com/ringuid/ringuid/internal/race"
)

// scenarios are small enough for every interleaving of their atomic steps.
var scenarios = []scenario{
	{"one number", 1, 1, [][]operation{
		{put(1, 1), put(2, 1), put(3, 1)}, {take(2)}, {take(1)},
	}},
	{"two numbers", 1, 2, [][]operation{
		{put(1, 2), put(3, 2)}, {take(2)}, {take(2)},
	}},
	{"three takers", 1, 1, [][]operation{
		{put(1, 1), put(2, 1)}, {take(1)}, {take(1)}, {take(1)},
	}},
	{"two slots", 2, 1, [][]operation{
		{put(1, 1), put(2, 1), put(3, 1), put(4, 1)}, {take(2)}, {take(1)},
	}},
	{"three laps", 2, 1, [][]operation{
		{put(1, 1), put(2, 1), drop(1), put(3, 1), drop(2), put(4, 1), drop(3), put(5, 1)}, {take(2)},
	}},
	{"four laps", 1, 1, [][]operation{
		{put(1, 1), put(2, 1), put(3, 1), put(4, 1)}, {take(3)}, {takeSpan(1)},
	}},
	{"spans", 1, 2, [][]operation{
		{put(1, 2), put(3, 2), put(5, 1)}, {takeSpan(3)}, {take(2)},
	}},
	{"spans alone", 2, 2, [][]operation{
		{put(1, 2), put(3, 1), put(4, 2)}, {takeSpan(3)}, {takeSpan(2)},
	}},
	{"flush", 1, 2, [][]operation{
		{put(1, 2), drop(maxNumbers), put(3, 2)}, {take(2)}, {takeSpan(2)},
	}},
	{"flush of two slots", 2, 1, [][]operation{
		{put(1, 1), put(2, 1), drop(maxNumbers), put(3, 1)}, {take(1)}, {take(1)},
	}},
	{"drop", 2, 1, [][]operation{
		{put(1, 1), put(2, 1), drop(1), put(3, 1)}, {take(1)}, {takeSpan(1)},
	}},
	{"a part dropped", 1, 2, [][]operation{
		{put(1, 2), drop(1), put(3, 2), drop(3)}, {take(2)}, {take(1)},
	}},
	{"a part dropped of two slots", 2, 3, [][]operation{
		{put(1, 3), drop(2), put(4, 2), drop(4)}, {takeSpan(2)}, {take(1)},
	}},
	{"a part dropped of used slots", 1, 2, [][]operation{
		{put(1, 2), put(3, 2), drop(3), put(5, 1)}, {take(2)}, {takeSpan(2)},
	}},
	{"low water", 2, 1, [][]operation{
		{put(1, 1), put(2, 1), arm(1), put(3, 1)}, {take(2)}, {take(1)},
	}},
	{"low water of two", 2, 1, [][]operation{
		{put(1, 1), put(2, 1), arm(2), put(3, 1)}, {take(1)}, {takeSpan(1)},
	}},
	{"low water of one slot", 1, 2, [][]operation{
		{put(1, 2), arm(1), put(3, 1)}, {take(2)}, {takeSpan(1)},
	}},
	{"the last number", 1, 2, [][]operation{
		{put(1, 2), arm(1), put(3, 1)}, {take(1)}, {take(1)},
	}},
	{"lower numbers", 1, 2, [][]operation{
		{put(3, 2), drop(maxNumbers), tryPut(1, 2)}, {take(2)}, {take(1)},
	}},
}

// source is that of the ring, after a mutation, if any.
func source(t *testing.T, mutation ...string) interleave.Source {
	src, err := interleave.Read([]string{"ring.go", "take.go", "put.go", "drop.go", "take_test.go"},
		mutation...)
	require.NoError(t, err)
	return src
}

func (s scenario) check(src interleave.Source) (states int, err error) {
	e := &explorer{scenario: s, code: map[string]interleave.Code{}}
	ring := interleave.Object{Name: "r", Consts: map[string]uint64{
		"unadded": unadded, "disarmed": disarmed, "slotBits": slotBits, "true": 1, "false": 0,
		"r.offsets": uint64(s.slots-1) << slotBits, "r.size": uint64(s.slots),
		"r.lap": uint64(s.slots) / 2, "r.span": uint64(s.span), "r.spacing": 0, "r.counted": counted,
	}}
	for _, name := range []string{"Put", "take", "takeSpan", "Arm", "Drop"} {
		e.code[name] = src.Compile(name, ring)
	}
	err = e.explore()
	return len(e.seen), err
}

func TestEveryInterleaving(t *testing.T) {
	race.Skip(t)
	src := source(t)
	for _, s := range scenarios {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			states, err := s.check(src)
			require.NoError(t, err)
			t.Logf("%d states", states)
		})
	}
}

// mutants are changes of the source that make a ring that fails, and where.
var mutants = []struct{ name, where, old, new string }{
	{
		"a put publishes the slot before its counter", "one number",
		`	s.next.Store(from)                  // who still adds for the former lap gets more than its last
	s.end.Store(last<<1 | r.place(t)&1) // publishes the slot
`, "	s.end.Store(last<<1 | r.place(t)&1)\n	s.next.Store(from)\n",
	}, {
		"a put does not look at what the slot held", "lower numbers",
		"	if t >= 2*r.size && from <= r.last(s.end.Load()) {\n", "	if false {\n",
	}, {
		"a put goes where the cursor still is", "one number",
		"	if t-r.cursor.Load()>>slotBits >= r.size {\n", "	if t-r.cursor.Load()>>slotBits > r.size {\n",
	}, {
		"the laps of a slot cannot be told apart", "one number",
		"return p<<slotBits | p>>(r.lap&63)&1 }", "return p<<slotBits | 1 }",
	}, {
		"a put moves the tail last", "one number",
		`	r.tail.Store(t + 1)                 // before next: who adds to a later lap's sees it, see missed
	s.next.Store(from)                  // who still adds for the former lap gets more than its last
	s.end.Store(last<<1 | r.place(t)&1) // publishes the slot
`, `	s.next.Store(from)
	s.end.Store(last<<1 | r.place(t)&1)
	r.tail.Store(t + 1)
`,
	}, {
		"a take reads the end after the add", "one number",
		"		a.v = s.next.Add(1) - 1 // the position's counter, or a later one: then above last\n",
		"		a.v = s.next.Add(1) - 1\n		a.end = s.end.Load()\n",
	}, {
		"a take reads its frame after the add", "two numbers",
		"			return r.framed(begun.v, begun.end), 1, low\n",
		"			return r.framed(begun.v, r.slot(begun.at).end.Load()), 1, low\n",
	}, {
		"a take looks at the cursor again before it reads the end", "three laps",
		`	a.end = s.end.Load()
	a.v = unadded
	// Of this lap, and while the cursor was there: so it is the position's.
	if (a.end^a.at)&1 == 0 && r.cursor.Load() == a.at {
`, `	there := r.cursor.Load() == a.at
	a.end = s.end.Load()
	a.v = unadded
	if (a.end^a.at)&1 == 0 && there {
`,
	}, {
		"a take does not look at the cursor again", "three laps",
		"	if (a.end^a.at)&1 == 0 && r.cursor.Load() == a.at {\n", "	if (a.end^a.at)&1 == 0 {\n",
	}, {
		"a take does not look at the lap", "one number",
		"	if (a.end^a.at)&1 == 0 && r.cursor.Load() == a.at {\n", "	if r.cursor.Load() == a.at {\n",
	}, {
		"a span does not look at the cursor again", "two slots",
		"		if r.cursor.Load() == at { // and was all the while, so end is of its lap or the one " +
			"before\n			return at, end, (end^at)&1 == 0\n		}\n",
		"		return at, end, (end^at)&1 == 0\n",
	}, {
		"what a take spoils is not counted", "one number",
		"		r.spoilt.Add(n)\n", "",
	}, {
		"a take that has the last number does not move the cursor", "the last number",
		"			low = r.advance(begun.at)\n", "",
	}, {
		"a span that was cut off keeps its length", "spans",
		"int(last - v + 1), low || passed", "int(want), low || passed",
	}, {
		"a drop does not close", "flush",
		"s.next.CompareAndSwap(next, v+1)", "s.next.Load() == next",
	}, {
		"a drop sets the counter back behind takes", "a part dropped",
		`		next := s.next.Load()
		if next > v {
			return 0
		}
		if s.next.CompareAndSwap(next, v+1) { // a counter never goes back
`, `		next := s.next.Load()
		if next > v {
			return 0
		}
		next = s.next.Swap(v+1)
		if next <= v {
`,
	}, {
		"a drop adds what it saw", "a part dropped",
		"		if s.next.CompareAndSwap(next, v+1) { // a counter never goes back\n",
		"		if s.next.Add(v+1-next) > v {\n",
	}, {
		"a drop moves the cursor wherever takes have moved it", "flush of two slots",
		"r.cursor.CompareAndSwap(at, r.after(at)) // the mark", "r.cursor.Store(r.after(at)) // the mark",
	}, {
		"a drop leaves a slot of which something is left", "a part dropped",
		"		if v < last {\n", "		if false {\n",
	}, {
		"the mark is armed after the look at the cursor", "low water",
		"	r.low.Store(mark)\n	if r.cursor.Load()>>slotBits < mark {\n",
		"	if r.cursor.Load()>>slotBits < mark {\n		r.low.Store(mark)\n",
	}, {
		"the mark is armed one slot too late", "low water",
		"	mark := r.tail.Load() + 1 - uint64(left)\n", "	mark := r.tail.Load() + 2 - uint64(left)\n",
	}, {
		"a take looks at the mark before it moves the cursor", "low water",
		`	if r.cursor.Load() != at || !r.cursor.CompareAndSwap(at, r.after(at)) {
		return false
	}
	mark := r.low.Load() // after the cursor moved: see "Why a wake-up is not lost"
`, `	mark := r.low.Load()
	if r.cursor.Load() != at || !r.cursor.CompareAndSwap(at, r.after(at)) {
		return false
	}
`,
	}, {
		"a take that finds the ring empty forgets that it passed the mark", "low water",
		"			return 0, 0, low\n", "			return 0, 0, false\n",
	},
}

// A checker that did not find these would prove nothing.
func TestTheCheckerFindsMutants(t *testing.T) {
	race.Skip(t)
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			src := source(t, m.old, m.new)
			at := slices.IndexFunc(scenarios, func(s scenario) bool { return s.name == m.where })
			states, err := scenarios[at].check(src)
			require.Error(t, err)
			t.Logf("%d states:\n%v", states, err)
		})
	}
}
