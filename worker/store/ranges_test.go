package store

import (
	"testing"
	"testing/quick"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFreeRanges(t *testing.T) {
	s := Space{Given: []Range{{Namespace: "a", First: 0, Last: 3}, {Namespace: "b", First: 8, Last: 9},
		{Namespace: "c", First: 60, Last: 61}}}
	for name, c := range map[string]struct {
		count, lowest, highest int64
		first, last            int64
		none                   bool
	}{
		"the uppermost that is long enough":  {count: 4, highest: 63, first: 56, last: 59},
		"as short as it is wanted":           {count: 2, highest: 63, first: 62, last: 63},
		"above the keys":                     {count: 40, lowest: 20, highest: 63, first: 20, last: 59},
		"the longest when none is so long":   {count: 100, highest: 63, first: 10, last: 59},
		"none":                               {count: 4, lowest: 8, highest: 9, none: true},
		"none above the keys":                {count: 4, lowest: 64, highest: 63, none: true},
		"of a layout that nobody told about": {count: 4, lowest: 5, first: 62, last: 65},
	} {
		first, last, ok := s.free(c.count, c.lowest, c.highest)
		assert.Equal(t, !c.none, ok, name)
		if ok {
			assert.Equal(t, [2]int64{c.first, c.last}, [2]int64{first, last}, name)
		}
	}
}

// Ranges are sets of worker ids, whatever is given and taken away.
func TestRangesAreSets(t *testing.T) {
	type change struct {
		ToB, Gives  bool
		First, More uint8
	}
	require.NoError(t, quick.Check(func(changes []change) bool {
		var ranges []Range
		sets := map[string]map[int64]bool{"a": {}, "b": {}}
		for _, c := range changes {
			name := "a"
			if c.ToB {
				name = "b"
			}
			first := int64(c.First % 16)
			last := first + int64(c.More)%(16-first)
			if c.Gives {
				ranges = give(ranges, Range{Namespace: name, First: first, Last: last})
			} else {
				ranges = without(ranges, first, last, func(own Range) bool { return own.Namespace == name })
			}
			for id := first; id <= last; id++ {
				sets[name][id] = c.Gives
			}
			for name, set := range sets {
				if !assertSet(t, set, ranges, name) {
					return false
				}
			}
		}
		return true
	}, nil))
}

// assertSet says whether a namespace has each of 16 worker ids once that it should have.
func assertSet(t *testing.T, set map[int64]bool, ranges []Range, name string) bool {
	t.Helper()
	for id := range int64(16) {
		n, want := 0, 0
		for _, r := range ranges {
			if r.Namespace == name && r.overlaps(id, id) {
				n++
			}
		}
		if set[id] {
			want = 1
		}
		if !assert.Equal(t, want, n, "%v: %d in %s's", ranges, id, name) {
			return false
		}
	}
	return true
}

func TestRecordsOfOthers(t *testing.T) {
	for _, text := range []string{"x", "{", `{"window_ms":-1}`, `{"window_ms":9000000000000000000}`,
		`{"given":3}`} {
		_, err := ParseSpace(text)
		require.ErrorIs(t, err, ErrStore, text)
	}
	s := Space{Given: []Range{{Namespace: "a", First: 1, Last: 3, Making: true}}, Window: 60_000,
		GrantedUntil: 5}
	back, err := ParseSpace(s.Text())
	require.NoError(t, err)
	assert.Equal(t, s, back)
	require.ErrorIs(t, s.Refuse(3), ErrOverlap)
	assert.NoError(t, s.Refuse(4))
}

// What is being made, and what was taken back, is known of each worker id by itself.
func TestWorkerIDsThatAreBeingMade(t *testing.T) {
	a, b := Namespace{Name: "a", First: 0, Last: 3}, Namespace{Name: "b", First: 2, Last: 5}
	before := Space{Given: []Range{{Namespace: "a", First: 0, Last: 5}}}
	during, err := before.reserve(b, InitOptions{}, nil)
	require.NoError(t, err)
	assert.Equal(t, []Range{{Namespace: "a", First: 0, Last: 1},
		{Namespace: "b", First: 2, Last: 5, Making: true}}, during.Given)
	_, err = during.reserve(a, InitOptions{}, nil)
	require.ErrorIs(t, err, ErrOverlap)

	b.Last = 3 // an Init with less comes to an end
	after := during.settle(b)
	assert.Equal(t, []Range{{Namespace: "a", First: 0, Last: 1}, {Namespace: "b", First: 2, Last: 3},
		{Namespace: "b", First: 4, Last: 5, Making: true}}, after.Given)
	b.Last = 5
	assert.Equal(t, []Range{{Namespace: "a", First: 0, Last: 1}, {Namespace: "b", First: 2, Last: 5}},
		after.settle(b).Given)
	assert.Equal(t, before.Given, during.withdraw(b, before).Given)

	taken, err := after.settle(b).reserve(a, InitOptions{}, nil)
	require.NoError(t, err)
	assert.Equal(t, taken, taken.settle(b), "who comes to an end late, when all was given away")
}
