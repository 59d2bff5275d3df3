package soak

import (
	"bufio"
	"container/heap"
	"errors"
	"io"
	"os"

	"github.com/ringuid/ringuid/uid"
)

// run is a file of ascending ids that is being read.
type run struct {
	name string // of the log that it is from
	in   *bufio.Reader
	next uid.ID
}

// merger is a heap of runs, the one with the least next id on top.
type merger struct {
	runs  []*run
	files []*os.File
}

func (m *merger) Len() int           { return len(m.runs) }
func (m *merger) Less(i, j int) bool { return m.runs[i].next < m.runs[j].next }
func (m *merger) Swap(i, j int)      { m.runs[i], m.runs[j] = m.runs[j], m.runs[i] }
func (m *merger) Push(x any)         { m.runs = append(m.runs, x.(*run)) }
func (m *merger) Pop() any {
	last := len(m.runs) - 1
	r := m.runs[last]
	m.runs = m.runs[:last]
	return r
}

// add takes in a file of ascending ids.
func (m *merger) add(name, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	m.files = append(m.files, file)
	r := &run{name: name, in: bufio.NewReaderSize(file, 32<<10)}
	if r.next, err = readID(r.in); err == io.EOF {
		return nil
	}
	m.runs = append(m.runs, r)
	return err
}

// merge goes through the ids of all runs in order, where equal ones are
// neighbours.
func (m *merger) merge(f *Findings) error {
	heap.Init(m)
	last, from := uid.ID(-1), ""
	for len(m.runs) > 0 {
		r := m.runs[0]
		if r.next == last {
			f.Duplicates++
			if len(f.First) < examples {
				f.First = append(f.First, Duplicate{last, [2]string{from, r.name}})
			}
		}
		last, from = r.next, r.name
		var err error
		switch r.next, err = readID(r.in); err {
		case nil:
			heap.Fix(m, 0)
		case io.EOF:
			heap.Pop(m)
		default:
			return err
		}
	}
	return nil
}

func (m *merger) close() error {
	var errs []error
	for _, file := range m.files {
		errs = append(errs, file.Close())
	}
	return errors.Join(errs...)
}
