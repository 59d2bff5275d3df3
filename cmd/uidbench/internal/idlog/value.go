package idlog

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/ringuid/ringuid/uid"
)

// parseID reads an id in decimal.
func parseID(text []byte) (uid.ID, error) {
	if n := len(text); n > 0 && n <= 19 { // so it fits 64 bits
		v, i := uint64(0), 0
		for ; i < n; i++ {
			d := text[i] - '0'
			if d > 9 {
				break
			}
			v = 10*v + uint64(d)
		}
		if i == n && v <= math.MaxInt64 {
			return uid.ID(v), nil
		}
	}
	return parseRareID(string(text))
}

// parseRareID reads an id with more leading zeros, or says what is wrong with it.
func parseRareID(text string) (uid.ID, error) {
	id, err := uid.ParseID(text)
	if err == nil {
		return id, nil
	}
	switch _, err := uid.ParseBase32(text); {
	case text == "":
		return 0, fmt.Errorf("%w: where its id should be is nothing", ErrLine)
	case err == nil:
		return 0, fmt.Errorf("%w: %q is not decimal, but would be an id in base32", ErrLine, text)
	}
	return 0, fmt.Errorf("%w: %q is not an id, which is a number from 0 to %d", ErrLine, clip([]byte(text)), int64(math.MaxInt64))
}

func parseBase32(text []byte) (uid.ID, error) {
	id, err := uid.ParseBase32(string(text))
	if err != nil {
		return 0, fmt.Errorf("%w: %q is not an id in base32, which has 13 characters", ErrLine, clip(text))
	}
	return id, nil
}

// times reads the times of lines.
type times struct {
	zone *time.Location
	text []byte // the last one, as RFC 3339 has it
}

// parse returns a time in Unix milliseconds. It is as RFC 3339 has it, give or take
// what loggers change, or a number since 1970 of seconds, milliseconds, microseconds
// or nanoseconds, whichever comes nearest to our days.
func (t *times) parse(text []byte) (ms int64, err error) {
	if len(text) > len("2006-01-02T") && (text[4] == '-' || text[4] == '/') {
		if at, err := t.parseDate(text); err == nil {
			return at.UnixMilli(), nil
		}
	} else if ms, ok := parseNumber(text); ok {
		return ms, nil
	}
	return 0, fmt.Errorf("%w: %q is not a time such as 2026-01-02T15:04:05Z or 1767366245.123", ErrLine, clip(text))
}

// parseDate reads 2006-01-02T15:04:05Z, also with a blank for the T, slashes for
// hyphens, a comma for the point, +0800 for +08:00, and no zone.
func (t *times) parseDate(text []byte) (at time.Time, err error) {
	t.text = append(t.text[:0], text...)
	for i, c := range t.text {
		switch {
		case c == '/' && (i == 4 || i == 7):
			t.text[i] = '-'
		case c == ' ' && i == 10:
			t.text[i] = 'T'
		case c == ',' && i == 19:
			t.text[i] = '.'
		}
	}
	local := false
	switch sign := bytes.LastIndexAny(t.text, "+-Zz"); {
	case sign < 10:
		t.text, local = append(t.text, 'Z'), true
	case sign == len(t.text)-5:
		t.text = append(t.text[:len(t.text)-2], ':', t.text[len(t.text)-2], t.text[len(t.text)-1])
	}
	if err := at.UnmarshalText(t.text); err != nil {
		return at, err
	}
	if local && t.zone != nil {
		at = time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), t.zone)
	}
	return at, nil
}

// isDate reports whether a field is a day, whose time is still to come.
func isDate(text []byte) bool {
	return len(text) == len("2006-01-02") && (text[4] == '-' || text[4] == '/') && text[7] == text[4]
}

// The units of numbers: a time in the years until 5138 is below these.
const (
	belowSeconds = 1e11
	belowMillis  = 1e14
	belowMicros  = 1e17
)

func parseNumber(text []byte) (ms int64, ok bool) {
	whole, rest, _ := bytes.Cut(text, []byte("."))
	n, err := strconv.ParseInt(string(whole), 10, 64)
	if err != nil || n < 0 || !allDigits(rest) {
		return parseFloat(string(text))
	}
	switch {
	case n < belowSeconds:
		return 1000*n + thousandths(rest), true
	case n < belowMillis:
		return n, true
	case n < belowMicros:
		return n / 1e3, true
	}
	return n / 1e6, true
}

// parseFloat reads seconds such as 1.767366245e+09.
func parseFloat(text string) (ms int64, ok bool) {
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(seconds) || seconds < 0 || seconds >= belowSeconds {
		return 0, false
	}
	return int64(math.Round(1000 * seconds)), true
}

func allDigits(text []byte) bool {
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// thousandths returns the first three digits after the point.
func thousandths(digits []byte) (n int64) {
	for i := range 3 {
		n *= 10
		if i < len(digits) {
			n += int64(digits[i] - '0')
		}
	}
	return n
}
