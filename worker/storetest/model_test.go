package storetest

import (
	"math"
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/worker/store"
)

func view(call, end int64, shows byte) porcupine.Operation {
	return porcupine.Operation{Call: call, Return: end, Input: input{view: true},
		Output: output{row: state{nonce: store.Nonce{shows}}}}
}

func written(call, end int64, nonce byte, out output, expect ...byte) porcupine.Operation {
	w := store.Write{Nonce: store.Nonce{nonce}, Release: true}
	for _, e := range expect {
		w.Expect = append(w.Expect, store.Nonce{e})
	}
	return porcupine.Operation{Call: call, Return: end, Input: input{write: w}, Output: out}
}

var (
	applied = output{applied: true}
	missed  = output{}
	unknown = output{unknown: true}
)

func explained(ops ...porcupine.Operation) bool {
	end := porcupine.Operation{Call: 10, Return: 11, Input: input{end: true}, Output: output{}}
	return porcupine.CheckOperations(model(state{}), append(ops, end))
}

func TestWritesOfUnknownOutcome(t *testing.T) {
	const never = math.MaxInt64
	for name, c := range map[string]struct {
		ops []porcupine.Operation
		ok  bool
	}{
		"nobody met it": {[]porcupine.Operation{
			written(1, never, 1, unknown, 0), written(2, 3, 2, applied, 0), view(4, 5, 2)}, true},
		"a view shows it": {[]porcupine.Operation{
			written(1, never, 1, unknown, 0), view(2, 3, 1)}, true},
		"late": {[]porcupine.Operation{
			written(1, never, 1, unknown, 0), view(2, 3, 0), view(4, 5, 1)}, true},
		"shown and then not": {[]porcupine.Operation{
			written(1, never, 1, unknown, 0), view(2, 3, 1), view(4, 5, 0)}, false},
		"shown twice": {[]porcupine.Operation{
			written(1, never, 1, unknown, 0, 2), view(2, 3, 1), written(4, 5, 2, applied, 1),
			view(6, 7, 1)}, false},
		"only a write met it": {[]porcupine.Operation{
			written(1, never, 1, unknown, 0), written(2, 3, 2, applied, 1), view(4, 5, 2)}, true},
		"met by one of unknown outcome": {[]porcupine.Operation{
			written(1, never, 1, unknown, 0), written(2, never, 2, unknown, 1), view(4, 5, 2)}, true},
		"shown before it was sent": {[]porcupine.Operation{
			view(1, 2, 1), written(3, never, 1, unknown, 0)}, false},
		"it expected what was never there": {[]porcupine.Operation{
			written(1, never, 1, unknown, 3), view(2, 3, 1)}, false},
	} {
		assert.Equal(t, c.ok, explained(c.ops...), name)
	}
}

// A write of unknown outcome may be applied between a store's look at the row and its
// next write. That one then misses.
func TestAMissMayBeOfOnesOwnLateWrite(t *testing.T) {
	late := written(1, math.MaxInt64, 1, unknown, 0)
	assert.True(t, explained(late, written(2, 3, 2, missed, 0, 1), view(4, 5, 1)))
	assert.False(t, explained(late, written(2, 3, 2, missed, 0, 1), view(4, 5, 0)),
		"the row contains what it contained")
	assert.False(t, explained(written(2, 3, 2, missed, 0), view(4, 5, 0)), "nothing changed")
}
