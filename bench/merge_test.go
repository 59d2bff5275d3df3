package bench

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/uid"
)

func TestReportsAddUp(t *testing.T) {
	total := merge([]Report{
		{IDs: 100, Seconds: 1, Goroutines: 2, RejectedTakes: 1, NeverRan: 4, AheadSeconds: 5, LifeUsed: 0.1, LifeLeftSeconds: 0, WorkerID: 9,
			Errors: 1, FirstErrors: []string{"b", "a"}, Rounds: []Round{{IDs: 100, Seconds: 1, AtomicAddNS: 10, AtomicCallNS: 12}, {IDs: 1}}},
		{IDs: 300, Seconds: 2, Goroutines: 2, RejectedTakes: 2, NeverRan: 5, AheadSeconds: 9, LifeUsed: 0.3, LifeLeftSeconds: 70, WorkerID: 3,
			Errors: 2, FirstErrors: []string{"a", "c", "d"}, Rounds: []Round{{IDs: 300, Seconds: 2, AtomicAddNS: 10, AtomicCallNS: 12}}},
	})
	assert.EqualValues(t, 400, total.IDs)
	assert.InDelta(t, 2, total.Seconds, 0, "the longest load")
	assert.InDelta(t, 200, total.IDsPerSecond, 0)
	assert.InDelta(t, 5, total.AtomicAddNS, 1e-9, "two counters at once are twice as fast")
	assert.InDelta(t, 6, total.AtomicCallNS, 1e-9)
	assert.InDelta(t, total.NSPerID/6, total.CallRatio, 1e-9)
	assert.Len(t, total.Rounds, 1, "those that all have")
	assert.EqualValues(t, 3, total.RejectedTakes)
	assert.EqualValues(t, 9, total.NeverRan)
	assert.InDelta(t, 9, total.AheadSeconds, 0)
	assert.InDelta(t, 0.3, total.LifeUsed, 0, "they use up the same time")
	assert.InDelta(t, 70, total.LifeLeftSeconds, 0, "the one that ends first")
	assert.EqualValues(t, 3, total.WorkerID)
	assert.Equal(t, []string{"a", "b", "c"}, total.FirstErrors)
	assert.Nil(t, total.Duplicates, "not verified")
}

func TestSamplesOfAboutTheSameTimeAreAdded(t *testing.T) {
	coarse := []Sample{{Seconds: 1, IDs: 10, IDsPerSecond: 10, RingFill: 1, AheadSeconds: 1}, {Seconds: 2, IDs: 20, IDsPerSecond: 10, AheadSeconds: 2}}
	fine := []Sample{{Seconds: 0.6, IDs: 1}, {Seconds: 1.1, IDs: 2, IDsPerSecond: 4, RingFill: 0.5}, {Seconds: 1.6, IDs: 3}, {Seconds: 1.9, IDs: 4, AheadSeconds: 7}}
	assert.Equal(t, []Sample{
		{Seconds: 1, IDs: 12, IDsPerSecond: 14, RingFill: 0.75, AheadSeconds: 1},
		{Seconds: 2, IDs: 24, IDsPerSecond: 10, AheadSeconds: 7},
	}, mergeSamples([]Report{{Seconds: 2, Samples: fine}, {Seconds: 2, Samples: coarse}}))
}

func TestAProcessThatHasEndedTakesNoMoreIds(t *testing.T) {
	long := []Sample{{Seconds: 1, IDs: 10, IDsPerSecond: 10}, {Seconds: 2, IDs: 20, IDsPerSecond: 10}, {Seconds: 3, IDs: 30, IDsPerSecond: 10}}
	short := []Sample{{Seconds: 0.5, IDs: 3, IDsPerSecond: 6}, {Seconds: 1, IDs: 6, IDsPerSecond: 6}}
	assert.Equal(t, []Sample{
		{Seconds: 1, IDs: 16, IDsPerSecond: 16}, {Seconds: 2, IDs: 26, IDsPerSecond: 10}, {Seconds: 3, IDs: 36, IDsPerSecond: 10},
	}, mergeSamples([]Report{{Seconds: 1, Samples: short}, {Seconds: 3, Samples: long}}))
	assert.Equal(t, long, mergeSamples([]Report{{Seconds: 3, Samples: long}}))
	assert.Len(t, mergeSamples([]Report{{}, {Seconds: 3, Samples: long}}), 3, "one without any")
	assert.Empty(t, mergeSamples([]Report{{}, {}}))
}

// Sets of ids that travel as pages find what two of them share.
func TestPagesCarryEveryId(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfDistinct(rapid.Int64Range(0, 5000), rapid.ID)
		mine, theirs := ids.Draw(t, "mine"), ids.Draw(t, "theirs")
		a, b := newSeen(1<<30, uid.DefaultLayout), newSeen(1<<30, uid.DefaultLayout)
		has := map[int64]bool{}
		for _, id := range mine {
			has[id] = true
			require.NoError(t, a.add([]uid.ID{uid.ID(id)}))
		}
		shared := int64(0)
		for _, id := range theirs {
			if has[id] {
				shared++
			}
			require.NoError(t, b.add([]uid.ID{uid.ID(id)}))
		}
		var wire bytes.Buffer
		require.NoError(t, b.WritePages(&wire))
		require.NoError(t, a.readPages(&wire, b.Pages()))
		assert.Zero(t, wire.Len())
		assert.Equal(t, shared, a.duplicates)
		for _, id := range a.first {
			assert.True(t, has[int64(id)])
		}
	})
}

// recordingOf is of a verified load that got these ids.
func recordingOf(t *testing.T, layout uid.Layout, ids ...uid.ID) *Recording {
	r := &Recording{
		report: Report{IDs: int64(len(ids)), Layout: FormatLayout(layout), Duplicates: new(int64)},
		calls:  newHistogram(), ids: newSeen(1<<30, layout),
	}
	require.NoError(t, r.ids.add(ids))
	return r
}

// written is a recording as another process reads it.
func written(t *testing.T, r *Recording) *bytes.Buffer {
	var b bytes.Buffer
	n, err := r.WriteTo(&b)
	require.NoError(t, err)
	assert.EqualValues(t, b.Len(), n)
	return &b
}

func TestWhoWasNotVerifiedIsCounted(t *testing.T) {
	verified := recordingOf(t, uid.DefaultLayout, 1, 2, 1)
	verified.report.WorkerID, *verified.report.Duplicates = 1, 1
	verified.report.FirstDuplicates = []uid.ID{1}
	for _, worker := range []int64{0, 2} {
		t.Run(fmt.Sprint(worker), func(t *testing.T) {
			other := &Recording{report: Report{IDs: 5, Layout: verified.report.Layout, WorkerID: worker}, calls: newHistogram()}
			var m Merger
			require.NoError(t, m.Add(written(t, verified)))
			require.NoError(t, m.Add(written(t, other)))
			total, err := m.Report()
			require.ErrorIs(t, err, ErrDuplicate)
			assert.EqualValues(t, 1, *total.Duplicates)
			assert.EqualValues(t, 5, total.UnverifiedIDs)
			assert.EqualValues(t, 8, total.IDs)
		})
	}
}

func TestIdsThatNeverCameAreNotChecked(t *testing.T) {
	var m Merger
	cut := written(t, recordingOf(t, uid.DefaultLayout, 1, 2000, 4000))
	cut.Truncate(cut.Len() - 1)
	require.NoError(t, m.Add(written(t, recordingOf(t, uid.DefaultLayout, 1, 1000))))
	require.ErrorIs(t, m.Add(cut), io.ErrUnexpectedEOF)
	require.NoError(t, m.Add(written(t, recordingOf(t, uid.DefaultLayout, 5))), "the first error is enough")
	total, err := m.Report()
	if *total.Duplicates > 0 { // pages come in any order
		require.ErrorIs(t, err, ErrDuplicate)
	}
	assert.EqualValues(t, 6, total.IDs)
	assert.EqualValues(t, 4, total.UnverifiedIDs)
	assert.Len(t, total.Processes, 3)
}

func TestWhatCannotBeMerged(t *testing.T) {
	var m Merger
	require.ErrorIs(t, m.Add(strings.NewReader("")), io.ErrUnexpectedEOF)
	require.Error(t, m.Add(strings.NewReader("hello\n")))
	total, err := m.Report()
	require.NoError(t, err)
	assert.Zero(t, total, "nothing was read")

	other := uid.Layout{Epoch: uid.DefaultLayout.Epoch, Unit: time.Second, TimeBits: 30, WorkerBits: 20, SeqBits: 13}
	require.NoError(t, m.Add(written(t, recordingOf(t, uid.DefaultLayout, 1))))
	require.ErrorIs(t, m.Add(written(t, recordingOf(t, other, 2))), ErrConfig)

	m = Merger{VerifyMemory: 1}
	require.ErrorIs(t, m.Add(written(t, recordingOf(t, uid.DefaultLayout, 1))), ErrMemory)
}

func TestPagesThatEndTooSoonAreAnError(t *testing.T) {
	a := newSeen(1<<30, uid.DefaultLayout)
	require.NoError(t, a.add([]uid.ID{1, 1000}))
	var wire bytes.Buffer
	require.NoError(t, a.WritePages(&wire))
	wire.Truncate(wire.Len() - 1)
	require.Error(t, newSeen(1<<30, uid.DefaultLayout).readPages(&wire, a.Pages()))
}
