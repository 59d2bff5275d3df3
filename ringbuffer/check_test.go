package ringbuffer

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// scenarios are small enough for every interleaving of their atomic steps.
var scenarios = []scenario{
	{"one number", 1, 1, 1, [][]operation{
		{put(1, 1), put(2, 1), put(3, 1)}, {take(2)}, {take(1)},
	}},
	{"two numbers", 1, 2, 1, [][]operation{
		{put(1, 2), put(3, 2)}, {take(2)}, {take(2)},
	}},
	{"three takers", 1, 1, 1, [][]operation{
		{put(1, 1), put(2, 1)}, {take(1)}, {take(1)}, {take(1)},
	}},
	{"two slots", 2, 1, 1, [][]operation{
		{put(1, 1), put(2, 1), put(3, 1), put(4, 1)}, {take(2)}, {take(1)},
	}},
	{"spans", 1, 2, 1, [][]operation{
		{put(1, 2), put(3, 2), put(5, 1)}, {takeSpan(3)}, {take(2)},
	}},
	{"spans alone", 2, 2, 1, [][]operation{
		{put(1, 2), put(3, 1), put(4, 2)}, {takeSpan(3)}, {takeSpan(2)},
	}},
	{"flush", 1, 2, 1, [][]operation{
		{put(1, 2), flush(), put(3, 2)}, {take(2)}, {takeSpan(2)},
	}},
	{"flush of two slots", 2, 1, 1, [][]operation{
		{put(1, 1), put(2, 1), flush(), put(3, 1)}, {take(1)}, {take(1)},
	}},
	{"skip", 2, 1, 1, [][]operation{
		{put(1, 1), put(2, 1), skip(1), put(3, 1)}, {take(1)}, {takeSpan(1)},
	}},
	{"low water", 2, 1, 1, [][]operation{
		{put(1, 1), put(2, 1), arm(1), put(3, 1)}, {take(2)}, {take(1)},
	}},
	{"low water of two", 2, 1, 1, [][]operation{
		{put(1, 1), put(2, 1), arm(2), put(3, 1)}, {take(1)}, {takeSpan(1)},
	}},
	{"low water of one slot", 1, 2, 1, [][]operation{
		{put(1, 2), arm(1), put(3, 1)}, {take(2)}, {takeSpan(1)},
	}},
	{"the last number", 1, 2, 1, [][]operation{
		{put(1, 2), arm(1), put(3, 1)}, {take(1)}, {take(1)},
	}},
	{"two producers", 1, 2, 2, [][]operation{
		{tryPut(3, 2)}, {tryPut(1, 2)}, {take(3)}, {take(1)},
	}},
	{"two producers, two slots", 2, 1, 2, [][]operation{
		{tryPut(1, 1), tryPut(4, 1)}, {tryPut(2, 1)}, {take(1)}, {take(1)},
	}},
}

func (s scenario) check(src source) (states int, err error) {
	e := &explorer{scenario: s, code: map[string][]instr{}}
	for _, name := range []string{"Put", "Take", "TakeSpan", "Arm", "Flush", "Skip"} {
		e.code[name] = src.compile(name, s.slots, s.span)
	}
	err = e.explore()
	return len(e.seen), err
}

func TestEveryInterleaving(t *testing.T) {
	src := readSource(t)
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
		"a put does not clear pos first", "one number",
		"		s.pos.Store(0)", "",
	}, {
		"a put publishes the slot before its numbers", "one number",
		"		s.next.Store(from)\n		s.pos.Store(t)", "		s.pos.Store(t)\n		s.next.Store(from)",
	}, {
		"a put does not look at what the slot held", "two producers",
		" || t > r.mask+1 && from <= s.last.Load()", "",
	}, {
		"a put goes where the cursor still is", "one number",
		"	return t-p <= r.mask\n", "	return t-p <= r.mask+1\n",
	}, {
		"a take reads pos before last", "one number",
		`	last := s.last.Load() // before pos: p's, or an earlier lap's
	if s.pos.Load() != p {
		return Claim{p, last, unadded}
	}
`, `	if s.pos.Load() != p {
		return Claim{p, 0, unadded}
	}
	last := s.last.Load()
`,
	}, {
		"a take reads last after the add", "one number",
		"	return Claim{p, last, s.next.Add(1) - 1}", "	v := s.next.Add(1) - 1\n	return Claim{p, s.last.Load(), v}",
	}, {
		"a take does not look at pos", "one number",
		"	if s.pos.Load() != p {\n		return Claim{p, last, unadded}\n	}\n", "",
	}, {
		"a take does not look at pos when it has read last again", "one number",
		"	last = s.last.Load()\n	if s.pos.Load() != c.pos {", "	last = s.last.Load()\n	if last == 0 {",
	}, {
		"a take that has the last number does not move the cursor", "the last number",
		"			low = r.advance(c.pos)\n", "			low = false\n",
	}, {
		"a span reads pos once", "one number",
		"		if s.pos.Load() != p {\n			continue\n		}\n", "",
	}, {
		"a span that was cut off keeps its length", "spans",
		"int(last - v + 1), low || passed", "int(limit), low || passed",
	}, {
		"a flush does not close", "flush",
		"s.next.Swap(closed)", "s.next.Load()",
	}, {
		"the mark is armed after the look at the cursor", "low water",
		"	r.low.Store(mark)\n	if r.cursor.Load() < mark {\n", "	if r.cursor.Load() < mark {\n		r.low.Store(mark)\n",
	}, {
		"the mark is armed one slot too late", "low water",
		"	mark := t + 1 - uint64(left)\n", "	mark := t + 2 - uint64(left)\n",
	}, {
		"a take looks at the mark before it moves the cursor", "low water",
		`	if r.cursor.Load() != p || !r.cursor.CompareAndSwap(p, p+1) {
		return false
	}
	mark := r.low.Load() // after the cursor moved: see "Why a wake-up is not lost"
`, `	mark := r.low.Load()
	if r.cursor.Load() != p || !r.cursor.CompareAndSwap(p, p+1) {
		return false
	}
`,
	}, {
		"a take that finds the ring empty forgets that it passed the mark", "low water",
		"				return 0, 0, low\n", "				return 0, 0, false\n",
	}, {
		"a take finds the ring empty while the cursor moves", "two slots",
		"			if r.cursor.Load() == p { // and was all the while: p is not there yet\n				return 0, 0, low\n			}\n			continue\n",
		"			return 0, 0, low\n",
	},
}

// A checker that did not find these would prove nothing.
func TestTheCheckerFindsMutants(t *testing.T) {
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			src := readSource(t, m.old, m.new)
			at := slices.IndexFunc(scenarios, func(s scenario) bool { return s.name == m.where })
			states, err := scenarios[at].check(src)
			require.Error(t, err)
			t.Logf("%d states:\n%v", states, err)
		})
	}
}
