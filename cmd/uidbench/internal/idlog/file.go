package idlog

import (
	"fmt"
	"slices"

	"github.com/ringuid/ringuid/uid"
)

// A file is what is known of the input that is being read.
type file struct {
	*check
	lines      *lineParser
	number     int
	previous   uid.ID
	newestTick int64
}

// take takes in a line. Empty ones count as lines alone.
func (f *file) take(line []byte) error {
	id, ms, ok, err := f.lines.parse(line)
	if err != nil || !ok {
		return err
	}
	f.count(id, ms)
	return f.sorter.Add(Entry{id, f.found.Lines - 1})
}

// count takes in an id, from a line that was written at a time.
func (f *file) count(id uid.ID, ms int64) {
	k := f.check
	k.found.IDs++
	if id <= f.previous {
		k.found.OutOfOrder++
	}
	f.previous = id
	tick, worker, ok := k.parse(id)
	if tick > k.newestNow {
		k.found.AheadOfNow++
	}
	if !ok {
		k.foreignID(id)
		return
	}
	if k.found.IDs-k.found.Foreign == 1 {
		k.first, k.last = tick, tick
	}
	k.first, k.last = min(k.first, tick), max(k.last, tick)
	f.newestTick = max(f.newestTick, tick)
	w := k.known.of(worker)
	if w == nil {
		k.found.OfOtherWorkers++
		return
	}
	if !w.add(id, tick, f.number, k.ticks) {
		k.found.OutOfOrderOfWorker++
	}
	if k.Format.Timed() {
		w.spread.add(k.millis(tick) - ms)
	} else {
		w.spread.add(k.span(f.newestTick - tick))
	}
}

func (k *check) foreignID(id uid.ID) {
	if k.found.Foreign++; k.found.Foreign == 1 {
		_, err := k.layout.Parse(id)
		k.found.FirstForeign = fmt.Sprintf("%v: %v", k.place(k.found.Lines-1), err)
	}
}

// place says which line this is, counted over all inputs from 0 on.
func (k *check) place(line int64) Place {
	i, found := slices.BinarySearch(k.starts, line)
	if !found {
		i--
	}
	for i+1 < len(k.starts) && k.starts[i+1] == line { // inputs without lines
		i++
	}
	return Place{k.inputs[i].Name, line - k.starts[i] + 1}
}
