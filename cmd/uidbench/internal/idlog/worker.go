package idlog

import "github.com/ringuid/ringuid/uid"

// mostWorkers is how many worker ids are told apart. Each takes
// up to three kilobytes.
const mostWorkers = 1 << 16

// A worker is what is known of the ids with one worker id.
type worker struct {
	id          int64
	ids         int64
	first, last int64 // ticks, the least and the largest

	// Within an input.
	input    int
	previous uid.ID

	outOfOrder int64
	stepBack   int64 // the largest, in ticks
	duplicates int64

	// spread is of the milliseconds that the time of an id is ahead of its line's
	// or, where lines have no times, behind the newest id above it.
	spread spread
}

// workers are told apart up to a bound.
type workers struct {
	all  map[int64]*worker
	last *worker // the next id is often of the same
}

// of returns the worker with this id, or nil when there are too many.
func (w *workers) of(id int64) *worker {
	if w.last != nil && w.last.id == id {
		return w.last
	}
	found := w.all[id]
	if found == nil {
		if len(w.all) == mostWorkers {
			return nil
		}
		found = &worker{id: id, input: -1}
		w.all[id] = found
	}
	w.last = found
	return found
}

// add takes an id in, and reports whether it is above the one before it.
func (w *worker) add(id uid.ID, tick int64, input int, ticks part) (ordered bool) {
	if w.ids == 0 {
		w.first, w.last = tick, tick
	}
	w.ids++
	w.first, w.last = min(w.first, tick), max(w.last, tick)
	ordered = w.input != input || id > w.previous
	if !ordered {
		w.outOfOrder++
		w.stepBack = max(w.stepBack, ticks.of(w.previous)-tick)
	}
	w.input, w.previous = input, id
	return ordered
}
