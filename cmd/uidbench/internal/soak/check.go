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

// A logFile holds ids, 8 bytes each, in little-endian order: those of one life of one
// process.
type logFile struct {
	name string // to show
	path string
}

// findings are what is in logs.
type findings struct {
	ids             int64
	duplicates      int64 // ids that came before, in any log
	orderViolations int64 // ids not above the one before them in their log
	first           []Duplicate
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

// checkLogs reads logs and compares all their ids. What does not fit in a little memory
// is sorted in a file in the folder temp. Bytes of an id that its process was killed
// before it had written in whole do not count.
func checkLogs(logs []logFile, temp string) (f findings, err error) {
	sorter := idlog.NewSorter(checkMemory, temp)
	defer func() { err = errors.Join(err, sorter.Close()) }()
	for i, l := range logs {
		last := uid.ID(-1)
		err := eachID(l.path, func(id uid.ID) error {
			f.ids++
			if id <= last {
				f.orderViolations++
			}
			last = id
			return sorter.Add(idlog.Entry{ID: id, At: int64(i)})
		})
		if err != nil {
			return f, fmt.Errorf("soak: checking the log %s: %w", l.path, err)
		}
	}
	if err := f.compare(sorter, logs); err != nil {
		return f, fmt.Errorf("soak: comparing the logs: %w", err)
	}
	return f, nil
}

// compare goes through the ids in their order, where equal ones are neighbours. A
// soak that was interrupted is checked to the end.
func (f *findings) compare(sorter *idlog.Sorter, logs []logFile) error {
	last := idlog.Entry{ID: -1}
	return sorter.Each(context.Background(), func(e idlog.Entry) error {
		if e.ID == last.ID {
			f.duplicates++
			if len(f.first) < examples {
				f.first = append(f.first, Duplicate{e.ID, [2]string{logs[last.At].name, logs[e.At].name}})
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
