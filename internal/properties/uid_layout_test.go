package properties

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/uid"
)

func TestLayoutParsesWhatItComposes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyLayout().Draw(t, "layout")
		want := anyParts(l).Draw(t, "parts")
		id, err := l.Compose(want)
		require.NoError(t, err)
		require.GreaterOrEqual(t, id, uid.ID(0))

		got, err := l.Parse(id)
		require.NoError(t, err)
		want.Time = got.Time // TestLayoutParsesTheTimeOfATick looks at it
		require.Equal(t, want, got)
	})
}

func TestLayoutComposesInItsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyLayout().Draw(t, "layout")
		a, b := anyParts(l).Draw(t, "a"), anyParts(l).Draw(t, "b")
		idA, err := l.Compose(a)
		require.NoError(t, err)
		idB, err := l.Compose(b)
		require.NoError(t, err)
		require.Equal(t, slices.Compare(inOrder(l, a), inOrder(l, b)) < 0, idA < idB)
		require.Equal(t, a == b, idA == idB)
	})
}

// inOrder are the parts from the highest to the lowest.
func inOrder(l uid.Layout, p uid.Parts) []int64 {
	switch l.Order {
	case uid.TimeSequenceWorker:
		return []int64{p.Tick, p.Turn, p.Seq, p.Worker}
	case uid.WorkerTimeSequence:
		return []int64{p.Worker, p.Tick, p.Turn, p.Seq}
	}
	return []int64{p.Tick, p.Worker, p.Turn, p.Seq}
}

func TestLayoutParsesTheTimeOfATick(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyLayout().Draw(t, "layout")
		now := anyTime().Draw(t, "time")
		id, err := l.MinID(now)
		if errors.Is(err, errors.ErrUnsupported) {
			require.False(t, byTime(l))
			return
		}
		if err != nil {
			require.ErrorIs(t, err, uid.ErrRange)
			outside := now.Before(start(t, l, 0)) || !now.Before(l.End())
			require.True(t, outside, "%v is between the epoch and the end", now)
			return
		}
		parts, err := l.Parse(id)
		require.NoError(t, err)
		require.False(t, now.Before(parts.Time), "the tick begins at %v", parts.Time)
		require.True(t, now.Before(parts.Time.Add(l.Unit)), "the tick begins at %v", parts.Time)
		require.Equal(t, time.UTC, parts.Time.Location())
	})
}

func TestMinIDAndMaxIDBracketTheIDsOfATick(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyLayout().Draw(t, "layout")
		parts := anyParts(l).Draw(t, "parts")
		parts.Tick = min(parts.Tick, 1<<36) // of which times are known, also in days
		id, err := l.Compose(parts)
		require.NoError(t, err)
		within := time.Duration(rapid.Int64Range(0, int64(l.Unit)-1).Draw(t, "ns into the tick"))
		now := start(t, l, parts.Tick).Add(within)

		lowest, err := l.MinID(now)
		highest, errMax := l.MaxID(now)
		if !byTime(l) {
			require.ErrorIs(t, err, errors.ErrUnsupported)
			require.ErrorIs(t, errMax, errors.ErrUnsupported)
			return
		}
		require.NoError(t, err)
		require.NoError(t, errMax)
		require.LessOrEqual(t, lowest, id)
		require.GreaterOrEqual(t, highest, id)

		// Both are ids of the layout, of this tick: no wider bracket than needed.
		for _, bound := range []uid.ID{lowest, highest} {
			p, err := l.Parse(bound)
			require.NoError(t, err)
			require.Equal(t, parts.Tick, p.Tick)
		}
	})
}

func TestALayoutsTextReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := anyLayout().Draw(t, "layout")
		got, err := uid.ParseLayout(want.String())
		require.NoError(t, err)
		require.Equal(t, want, got)

		data, err := json.Marshal(want)
		require.NoError(t, err)
		require.Equal(t, `"`+want.String()+`"`, string(data))
		var back uid.Layout
		require.NoError(t, json.Unmarshal(data, &back))
		require.Equal(t, want, back)
	})
}

// Ids that are the same in two orders have one fingerprint, all others have two. It fits its
// column.
func TestFingerprintsTellOrdersApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := anyLayout().Draw(t, "layout")
		require.NotEmpty(t, a.Need().Fingerprint)
		require.Less(t, len(a.Need().Fingerprint), 64)
		b := a
		b.Order = anyOrder().Draw(t, "another order")
		same := true
		for _, p := range []uid.Parts{
			{Tick: 1}, {Worker: a.MaxWorker()}, {Seq: mask(a.SeqBits)}, {Turn: mask(a.TurnBits)},
		} {
			idA, err := a.Compose(p)
			require.NoError(t, err)
			idB, err := b.Compose(p)
			require.NoError(t, err)
			same = same && idA == idB
		}
		require.Equal(t, same, a.Need().Fingerprint == b.Need().Fingerprint)
	})
}
