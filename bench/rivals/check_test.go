package main

import (
	"bytes"
	"cmp"
	"io"
	"regexp"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCheckFindsPlantedFaults(t *testing.T) {
	tests := []struct {
		name          string
		first, second []int64 // of a taker
		want          finding
	}{
		{"none", []int64{1, 2, 3, 4}, []int64{5, 6, 7, 8}, finding{IDs: 8}},
		{"a duplicate in one taker", []int64{1, 2, 2, 4}, []int64{5, 6, 7, 8}, finding{IDs: 8, Duplicates: 1}},
		{"a duplicate in two takers", []int64{1, 2, 3, 4}, []int64{5, 4, 7, 8}, finding{IDs: 8, Duplicates: 1}},
		{"one id four times", []int64{1, 9, 3, 9}, []int64{9, 6, 9, 8}, finding{IDs: 8, Duplicates: 3}},
		{"out of order is no fault", []int64{4, 3, 2, 1}, []int64{8, 7, 6, 5}, finding{IDs: 8}},
		{"negative ids", []int64{-1, 2, 3, 4}, []int64{5, -6, 7, 8}, finding{IDs: 8, Negative: 2}},
		{"errors", []int64{1, 2, 3}, []int64{5, 6, 7, 8}, finding{IDs: 7, Errors: mostErrors}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := listed(tt.first, tt.second).check(8, 2, 0)
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestCheckEndsWhenItsTimeIsOver(t *testing.T) {
	g, _ := counting(16)
	assert.Equal(t, finding{}, g.check(1000, 2, time.Nanosecond))
}

func TestDuplicates(t *testing.T) {
	tests := []struct {
		parts [][]int
		want  int64
	}{
		{nil, 0},
		{[][]int{{}, {}}, 0},
		{[][]int{{1, 1, 1}}, 2},
		{[][]int{{1, 4}, {}, {2, 4, 5}, {4, 5}}, 3},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, duplicates(tt.parts, cmp.Compare[int]), "%v", tt.parts)
	}
}

// Ids are compared whole, whatever their width: to their last byte, and no hash of them.
func TestDuplicatesOfWideIDs(t *testing.T) {
	wide := func(last byte) (id randomText) {
		id[len(id)-1] = last
		return id
	}
	order := func(a, b randomText) int { return bytes.Compare(a[:], b[:]) }
	assert.Zero(t, duplicates([][]randomText{{wide(1), wide(3)}, {wide(2), wide(4)}}, order))
	assert.EqualValues(t, 1, duplicates([][]randomText{{wide(1), wide(3)}, {wide(3), wide(4)}}, order))
}

// From a generator that gives each id twice, in whatever order its goroutines get
// them, to the figure in the table.
func TestADuplicateIsCountedAndShown(t *testing.T) {
	const ids = 20_000
	var given atomic.Int64
	twice := numbers(shared(func(dst []int64) (int, error) {
		for i := range dst {
			dst[i] = (given.Add(1) + 1) / 2
		}
		return len(dst), nil
	}))
	fake := candidate{name: "twice", open: func() (subject, error) { return twice, nil }}
	var progress, table strings.Builder
	r, err := compare(options{check: ids, goroutines: 8, only: regexp.MustCompile("twice")}, []candidate{fake}, &progress)
	require.NoError(t, err)
	require.Len(t, r.Rows, 1)
	assert.Equal(t, &finding{IDs: ids, Duplicates: ids / 2}, r.Rows[0].Check)
	assert.Equal(t, "checked twice: 20 k ids, 10000 duplicates\n", progress.String())
	require.NoError(t, writeText(&table, r))
	assert.Regexp(t, `(?m)^twice .* 20 k +10000 +none *$`, table.String())
}

// A check has a thread for each goroutine; what comes after has as many as before.
func TestACheckHasAThreadForEachGoroutine(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	goroutines, seen := before+3, new(atomic.Int64)
	g := numbers(shared(func(dst []int64) (int, error) {
		for i := range dst {
			dst[i] = seen.Add(1)
		}
		if runtime.GOMAXPROCS(0) < goroutines {
			return 0, errFake
		}
		return len(dst), nil
	}))
	r := newReport(options{})
	r.finishAll([]*entrant{{subject: g}}, options{check: 1000, goroutines: goroutines}, io.Discard)
	assert.Equal(t, &finding{IDs: 1000}, r.Rows[0].Check)
	assert.Equal(t, before, runtime.GOMAXPROCS(0))
}

// TestCandidates opens each generator and takes a few ids. What rivals do wrong
// is theirs; that they are set up wrong would be ours.
func TestCandidates(t *testing.T) {
	const ids = 600
	for _, c := range candidates() {
		t.Run(title(c.name, c.variant), func(t *testing.T) {
			s, err := c.open()
			require.NoError(t, err)
			f := s.check(ids, 2, 0)
			assert.EqualValues(t, ids, f.IDs)
			assert.Zero(t, f.Errors)
			assert.Zero(t, f.Negative)
			if c.ours {
				assert.Zero(t, f.Duplicates)
			}
			assert.GreaterOrEqual(t, s.bytes(), 8)
			require.NoError(t, s.close())
		})
	}
}
