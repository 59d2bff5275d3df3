package idlog

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/uid"
)

func compareEntries(a, b Entry) int { return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.At, b.At)) }

// sortAll gives entries to a sorter, and returns what comes back.
func sortAll(t rapid.TB, memory int64, temp string, entries []Entry) (got []Entry) {
	s := NewSorter(memory, temp)
	for _, e := range entries {
		require.NoError(t, s.Add(e))
	}
	require.NoError(t, s.Each(context.Background(), func(e Entry) error {
		got = append(got, e)
		return nil
	}))
	require.NoError(t, s.Close())
	return got
}

func TestSorterAgainstASort(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		largest := rapid.SampledFrom([]int64{3, 100, 1 << 20, math.MaxInt64}).Draw(t, "largest")
		ids := rapid.SliceOfN(rapid.Int64Range(0, largest), 0, 300).Draw(t, "ids")
		room := rapid.Int64Range(0, 50).Draw(t, "room")
		var want []Entry
		for i, id := range ids {
			want = append(want, Entry{uid.ID(id), int64(i)})
		}
		got := sortAll(t, room*3*entryBytes, dir, want)
		slices.SortFunc(want, compareEntries)
		require.Equal(t, want, got)
		assert.Empty(t, filesIn(t, dir))
	})
}

// The sort of one buffer keeps equal ids as they came.
func TestSortEntriesAgainstASort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shift := rapid.IntRange(0, 62).Draw(t, "shift")
		ids := rapid.SliceOf(rapid.Int64Range(0, math.MaxInt64)).Draw(t, "ids")
		var entries []Entry
		for i, id := range ids {
			entries = append(entries, Entry{uid.ID(id >> shift << (shift / 2)), int64(i)})
		}
		want := slices.Clone(entries)
		slices.SortFunc(want, compareEntries)
		require.Equal(t, want, sortEntries(entries, make([]Entry, len(entries))))
	})
}

func filesIn(t rapid.TB, dir string) (names []string) {
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, f := range files {
		names = append(names, f.Name())
	}
	return names
}

func TestASorterIsStoppedByItsContextAndByItsReader(t *testing.T) {
	s := NewSorter(10*entryBytes, t.TempDir())
	defer s.Close()
	for i := range int64(100) {
		require.NoError(t, s.Add(Entry{uid.ID(i), i}))
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, s.Each(ended, func(Entry) error { return nil }), context.Canceled)

	s = NewSorter(10*entryBytes, t.TempDir())
	defer s.Close()
	require.NoError(t, s.Add(Entry{1, 1}))
	stop := errors.New("stop")
	assert.ErrorIs(t, s.Each(t.Context(), func(Entry) error { return stop }), stop)
}

func TestASorterClosedInTheMiddleLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	s := NewSorter(10*entryBytes, dir)
	for i := range int64(100) {
		require.NoError(t, s.Add(Entry{uid.ID(i), i}))
	}
	require.NoError(t, s.Close())
	require.NoError(t, s.Close())
	assert.Empty(t, filesIn(t, dir))
}

func TestASorterWithoutAPlaceForItsFile(t *testing.T) {
	s := NewSorter(0, filepath.Join(t.TempDir(), "gone"))
	defer s.Close()
	var err error
	for i := int64(0); err == nil && i < 10; i++ {
		err = s.Add(Entry{uid.ID(i), i})
	}
	require.ErrorIs(t, err, ErrTemp)
	require.ErrorIs(t, err, os.ErrNotExist)
}

// A file that was cut off is an error, wherever it was, and not the end of the ids.
func TestASorterWhoseFileWasCutOff(t *testing.T) {
	const ids = 4
	size := int64(1)
	for left := int64(0); left < size; left++ {
		s := NewSorter(ids*3*entryBytes, t.TempDir())
		for i := range int64(ids) {
			require.NoError(t, s.Add(Entry{uid.ID(i+1) << 60, i}))
		}
		_, err := s.wait()
		require.NoError(t, err)
		size = s.runs.size
		require.NoError(t, s.runs.file.Truncate(left))
		assert.ErrorIs(t, s.Each(t.Context(), func(Entry) error { return nil }), ErrTemp, "%d bytes left", left)
		assert.NoError(t, s.Close())
	}
}

func BenchmarkSorter(b *testing.B) {
	const n = 1 << 22
	for _, c := range []struct {
		name string
		id   func(i int64) uid.ID
	}{
		{"dense", func(i int64) uid.ID { return uid.ID(i) }},
		{"random", func(int64) uid.ID { return uid.ID(rand.Int64()) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				s := NewSorter(n/48*3*entryBytes, b.TempDir())
				for i := range int64(n) {
					if err := s.Add(Entry{c.id(i), i}); err != nil {
						b.Fatal(err)
					}
				}
				if err := s.Each(b.Context(), func(Entry) error { return nil }); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(s.runs.size)/n, "disk-B/id")
				if err := s.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/id")
		})
	}
}
