package cli

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// An Amount is a flag's number of ids, or of ids a second: 1000000, 1_000_000,
// 1e6 or 1M.
type Amount struct {
	Value *float64
	Whole bool // it is of things that cannot be divided
}

// maxWhole is where a float64 stops telling whole numbers apart.
const maxWhole = 1 << 53

var errAmount = errors.New("type it like 1000000, 1e6 or 1M")

// Set implements pflag.Value, as String and Type do.
func (a Amount) Set(s string) error {
	number, factor := s, 1.0
	for i, suffix := range []string{"k", "M", "G", "T"} {
		if n, ok := strings.CutSuffix(s, suffix); ok {
			number, factor = n, math.Pow(1000, float64(i+1))
		}
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(number, "_", ""), 64)
	v *= factor
	if err != nil || !(v > 0) || math.IsInf(v, 0) || a.Whole && (v != math.Trunc(v) || v > maxWhole) {
		return errAmount
	}
	*a.Value = v
	return nil
}

func (a Amount) String() string {
	if a.Value == nil || *a.Value == 0 {
		return ""
	}
	return strconv.FormatFloat(*a.Value, 'f', -1, 64)
}

func (Amount) Type() string { return "N" }

// A choice is a flag whose value is one of a few words.
type choice struct {
	value *string
	words []string
}

// OneOf returns a flag that takes one of the words. Its default is the value as it is.
func OneOf(value *string, words ...string) pflag.Value { return choice{value, words} }

func (c choice) Set(s string) error {
	if !slices.Contains(c.words, s) {
		return errors.New("type " + strings.Join(c.words, " or "))
	}
	*c.value = s
	return nil
}

func (c choice) String() string {
	if c.value == nil {
		return ""
	}
	return *c.value
}

func (choice) Type() string { return "WORD" }

// A Format is the word of --format: text or json.
type Format string

// Bind binds the flag; what names the output that has the format.
func (f *Format) Bind(flags *pflag.FlagSet, what string) {
	*f = "text"
	flags.Var(OneOf((*string)(f), "text", "json"), "format", "`FORMAT`, text or json, of the "+what)
}

// Write writes an answer as JSON, or has it written as text.
func (f Format) Write(w io.Writer, answer any, text func(io.Writer) error) error {
	if f == "json" {
		return WriteJSON(w, answer)
	}
	return text(w)
}

// Print writes an answer as JSON, or this line.
func (f Format) Print(w io.Writer, answer any, line string, args ...any) error {
	return f.Write(w, answer, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, line+"\n", args...)
		return err
	})
}

type timeValue struct{ *time.Time }

// Time returns a flag whose value is a time.
func Time(t *time.Time) pflag.Value { return timeValue{t} }

func (t timeValue) Set(s string) (err error) {
	*t.Time, err = ParseTime(s)
	return err
}

func (timeValue) String() string { return "" } // help says in words what the default is
func (timeValue) Type() string   { return "TIME" }

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
