package idlog

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// Format says where in a line the id is, and when the line was written. The zero
// Format has the id in the first column, and no time.
type Format struct {
	// IDColumn and TimeColumn are column numbers, from 1, or names in the first line of
	// each input. "": the first column, and no time.
	IDColumn, TimeColumn string

	// Separator is what separates columns; one blank stands for any number of blanks. "":
	// commas, tabs or blanks, whichever of these the first line of an input has, in this
	// order.
	Separator string

	// JSONID and JSONTime are for lines with a JSON object: the paths of its fields in
	// gjson's syntax (uid, request.id). Columns cannot be used then.
	JSONID, JSONTime string

	// Base32 says that ids are in base32, not decimal. This cannot always be detected:
	// one base32 id in a million is all digits.
	Base32 bool

	// Zone is the time zone of times that do not name one. Nil: UTC.
	Zone *time.Location
}

var (
	// ErrFormat is wrapped for an invalid Format, or one that an input does not have.
	ErrFormat = errors.New("wrong format")

	// ErrLine is wrapped for a line without an id, or a time, of the Format.
	ErrLine = errors.New("bad line")
)

// Timed reports whether lines have a time.
func (f Format) Timed() bool { return f.TimeColumn != "" || f.JSONTime != "" }

// Validate refuses an invalid Format; the error wraps ErrFormat.
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
