package idlog

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/ringuid/ringuid/uid"
)

// A lineParser reads the lines of one input: from the bytes of a line to its id and the
// time at which it was written.
type lineParser struct {
	Format
	times    times
	split    *splitter // nil before the first line
	header   bool      // the next line is
	id, time int       // columns, from 1 on; 0: none
}

func newLineParser(f Format) *lineParser {
	f.IDColumn = cmp.Or(f.IDColumn, "1")
	p := &lineParser{Format: f, times: times{zone: f.Zone}}
	if f.JSONID != "" {
		return p
	}
	var named [2]bool
	p.id, named[0] = columnNumber(f.IDColumn)
	p.time, named[1] = columnNumber(f.TimeColumn)
	p.header = named[0] || named[1]
	return p
}

// parse returns the id of a line, and its time in Unix milliseconds if there is to be one.
// Lines without an id, empty ones and headers, are not ok.
func (p *lineParser) parse(line []byte) (id uid.ID, ms int64, ok bool, err error) {
	for len(line) > 0 && (isBlank(line[len(line)-1]) || line[len(line)-1] == '\r') {
		line = line[:len(line)-1]
	}
	if len(line) == 0 {
		return 0, 0, false, nil
	}
	if p.header {
		return 0, 0, false, p.readHeader(line)
	}
	text, at, err := p.fields(line)
	if err != nil {
		return 0, 0, false, err
	}
	parse := parseID
	if p.Base32 {
		parse = parseBase32
	}
	if id, err = parse(text); err != nil {
		return 0, 0, false, err
	}
	if p.Timed() {
		ms, err = p.times.parse(at)
	}
	return id, ms, err == nil, err
}

// columnNumber reports whether the column has a name instead.
func columnNumber(name string) (n int, named bool) {
	n, err := strconv.Atoi(name)
	return n, err != nil && name != ""
}

// readHeader takes a line for the one with the names.
func (p *lineParser) readHeader(line []byte) error {
	p.header = false
	p.splitLike(line)
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

// fields returns the text of a line's id, and of its time if there is to be one.
func (p *lineParser) fields(line []byte) (id, at []byte, err error) {
	if p.JSONID == "" {
		return p.columns(line)
	}
	begin := bytes.IndexByte(line, '{') // after whatever a logger writes before
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

// splitLike sees from the first line how lines are to be split.
func (p *lineParser) splitLike(line []byte) {
	if p.split == nil {
		s := newSplitter(p.Separator, line)
		p.split = &s
	}
}

func (p *lineParser) columns(line []byte) (id, at []byte, err error) {
	p.splitLike(line)
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
