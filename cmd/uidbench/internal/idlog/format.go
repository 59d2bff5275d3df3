package idlog

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/ringuid/ringuid/uid"
)

// Format says where in a line the id is. The zero Format has it in the first column.
type Format struct {
	// IDColumn is the number of a column, from 1, or its name in the first line of each
	// input. "": the first.
	IDColumn string

	// Separator is what separates columns; one blank stands for any number of blanks. "":
	// commas, tabs or blanks, whichever of these the first line of an input has, in this
	// order.
	Separator string

	// JSONID is for lines with a JSON object: the path of its field in gjson's syntax (uid,
	// request.id).
	JSONID string

	// Base32 says that ids are in base32, not decimal. This cannot always be detected:
	// one base32 id in a million is all digits.
	Base32 bool
}

var (
	// ErrFormat is wrapped for an invalid Format, or one that an input does not have.
	ErrFormat = errors.New("wrong format")

	// ErrLine is wrapped for a line without an id of the Format.
	ErrLine = errors.New("bad line")
)

// Validate refuses an invalid Format; the error wraps ErrFormat.
func (f Format) Validate() error {
	if n, err := strconv.Atoi(f.IDColumn); err == nil && n < 1 {
		return fmt.Errorf("%w: there is no column %d: they count from 1", ErrFormat, n)
	}
	return nil
}

// A parser reads the lines of one input.
type parser struct {
	Format
	column int // from 1 on; 0: the next line has its name
}

func newParser(f Format) *parser {
	p := &parser{Format: f}
	p.column, _ = strconv.Atoi(cmp.Or(f.IDColumn, "1")) // 0 of a name
	return p
}

// parse returns the id of a line. Lines without one, empty ones and headers, are not ok.
func (p *parser) parse(line []byte) (id uid.ID, ok bool, err error) {
	if len(line) == 0 {
		return 0, false, nil
	}
	text, err := line, error(nil)
	if p.JSONID != "" {
		text, err = p.jsonField(line)
	} else {
		p.separate(line)
		if p.column == 0 {
			return 0, false, p.readHeader(line)
		}
		text, err = p.field(line)
	}
	if err != nil {
		return 0, false, err
	}
	if p.Base32 {
		id, err = uid.ParseBase32(string(text))
	} else {
		id, err = uid.ParseID(string(text))
	}
	if err != nil {
		return 0, false, fmt.Errorf("%w: %w", ErrLine, err)
	}
	return id, true, nil
}

func (p *parser) jsonField(line []byte) ([]byte, error) {
	if begin := bytes.IndexByte(line, '{'); begin >= 0 { // after whatever a logger writes before
		switch r := gjson.GetBytes(line[begin:], p.JSONID); r.Type {
		case gjson.String:
			return []byte(r.Str), nil
		case gjson.Number:
			return []byte(r.Raw), nil
		}
	}
	return nil, fmt.Errorf("%w: no JSON object with a number or a string under %s in %q",
		ErrLine, p.JSONID, clip(line))
}

// separate sees from the first line what separates columns.
func (p *parser) separate(line []byte) {
	for _, s := range []string{",", "\t"} {
		if p.Separator == "" && bytes.Contains(line, []byte(s)) {
			p.Separator = s
		}
	}
	p.Separator = cmp.Or(p.Separator, " ")
}

// readHeader looks in the first line for the name of the column.
func (p *parser) readHeader(line []byte) error {
	for n, rest := 1, line; rest != nil; n++ {
		var field []byte
		if field, rest = p.cut(rest); string(field) == p.IDColumn {
			p.column = n
			return nil
		}
	}
	return fmt.Errorf("%w: no column is named %q in %q", ErrFormat, p.IDColumn, clip(line))
}

// field returns the text of a line's id.
func (p *parser) field(line []byte) (field []byte, err error) {
	n, rest := 0, line
	for ; n < p.column && rest != nil; n++ {
		field, rest = p.cut(rest)
	}
	if n < p.column {
		return nil, fmt.Errorf("%w: there is no column %d in %q, only %d",
			ErrLine, p.column, clip(line), n)
	}
	return field, nil
}

// cut returns the field that a line begins with, which may be in double quotes, and what
// comes behind its separator: nil when there is none.
func (p *parser) cut(line []byte) (field, rest []byte) {
	line = bytes.TrimLeft(line, " ")
	var quoted []byte
	if len(line) > 0 && line[0] == '"' {
		end := closingQuote(line[1:])
		quoted, line = line[1:1+end], line[min(end+2, len(line)):]
	}
	end, width := bytes.Index(line, []byte(p.Separator)), len(p.Separator)
	if p.Separator == " " {
		end, width = bytes.IndexAny(line, " \t"), 1
	}
	field = line
	if end >= 0 {
		field, rest = line[:end], line[end+width:]
	}
	if p.Separator == " " && rest != nil {
		rest = bytes.TrimLeft(rest, " \t")
	}
	if quoted != nil {
		return quoted, rest
	}
	return bytes.TrimSpace(field), rest
}

// closingQuote returns where a quoted text ends. Two quotes are one in the text.
func closingQuote(text []byte) int {
	for i := 0; i < len(text); i++ {
		if text[i] != '"' {
			continue
		}
		if i+1 == len(text) || text[i+1] != '"' {
			return i
		}
		i++
	}
	return len(text)
}

// clip is the beginning of a line, for an error.
func clip(line []byte) []byte { return line[:min(len(line), 60)] }
