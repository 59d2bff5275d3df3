package storetest

import (
	"github.com/anishathalye/porcupine"

	"github.com/ringuid/ringuid/worker/store"
)

// decided says more about the writes of unknown outcome, each of which doubles the orders
// that a checker has to try. The last operation must be a view that began when all others
// had ended, and no view may be stale.
//
//   - A view that shows a write's nonce ended after the write was applied.
//   - A write whose nonce no view shows, and that no applied write expected, is left out:
//     it was never applied, or after the last view. For while it was what the row
//     contained, the next write that was applied expected it, so that write's outcome is
//     unknown too and nobody met it either; and so on, until the last view, which would
//     have shown the last of them.
func decided(ops []porcupine.Operation) []porcupine.Operation {
	met, shown := meetings(ops)
	kept := make([]porcupine.Operation, 0, len(ops))
	for _, op := range ops {
		if op.Output.(output).unknown {
			nonce := op.Input.(input).write.Nonce
			if !met[nonce] {
				continue
			}
			if end, ok := shown[nonce]; ok {
				op.Return = end
			}
		}
		kept = append(kept, op)
	}
	return kept
}

// meetings returns the nonces that may have been in the row, and for those that a view
// shows the end of the first such view.
func meetings(ops []porcupine.Operation) (met map[store.Nonce]bool, shown map[store.Nonce]int64) {
	met, shown = map[store.Nonce]bool{}, map[store.Nonce]int64{}
	for _, op := range ops {
		if op.Input.(input).view {
			nonce := op.Output.(output).row.nonce
			if end, ok := shown[nonce]; !ok || op.Return < end {
				shown[nonce] = op.Return
			}
			met[nonce] = true
		}
	}
	for more := true; more; {
		more = false
		for _, op := range ops {
			in, out := op.Input.(input), op.Output.(output)
			if in.view || !out.applied && !(out.unknown && met[in.write.Nonce]) {
				continue
			}
			for _, nonce := range in.write.Expect {
				more = more || !met[nonce]
				met[nonce] = true
			}
		}
	}
	return met, shown
}
