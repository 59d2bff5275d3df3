package soak

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

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
	examples = 3       // duplicates to name
	part     = 1 << 20 // ids that are sorted at a time
)

// Check reads logs and compares all their ids. Logs that ascend, as they should,
// are merged as they are; others are sorted first, part by part, in files of the
// folder temp. Bytes of an id that its process was killed before it had written in
// whole do not count.
func Check(logs []Log, temp string) (f Findings, err error) {
	var m merger
	defer func() { err = errors.Join(err, m.close()) }()
	for _, l := range logs {
		ids, violations, err := survey(l.Path)
		f.IDs += ids
		f.OrderViolations += violations
		if err == nil && violations == 0 {
			err = m.add(l.Name, l.Path)
		} else if err == nil {
			err = m.addSorted(l, temp)
		}
		if err != nil {
			return f, fmt.Errorf("soak: checking the log %s: %w", l.Path, err)
		}
	}
	if err := m.merge(&f); err != nil {
		return f, fmt.Errorf("soak: comparing the logs: %w", err)
	}
	return f, nil
}

// survey counts ids, and those that are not above the one before them.
func survey(path string) (ids, violations int64, err error) {
	last := uid.ID(-1)
	err = eachID(path, func(id uid.ID) error {
		ids++
		if id <= last {
			violations++
		}
		last = id
		return nil
	})
	return ids, violations, err
}

// addSorted takes a log in in parts, each sorted in memory and kept in a file.
func (m *merger) addSorted(l Log, temp string) error {
	ids, parts := make([]uid.ID, 0, part), 0
	flush := func() error {
		slices.Sort(ids)
		path := filepath.Join(temp, fmt.Sprintf("%s.%d.sorted", filepath.Base(l.Path), parts))
		if err := writeIDs(path, ids); err != nil {
			return err
		}
		ids, parts = ids[:0], parts+1
		return m.add(l.Name, path)
	}
	err := eachID(l.Path, func(id uid.ID) error {
		if ids = append(ids, id); len(ids) == part {
			return flush()
		}
		return nil
	})
	return errors.Join(err, flush())
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

func writeIDs(path string, ids []uid.ID) error {
	b := make([]byte, 0, len(ids)*idBytes)
	for _, id := range ids {
		b = appendID(b, id)
	}
	return os.WriteFile(path, b, 0o600)
}
