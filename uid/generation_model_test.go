package uid

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/interleave"
	"github.com/ringuid/ringuid/internal/race"
)

// Every order of the steps of takes, a stream, a batch, the padder, AfterRestore and copies of the
// machine. The functions are mirrored in the order of their source. An id is known by its age: how
// often the machine had been copied when its lease was asked for, and one. ids is a take from the
// ring (0: none but from there) or, if that is empty, an id that is made; filled is what the ring
// has, put the age of what it ever had. There is one stream.
const copiesMirror = `package uid

func (m *core) get() (id uint64) { // GetUID, takeSlow
	dealt := m.dealt.Load()
	id = m.ids.Swap(0)
	if id > 0 && m.generation.Load() == dealt {
		return id
	}
	for {
		id = m.ids.Swap(1)
		if m.generation.Load() == dealt {
			return id
		}
		dealt = m.deal()
	}
}

func (m *core) batch() (id uint64) { // AppendUIDsContext
	dealt := m.dealt.Load()
	for {
		id = m.ids.Swap(1)
		id = min(id, m.ids.Swap(1))
		if m.generation.Load() == dealt {
			return id
		}
		dealt = m.deal()
	}
}

func (m *core) stream() (id uint64) { // Stream.GetUID, refill, take
	id = m.held
	if id > m.stale.Load() && m.generation.Load() == m.spanned {
		return id
	}
	dealt := m.dealt.Load()
	for {
		id = m.held
		if id <= m.stale.Load() {
			m.spanned = dealt
			id = m.ids.Swap(0)
			m.held = id
		}
		if id == 0 {
			id = m.ids.Swap(1)
		}
		if m.generation.Load() == dealt {
			return id
		}
		dealt = m.deal()
	}
}

func (m *core) deal() (now uint64) {
	m.dealing.Swap(1)
	now = m.generation.Load()
	if now > m.dealt.Load() {
		m.restore()
		m.dealt.Store(now)
	}
	m.dealing.Store(0)
	return now
}

func (m *core) restore() { // AfterRestore: change, restored
	m.mu.Swap(1)
	m.lease.Store(m.generation.Load() + 1)
	m.filled.Store(0)
	m.stale.Store(m.put)
	m.mu.Store(0)
}

func (m *core) fill() {
	m.mu.Swap(1)
	if m.filled.Load() == 0 {
		m.put = m.lease.Load()
		m.filled.Store(m.put)
	}
	m.mu.Store(0)
}

func (m *core) copied() { m.generation.Add(1) } // the machine, anywhere
`

// copiesWorld is what the steps read and write. The words are in copiesWords' order.
type copiesWorld struct {
	words  [11]uint64
	actors [5]struct {
		interleave.Thread
		call int
	}
}

var copiesWords = []string{"held", "spanned", "put", "generation", "dealt", "dealing", "mu",
	"lease", "filled", "stale", "ids"}

type copiesModel struct {
	programs [][]string
	code     map[string]interleave.Code
	seen     map[interleave.Hash]struct{}
}

func (w *copiesWorld) word(name string) *uint64 {
	return &w.words[slices.Index(copiesWords, name)]
}

// step lets an actor do its next step and what only it can see; fault is what was wrong with it.
func (m *copiesModel) step(w *copiesWorld, i int) (did bool, fault string) {
	a := &w.actors[i]
	if a.call == len(m.programs[i]) {
		return false, ""
	}
	code := m.code[m.programs[i][a.call]]
	s := &code[a.PC]
	word := w.word(s.Word)
	if s.Op == interleave.Swap && *word != 0 && (s.Word == "mu" || s.Word == "dealing") {
		return false, "" // it waits for the lock
	}
	if s.Word == "ids" {
		if *word = *w.word("filled"); *word == 0 && a.Regs[s.A] == 1 {
			*word = *w.word("lease")
		}
	}
	a.Do(code, word)
	*w.word("ids") = 0
	returned := a.Run(code)
	for !returned && slices.Contains(copiesWords[:3], code[a.PC].Word) { // its own
		a.Do(code, w.word(code[a.PC].Word))
		returned = a.Run(code)
	}
	if returned {
		id := a.Result(0)
		if id > 0 && id <= *w.word("generation") {
			return true, "an id that a copy of the machine has"
		}
		m.begin(w, i, a.call+1)
	}
	return true, ""
}

func (m *copiesModel) begin(w *copiesWorld, i, call int) {
	a := &w.actors[i]
	a.Begin()
	if a.call = call; call < len(m.programs[i]) {
		a.Run(m.code[m.programs[i][call]])
	}
}

// visit goes on from a state in all ways, and returns the steps to the first fault.
func (m *copiesModel) visit(w *copiesWorld) (steps []string) {
	var h interleave.Hash
	for _, word := range w.words {
		h.Mix(word)
	}
	for i, p := range m.programs {
		h.Mix(uint64(w.actors[i].call))
		if a := &w.actors[i]; a.call < len(p) {
			h.MixThread(&a.Thread, m.code[p[a.call]])
		}
	}
	if _, ok := m.seen[h]; ok {
		return nil
	}
	m.seen[h] = struct{}{}
	for i, p := range m.programs {
		next := *w
		did, fault := m.step(&next, i)
		if !did {
			continue
		} else if fault == "" {
			steps = m.visit(&next)
		} else {
			steps = []string{fault}
		}
		if steps != nil {
			call := p[w.actors[i].call]
			s := m.code[call][w.actors[i].PC]
			return append(steps, fmt.Sprintf("%d: %s: %s.%s", i, call, s.Word,
				interleave.Operations[s.Op]))
		}
	}
	return nil
}

// exploreCopies returns the first fault of the programs of calls, after a mutation, if any.
func exploreCopies(t *testing.T, programs string, mutation ...string) (fault string) {
	mirror := filepath.Join(t.TempDir(), "mirror.go")
	require.NoError(t, os.WriteFile(mirror, []byte(copiesMirror), 0o600))
	source, err := interleave.Read([]string{mirror}, mutation...)
	require.NoError(t, err)
	m := copiesModel{nil, map[string]interleave.Code{}, map[interleave.Hash]struct{}{}}
	var w copiesWorld
	*w.word("lease") = 1
	for p := range strings.SplitSeq(programs, "|") {
		m.programs = append(m.programs, strings.Fields(p))
		for _, call := range strings.Fields(p) {
			m.code[call] = source.Compile(call, interleave.Object{Name: "m"})
		}
		m.begin(&w, len(m.programs)-1, 0)
	}
	steps := m.visit(&w)
	t.Logf("%s: %d states", programs, len(m.seen))
	if steps == nil {
		return ""
	}
	slices.Reverse(steps)
	t.Log(strings.Join(steps, "\n"))
	return steps[len(steps)-1]
}

func TestEveryCopy(t *testing.T) {
	race.Skip(t)
	for _, programs := range []string{
		"get|get|stream stream|copied",
		"get|batch|fill|copied copied",
		"stream stream stream|get|fill|copied copied",
		"batch|stream stream|restore|copied",
	} {
		assert.Empty(t, exploreCopies(t, programs))
	}
}

// A model that did not find these would prove nothing.
func TestTheModelOfCopiesFindsMutants(t *testing.T) {
	race.Skip(t)
	for _, m := range []struct{ name, programs, old, new string }{
		{"dealt is read after the take", "get|get|fill|copied", `	dealt := m.dealt.Load()
	id = m.ids.Swap(0)
`, `	id = m.ids.Swap(0)
	dealt := m.dealt.Load()
`},
		{"the look comes before the take", "batch|copied", `		id = m.ids.Swap(1)
		id = min(id, m.ids.Swap(1))
		if m.generation.Load() == dealt {
`, `		now := m.generation.Load()
		id = m.ids.Swap(1)
		id = min(id, m.ids.Swap(1))
		if now == dealt {
`},
		{"a batch looks before its end", "batch|copied", `		id = min(id, m.ids.Swap(1))
		if m.generation.Load() == dealt {
`, `		now := m.generation.Load()
		id = min(id, m.ids.Swap(1))
		if now == dealt {
`},
		{"a take does not look", "get|fill|copied",
			"if id > 0 && m.generation.Load() == dealt {", "if id > 0 {"},
		{"the first number is kept", "get|fill|copied", `		dealt = m.deal()
	}
}

func (m *core) batch`, `		return id
	}
}

func (m *core) batch`},
		{"the ring is not dropped", "get|get|fill|copied", "	m.filled.Store(0)\n", ""},
		{"nothing becomes stale", "get|stream stream|fill|copied", "	m.stale.Store(m.put)\n", ""},
		{"the lease stays", "get|copied", "	m.lease.Store(m.generation.Load() + 1)\n", ""},
		{"dealt is noted first", "get|get|copied", `		m.restore()
		m.dealt.Store(now)
`, `		m.dealt.Store(now)
		m.restore()
`},
		{"a later generation is noted", "get|get|copied copied", "		m.dealt.Store(now)\n",
			"		m.dealt.Store(m.generation.Load())\n"},
		{"a stream does not look", "stream stream|fill|copied",
			" && m.generation.Load() == m.spanned {", " {"},
	} {
		t.Run(m.name, func(t *testing.T) {
			assert.NotEmpty(t, exploreCopies(t, m.programs, m.old, m.new))
		})
	}
}
