package idlog

import (
	"time"

	"github.com/ringuid/ringuid/uid"
)

// mostWorkers is how many worker ids are told apart.
const mostWorkers = 1 << 16

// A worker is what is known of the ids with one worker id.
type worker struct {
	Worker
	first, last uid.Parts // of the least and the largest tick

	// Within an input.
	input    int
	previous uid.ID
	at       time.Time // of previous
}

// worker returns the worker with this id, or nil when there are too many.
func (k *check) worker(id int64) *worker {
	w := k.workers[id]
	if w == nil && len(k.workers) < mostWorkers {
		w = &worker{Worker: Worker{Worker: id}, input: -1}
		k.workers[id] = w
	}
	return w
}

// add takes an id in, and reports whether it is above the one before it in its input.
func (w *worker) add(id uid.ID, p uid.Parts, input int) (ordered bool) {
	if w.IDs == 0 || p.Tick < w.first.Tick {
		w.first = p
	}
	if w.IDs == 0 || p.Tick > w.last.Tick {
		w.last = p
	}
	w.IDs++
	ordered = w.input != input || id > w.previous
	if !ordered {
		w.OutOfOrder++
		w.StepBack = max(w.StepBack, w.at.Sub(p.Time).Seconds())
	}
	w.input, w.previous, w.at = input, id, p.Time
	return ordered
}
