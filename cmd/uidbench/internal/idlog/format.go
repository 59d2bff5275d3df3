package idlog

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/tidwall/gjson"
)

// Format says where in a line the id is, and when the line was written. The zero
// Format has the id in the first column, and no time.
type Format struct {
	// IDColumn and TimeColumn are numbers, from 1 on, or names that stand in the
	// first line of each input. "": the first column, and no time.
	IDColumn, TimeColumn string

	// Separator is what is between two columns; one blank stands for any number of
	// them. "": what the first line of an input has of commas or else tabs or else
	// blanks.
	Separator string

	// JSONID and JSONTime are for lines with a JSON object: the paths of its
	// fields, as gjson has them (uid, request.id). With them there are no columns.
	JSONID, JSONTime string

	// Base32 is for ids in base32; without it they are decimal. One cannot always tell
	// by looking: one of a million in base32 is all digits.
	Base32 bool

	// Zone is that of times which do not say theirs. Nil: UTC.
	Zone *time.Location
}

var (
	// ErrFormat is wrapped for a Format that cannot be meant, or not of an input.
	ErrFormat = errors.New("idlog: format")

	// ErrLine is wrapped for a line without an id, or a time, of the Format.
	ErrLine = errors.New("bad line")
)

// Timed reports whether lines have a time.
func (f Format) Timed() bool { return f.TimeColumn != "" || f.JSONTime != "" }

// Validate says what cannot be meant; the error wraps ErrFormat.
func (f Format) Validate() error {
	columns := f.IDColumn != "" || f.TimeColumn != "" || f.Separator != ""
	switch {
	case f.JSONTime != "" && f.JSONID == "":
		return fmt.Errorf("%w: a time from JSON needs an id from JSON", ErrFormat)
	case f.JSONID != "" && columns:
		return fmt.Errorf("%w: a line of JSON has no columns: choose one or the other", ErrFormat)
	case cmp.Or(f.IDColumn, "1") == f.TimeColumn:
		return fmt.Errorf("%w: column %s cannot be both the id and the time", ErrFormat, f.TimeColumn)
	}
	for _, name := range []string{f.IDColumn, f.TimeColumn} {
		if n, err := strconv.Atoi(name); err == nil && (n < 1 || n > mostColumns) {
			return fmt.Errorf("%w: there is no column %d: they count from 1 to %d", ErrFormat, n, mostColumns)
		}
	}
	return nil
}

const mostColumns = 10_000

// picker finds the fields in the lines of one input.
type picker struct {
	Format
	split    *splitter // nil before the first line
	header   bool      // the next line is
	id, time int       // columns, from 1 on; 0: none
}

func newPicker(f Format) *picker {
	f.IDColumn = cmp.Or(f.IDColumn, "1")
	p := &picker{Format: f}
	if f.JSONID != "" {
		return p
	}
	var named [2]bool
	p.id, named[0] = columnNumber(f.IDColumn)
	p.time, named[1] = columnNumber(f.TimeColumn)
	p.header = named[0] || named[1]
	return p
}

// columnNumber reports whether the column has a name instead.
func columnNumber(name string) (n int, named bool) {
	n, err := strconv.Atoi(name)
	return n, err != nil && name != ""
}

// readHeader takes a line for the one with the names.
func (p *picker) readHeader(line []byte) error {
	p.header = false
	p.look(line)
	for _, c := range []struct {
		name   string
		number *int
	}{{p.IDColumn, &p.id}, {p.TimeColumn, &p.time}} {
		if _, named := columnNumber(c.name); !named {
			continue
		}
		if *c.number = p.split.find(line, c.name); *c.number == 0 {
			return fmt.Errorf("%w: no column is named %q in %q", ErrFormat, c.name, clip(line))
		}
	}
	return nil
}

// pick returns the id of a line, and its time if there is to be one.
func (p *picker) pick(line []byte) (id, at []byte, err error) {
	if p.JSONID == "" {
		return p.pickColumns(line)
	}
	begin := bytes.IndexByte(line, '{') // behind whatever a logger writes before
	if begin < 0 {
		return nil, nil, fmt.Errorf("%w: there is no JSON object in %q", ErrLine, clip(line))
	}
	if id, err = jsonField(line[begin:], p.JSONID); err == nil && p.JSONTime != "" {
		at, err = jsonField(line[begin:], p.JSONTime)
	}
	return id, at, err
}

func jsonField(line []byte, path string) ([]byte, error) {
	switch r := gjson.GetBytes(line, path); r.Type {
	case gjson.String:
		return []byte(r.Str), nil
	case gjson.Number:
		return []byte(r.Raw), nil
	}
	return nil, fmt.Errorf("%w: no number and no string has the key %s in %q", ErrLine, path, clip(line))
}

// look sees from the first line how lines are to be split.
func (p *picker) look(line []byte) {
	if p.split == nil {
		s := newSplitter(p.Separator, line)
		p.split = &s
	}
}

func (p *picker) pickColumns(line []byte) (id, at []byte, err error) {
	p.look(line)
	for column, next, more := 1, 0, true; ; column++ {
		if !more {
			return nil, nil, fmt.Errorf("%w: there is no column %d in %q, only %d", ErrLine, max(p.id, p.time), clip(line), column-1)
		}
		var begin, end int
		begin, end, next, more = p.split.cut(line, next)
		if column == p.id {
			id = line[begin:end]
		}
		if column == p.time {
			if more && isDate(line[begin:end]) { // its time of day is the next one
				_, end, _, _ = p.split.cut(line, next)
			}
			at = line[begin:end]
		}
		if column >= p.id && column >= p.time {
			return id, at, nil
		}
	}
}

// clip is the beginning of a line, for an error.
func clip(line []byte) []byte { return line[:min(len(line), 60)] }
