package properties

import (
	"strings"
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

func TestLayoutComposesInOrderOfTickWorkerTurnSeq(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyLayout().Draw(t, "layout")
		a, b := anyParts(l).Draw(t, "a"), anyParts(l).Draw(t, "b")
		idA, err := l.Compose(a)
		require.NoError(t, err)
		idB, err := l.Compose(b)
		require.NoError(t, err)
		require.Equal(t, lessParts(a, b), idA < idB)
		require.Equal(t, a == b, idA == idB)
	})
}

func lessParts(a, b uid.Parts) bool {
	switch {
	case a.Tick != b.Tick:
		return a.Tick < b.Tick
	case a.Worker != b.Worker:
		return a.Worker < b.Worker
	case a.Turn != b.Turn:
		return a.Turn < b.Turn
	}
	return a.Seq < b.Seq
}

func TestLayoutParsesTheTimeOfATick(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyLayout().Draw(t, "layout")
		now := anyTime().Draw(t, "time")
		id, err := l.MinID(now)
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
		parts.Tick = min(parts.Tick, 1<<40) // within time.Time also in days
		id, err := l.Compose(parts)
		require.NoError(t, err)
		within := time.Duration(rapid.Int64Range(0, int64(l.Unit)-1).Draw(t, "ns into the tick"))
		now := start(t, l, parts.Tick).Add(within)

		lowest, err := l.MinID(now)
		require.NoError(t, err)
		highest, err := l.MaxID(now)
		require.NoError(t, err)
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

func TestParseLayoutReadsTheFrontOfString(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := anyLayout().Draw(t, "layout")
		words := strings.Fields(want.String()) // bits, unit, "since", epoch
		require.Len(t, words, 4)
		got, err := uid.ParseLayout(words[0] + "@" + words[1])
		require.NoError(t, err)
		got.Epoch, err = time.Parse(time.RFC3339Nano, words[3])
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
}

func TestFingerprintFitsItsColumn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyLayout().Draw(t, "layout")
		require.NotEmpty(t, l.Need().Fingerprint)
		require.Less(t, len(l.Need().Fingerprint), 64)
	})
}
