package soak

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/idlog"
	"github.com/ringuid/ringuid/uid"
)

// A Log names a file of ids, 8 bytes each, in little-endian order: one life of one
// process.
type Log struct {
	Name string // to show
	Path string
}

// Findings are what is in logs.
type Findings struct {
	IDs             int64
	Duplicates      int64 // ids that came before, in any log
	OrderViolations int64 // ids not above the one before them in their log
	First           []Duplicate
}

// Duplicate is an id that is in two logs, or twice in one.
type Duplicate struct {
	ID   uid.ID    `json:"id"`
	Logs [2]string `json:"logs"`
}

const (
	idBytes  = 8
	examples = 3 // duplicates to name
)

// checkMemory is what the check of a soak sorts in, which is about a million ids.
const checkMemory = 64 << 20

// Check reads logs and compares all their ids. What does not fit in a little memory
// is sorted in a file in the folder temp. Bytes of an id that its process was killed
// before it had written in whole do not count.
func Check(logs []Log, temp string) (f Findings, err error) {
	sorter := idlog.NewSorter(checkMemory, temp)
	defer func() { err = errors.Join(err, sorter.Close()) }()
	for i, l := range logs {
		last := uid.ID(-1)
		err := eachID(l.Path, func(id uid.ID) error {
			f.IDs++
			if id <= last {
				f.OrderViolations++
			}
			last = id
			return sorter.Add(idlog.Entry{ID: id, At: int64(i)})
		})
		if err != nil {
			return f, fmt.Errorf("soak: checking the log %s: %w", l.Path, err)
		}
	}
	if err := f.compare(sorter, logs); err != nil {
		return f, fmt.Errorf("soak: comparing the logs: %w", err)
	}
	return f, nil
}

// compare goes through the ids in their order, where equal ones are neighbours. A
// soak that was interrupted is checked to the end.
func (f *Findings) compare(sorter *idlog.Sorter, logs []Log) error {
	last := idlog.Entry{ID: -1}
	return sorter.Each(context.Background(), func(e idlog.Entry) error {
		if e.ID == last.ID {
			f.Duplicates++
			if len(f.First) < examples {
				f.First = append(f.First, Duplicate{e.ID, [2]string{logs[last.At].Name, logs[e.At].Name}})
			}
		}
		last = e
		return nil
	})
}

func eachID(path string, do func(uid.ID) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, 64<<10)
	for {
		id, err := readID(in)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := do(id); err != nil {
			return err
		}
	}
}

// readID reads the next id, or returns io.EOF.
func readID(in *bufio.Reader) (uid.ID, error) {
	b, err := in.Peek(idBytes)
	if err != nil {
		return 0, err
	}
	id := uid.ID(binary.LittleEndian.Uint64(b))
	_, err = in.Discard(idBytes)
	return id, err
}

func appendID(b []byte, id uid.ID) []byte { return binary.LittleEndian.AppendUint64(b, uint64(id)) }
