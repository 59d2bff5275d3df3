package idset

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/uid"
)

// The set of pages against a map, with ids of any kind.
func TestASetKnowsWhatItHas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.OneOf(
			rapid.Int64Range(0, 2000), // neighbours
			rapid.SampledFrom([]int64{0, 1, 511, 512, math.MaxInt64, math.MinInt64, -1}),
			rapid.Int64(),
		)
		s, model := New(uid.DefaultLayout()), map[int64]bool{}
		for _, v := range rapid.SliceOf(id).Draw(t, "ids") {
			require.Equal(t, model[v], s.Add(uid.ID(v)))
			model[v] = true
		}
	})
}

func TestEachIdHasANumberOfItsOwn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l uid.Layout
		left := 63
		for _, bits := range []*int{&l.TimeBits, &l.WorkerBits, &l.TurnBits, &l.SeqBits, &l.TailBits} {
			*bits = rapid.IntRange(0, left).Draw(t, "bits")
			left -= *bits
		}
		l.Order = rapid.SampledFrom([]uid.Order{uid.TimeWorkerSequence, uid.TimeSequenceWorker,
			uid.WorkerTimeSequence}).Draw(t, "order")
		d, id := newBitOrder(l), rapid.Uint64().Draw(t, "id")
		assert.Equal(t, id, idOf(d, d.number(id)))
	})
}

// idOf undoes number: ids with the same number would be the same id.
func idOf(o bitOrder, number uint64) uint64 {
	id := number & o.top
	for _, m := range &o.moves {
		id |= number >> m.inNumber & m.mask << m.inID
	}
	return id
}

// Whatever the layout, a run's ids take little more than a bit each.
func TestIdsOfAnyLayoutAreVerifiedInLittleMemory(t *testing.T) {
	for _, text := range []string{"28/22/13", "31/29/3", "45/10/0/3/5=31", "41/10/1/6/5@1ms",
		"tsw:28/13/22", "wts:10/40/1/6/5@1ms"} {
		l, err := uid.ParseLayout(text)
		require.NoError(t, err)
		s := New(l)
		const ids = 1 << 19
		perTick := int64(1) << l.SeqBits
		for i := range int64(ids) {
			id, err := l.Compose(uid.Parts{Tick: 1000 + i/perTick, Worker: 7, Seq: i % perTick})
			if err != nil || s.Add(id) { // millions of these: testify takes its time
				t.Fatalf("%v is not new, or none: %v", id, err)
			}
		}
		assert.Less(t, s.Bytes(), int64(ids), "%s: less than a byte an id", text)
		again, err := l.Compose(uid.Parts{Tick: 1001, Worker: 7, Seq: 0})
		require.NoError(t, err)
		assert.True(t, s.Add(again))
	}
}
