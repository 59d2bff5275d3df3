package idlog

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"os"

	"github.com/ringuid/ringuid/uid"
)

// spill is a file of runs, one after the other. A run is entries in the order of
// their ids; of each entry it has what was added to the id and the place before, as
// varints. Dense ids take two bytes an entry so, random ones ten.
type spill struct {
	dir  string
	file *os.File
	size int64
	ends []int64 // of the runs
}

const (
	longestEntry = 2 * binary.MaxVarintLen64
	writeBuffer  = 256 << 10

	// Buffers of the merger: they share an eighth of the memory.
	leastReadBuffer = 4 << 10
	mostReadBuffer  = 256 << 10
)

// create makes the file and removes its name at once, so that nothing is left when
// this process is killed. Windows removes no open file: there close does it.
func (s *spill) create() (err error) {
	if s.dir == "" {
		s.dir = os.TempDir()
	}
	if s.file, err = os.CreateTemp(s.dir, "uidbench-*.ids"); err != nil {
		return tempError(s.dir, err)
	}
	_ = os.Remove(s.file.Name())
	return nil
}

// write adds a run.
func (s *spill) write(entries []Entry) error {
	if s.file == nil {
		if err := s.create(); err != nil {
			return err
		}
	}
	out := bufio.NewWriterSize(s.file, writeBuffer)
	var (
		last Entry
		b    [longestEntry]byte
	)
	for _, e := range entries {
		n := binary.PutUvarint(b[:], uint64(e.ID-last.ID))
		n += binary.PutVarint(b[n:], e.At-last.At)
		s.size += int64(n)
		last = e
		if _, err := out.Write(b[:n]); err != nil {
			return tempError(s.dir, err)
		}
	}
	if err := out.Flush(); err != nil {
		return tempError(s.dir, err)
	}
	s.ends = append(s.ends, s.size)
	return nil
}

// sources returns the runs.
func (s *spill) sources(memory int64) (sources []source) {
	begin := int64(0)
	for _, end := range s.ends {
		size := max(leastReadBuffer, min(mostReadBuffer, memory/8/int64(len(s.ends))))
		r := &stored{dir: s.dir, in: bufio.NewReaderSize(io.NewSectionReader(s.file, begin, end-begin), int(size))}
		sources, begin = append(sources, r), end
	}
	return sources
}

func (s *spill) close() error {
	if s.file == nil {
		return nil
	}
	name := s.file.Name()
	err := s.file.Close()
	if gone := os.Remove(name); gone != nil && !errors.Is(gone, os.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	s.file = nil
	if err != nil {
		return tempError(s.dir, err)
	}
	return nil
}

// stored is a run that is being read.
type stored struct {
	dir  string
	in   *bufio.Reader
	last Entry
}

func (r *stored) next() (Entry, error) {
	b, err := r.in.Peek(longestEntry)
	if len(b) == 0 {
		if err == io.EOF {
			return Entry{}, err
		}
		return Entry{}, tempError(r.dir, err)
	}
	id, n := binary.Uvarint(b)
	at, m := binary.Varint(b[max(n, 0):])
	if n <= 0 || m <= 0 {
		return Entry{}, tempError(r.dir, errors.Join(io.ErrUnexpectedEOF, err))
	}
	r.last.ID += uid.ID(id)
	r.last.At += at
	_, err = r.in.Discard(n + m) // they were peeked at
	return r.last, err
}
