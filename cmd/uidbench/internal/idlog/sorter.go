package idlog

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/ringuid/ringuid/uid"
)

// An Entry is an id and where it was found: a number whose meaning the caller defines,
// such as a line number.
type Entry struct {
	ID uid.ID
	At int64
}

const entryBytes = 16

// Sorter sorts any number of ids within bounded memory. Add them all, and then call Each,
// once. It is for one goroutine.
//
// It has three buffers: one is filled while a goroutine sorts the previous one, with the
// help of the third, and writes it to a file as a run. Each merges the runs.
type Sorter struct {
	memory  int64
	written int64   // entries, or about to be
	entries []Entry // being filled
	scratch []Entry
	runs    spill

	sorting bool
	sorted  chan sortedBuffer
}

// sortedBuffer is what the sorting goroutine gives back: a buffer that is free
// again.
type sortedBuffer struct {
	buffer []Entry
	err    error
}

// NewSorter returns a sorter that takes about this many bytes of memory, as ids
// come. What does not fit goes to a file in the folder temp ("": the system's
// own), 2 to 20 bytes an id.
func NewSorter(memory int64, temp string) *Sorter {
	room := max(min(memory/(3*entryBytes), math.MaxInt/(4*entryBytes)), 1)
	return &Sorter{
		memory:  memory,
		entries: make([]Entry, 0, int(room)), // no memory yet: pages come when they are written to
		runs:    spill{dir: temp},
		sorted:  make(chan sortedBuffer, 1),
	}
}

// Add adds an entry. An error wraps ErrTemp and is final.
func (s *Sorter) Add(e Entry) error {
	s.entries = append(s.entries, e)
	if len(s.entries) == cap(s.entries) {
		return s.flush()
	}
	return nil
}

// flush has the full buffer sorted and written, and goes on with another.
func (s *Sorter) flush() error {
	free, err := s.wait()
	if err != nil {
		return err
	}
	if free == nil {
		free = make([]Entry, 0, cap(s.entries))
	}
	if s.scratch == nil {
		s.scratch = make([]Entry, cap(s.entries))
	}
	full := s.entries
	s.written += int64(len(full))
	s.entries, s.sorting = free, true
	go func() {
		err := s.runs.write(sortEntries(full, s.scratch))
		s.sorted <- sortedBuffer{full[:0], err}
	}()
	return nil
}

// wait waits until nothing is being sorted, and returns the buffer that is free
// then, if there is one.
func (s *Sorter) wait() ([]Entry, error) {
	if !s.sorting {
		return nil, nil
	}
	s.sorting = false
	last := <-s.sorted
	return last.buffer, last.err
}

// Each calls do with all entries, in the order of their ids, and equal ids in the
// order of At. It ends with the first error of do, or ctx's. Another error wraps
// ErrTemp.
func (s *Sorter) Each(ctx context.Context, do func(Entry) error) error {
	if _, err := s.wait(); err != nil {
		return err
	}
	if s.scratch == nil {
		s.scratch = make([]Entry, len(s.entries))
	}
	rest := sortEntries(s.entries, s.scratch[:len(s.entries)])
	s.entries, s.scratch = nil, nil // the merger needs the memory
	added, n := s.written+int64(len(rest)), int64(0)
	err := merge(ctx, append(s.runs.sources(s.memory), &inMemory{rest}), func(e Entry) error {
		n++
		return do(e)
	})
	if err == nil && n != added {
		err = tempError(s.runs.dir, fmt.Errorf("%d of %d ids came back", n, added))
	}
	return err
}

// Close frees memory and file. It may be called at any time, and more than once.
func (s *Sorter) Close() error {
	_, err := s.wait()
	s.entries, s.scratch = nil, nil
	return errors.Join(err, s.runs.close())
}

// ErrTemp is wrapped when a temporary file cannot be made, written or read.
var ErrTemp = errors.New("temporary file")

func tempError(dir string, err error) error {
	return fmt.Errorf("%w in %s: %w", ErrTemp, dir, err)
}
