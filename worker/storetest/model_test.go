package storetest

import (
	"math"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/worker/store"
)

type operations []porcupine.Operation

func view(shows byte) porcupine.Operation {
	return porcupine.Operation{Input: input{view: true},
		Output: output{row: store.Row{Open: true, Nonce: store.Nonce{shows}}}}
}

func wrote(nonce byte, out output, expect ...byte) porcupine.Operation {
	w := store.Write{Pool: store.Pool{Unit: time.Hour}, Nonce: store.Nonce{nonce}, Release: true}
	for _, e := range expect {
		w.Expect = append(w.Expect, store.Nonce{e})
	}
	return porcupine.Operation{Input: input{write: w}, Output: out}
}

// A write of unknown outcome may be applied at any later time, or never: also between a store's
// look at the row and its next write, which then misses.
func TestWritesOfUnknownOutcome(t *testing.T) {
	applied, missed, unknown := output{applied: true}, output{}, output{unknown: true}
	for name, c := range map[string]struct {
		explained bool
		operations
	}{
		"nobody met it":    {true, operations{wrote(1, unknown, 0), wrote(2, applied, 0), view(2)}},
		"a view shows it":  {true, operations{wrote(1, unknown, 0), view(1)}},
		"late":             {true, operations{wrote(1, unknown, 0), view(0), view(1)}},
		"a write met it":   {true, operations{wrote(1, unknown, 0), wrote(2, applied, 1), view(2)}},
		"an unknown too":   {true, operations{wrote(1, unknown, 0), wrote(2, unknown, 1), view(2)}},
		"a miss by it":     {true, operations{wrote(1, unknown, 0), wrote(2, missed, 0, 1), view(1)}},
		"a miss by none":   {false, operations{wrote(1, unknown, 0), wrote(2, missed, 0, 1), view(0)}},
		"a miss alone":     {false, operations{wrote(2, missed, 0), view(0)}},
		"shown, then not":  {false, operations{wrote(1, unknown, 0), view(1), view(0)}},
		"before it":        {false, operations{view(1), wrote(1, unknown, 0)}},
		"it expected more": {false, operations{wrote(1, unknown, 3), view(1)}},
		"shown twice": {false, operations{wrote(1, unknown, 0, 2), view(1), wrote(2, applied, 1),
			view(1)}},
	} {
		ops := append(c.operations, porcupine.Operation{Input: input{end: true}, Output: output{}})
		for i := range ops {
			ops[i].Call, ops[i].Return = int64(2*i), int64(2*i+1)
			if ops[i].Output == unknown {
				ops[i].Return = math.MaxInt64
			}
		}
		m := model(store.Row{Open: true}, time.Time{})
		assert.Equal(t, c.explained, porcupine.CheckOperations(m, ops), name)
	}
}
