package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
	"github.com/spf13/pflag"

	"github.com/ringuid/ringuid/worker"
)

// value is a flag that set reads. Help shows its default, unless it says that in words.
type value struct {
	set func(string) error
	def string
}

// Set implements pflag.Value, as String and Type do.
func (v value) Set(s string) error { return v.set(s) }
func (v value) String() string     { return v.def }
func (value) Type() string         { return "" }

// maxWhole is where a float64 stops telling whole numbers apart.
const maxWhole = 1 << 53

var errAmount = errors.New("type it like 1000000, 1e6 or 1M")

// Amount returns a flag that takes a number of ids, or of ids a second: 1000000, 1_000_000, 1e6 or
// 1M. whole says that it is of things that cannot be divided. Its default is the number as it is.
func Amount(n *float64, whole bool) pflag.Value {
	return value{func(s string) error {
		number, factor := s, 1.0
		for i, suffix := range []string{"k", "M", "G", "T"} {
			if n, ok := strings.CutSuffix(s, suffix); ok {
				number, factor = n, math.Pow(1000, float64(i+1))
			}
		}
		v, err := strconv.ParseFloat(number, 64)
		v *= factor
		if err != nil || !(v > 0) || math.IsInf(v, 0) || whole && (v != math.Trunc(v) || v > maxWhole) {
			return errAmount
		}
		*n = v
		return nil
	}, strconv.FormatFloat(*n, 'f', -1, 64)}
}

// OneOf returns a flag that takes one of the words. Its default is the value as it is.
func OneOf(word *string, words ...string) pflag.Value {
	return value{func(s string) error {
		if !slices.Contains(words, s) {
			return errors.New("type " + strings.Join(words, " or "))
		}
		*word = s
		return nil
	}, *word}
}

// A Format is the word of --format: text or json.
type Format string

// Bind binds the flag; what names the output that has the format.
func (f *Format) Bind(flags *pflag.FlagSet, what string) {
	*f = "text"
	flags.Var(OneOf((*string)(f), "text", "json"), "format", "`FORMAT`, text or json, of the "+what)
}

// Write writes an answer as JSON, or has it written as text, where tabs end the cells of a table.
func (f Format) Write(w io.Writer, answer any, text func(io.Writer)) error {
	if f == "json" {
		return WriteJSON(w, answer)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	text(t)
	return t.Flush()
}

// Print writes an answer as JSON, or this line.
func (f Format) Print(w io.Writer, answer any, line string, args ...any) error {
	return f.Write(w, answer, func(w io.Writer) { fmt.Fprintf(w, line+"\n", args...) })
}

// Time returns a flag whose value is a time.
func Time(t *time.Time) pflag.Value {
	return value{set: func(s string) (err error) {
		*t, err = ParseTime(s)
		return err
	}}
}

// Workers returns a flag for a claim's range of worker ids, such as 0-1023.
func Workers(c *worker.Claim) pflag.Value {
	return value{set: func(s string) error {
		from, to, _ := strings.Cut(s, "-")
		first, noFirst := strconv.ParseInt(from, 10, 64)
		last, noLast := strconv.ParseInt(to, 10, 64)
		if noFirst != nil || noLast != nil || first < 0 || last < first || last-first >= 1<<16 {
			return errors.New("type the first and the last of at most 65536, like 0-1023")
		}
		c.First, c.Count = first, last-first+1
		return nil
	}}
}

// ParseTime reads a date, or a date and a time, in UTC unless it says otherwise.
func ParseTime(s string) (time.Time, error) {
	for _, format := range []string{time.DateOnly, time.DateTime, "2006-01-02T15:04:05.999999999",
		time.RFC3339} {
		if t, err := time.Parse(format, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, errors.New("type a time like 2026-01-01 or 2016-05-20T00:00:00+08:00")
}

// FormatTime writes a time in UTC in the form of RFC 3339, also in years beyond 9999, with as
// many digits as the ticks have.
func FormatTime(t time.Time, unit time.Duration) string {
	if unit%time.Second != 0 {
		return FormatInstant(t)
	}
	return t.UTC().Format(time.RFC3339)
}

// FormatInstant writes a time to the millisecond.
func FormatInstant(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z07:00") }

// WriteJSON writes a report as one object on several lines.
func WriteJSON[T any](w io.Writer, report T) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(report)
}

// Count formats a number of things: 1 id, 2,000 ids, 2 processes.
func Count(n int64, thing string) string {
	return humanize.Comma(n) + " " + english.PluralWord(int(min(n, 2)), thing, "")
}
