package main

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

	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
	"github.com/ringuid/ringuid/worker"
)

// An amount is a flag's number of ids, or of ids a second: 1000000, 1_000_000,
// 1e6 or 1M.
type amount struct {
	value *float64
	whole bool
}

// maxWhole is where a float64 stops telling whole numbers apart.
const maxWhole = 1 << 53

var errAmount = errors.New("type it like 1000000, 1e6 or 1M")

func (a amount) Set(s string) error {
	number, factor := s, 1.0
	for i, suffix := range []string{"k", "M", "G", "T"} {
		if n, ok := strings.CutSuffix(s, suffix); ok {
			number, factor = n, math.Pow(1000, float64(i+1))
		}
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(number, "_", ""), 64)
	v *= factor
	if err != nil || !(v > 0) || math.IsInf(v, 0) || a.whole && (v != math.Trunc(v) || v > maxWhole) {
		return errAmount
	}
	*a.value = v
	return nil
}

func (a amount) String() string {
	if a.value == nil || *a.value == 0 {
		return ""
	}
	return strconv.FormatFloat(*a.value, 'f', -1, 64)
}

func (amount) Type() string { return "N" }

// A workerRange is a flag for a claim's range of worker ids, such as 0-1023.
type workerRange struct{ *worker.Claim }

// A claim cannot be for worker id 0 alone: without a range it takes any.
var errWorkerRange = errors.New("type the first and the last, like 0-1023; the last is 1 or more")

func (r workerRange) Set(s string) error {
	from, to, _ := strings.Cut(s, "-")
	first, noFirst := strconv.ParseInt(from, 10, 64)
	last, noLast := strconv.ParseInt(to, 10, 64)
	if noFirst != nil || noLast != nil || first < 0 || last < max(first, 1) {
		return errWorkerRange
	}
	r.First, r.Last = first, last
	return nil
}

func (workerRange) String() string { return "" } // help says in words what the default is
func (workerRange) Type() string   { return "FIRST-LAST" }

// A choice is a flag whose value is one of a few words.
type choice struct {
	value *string
	words []string
}

// oneOf returns a flag that takes one of the words. Its default is the value as it is.
func oneOf(value *string, words ...string) choice { return choice{value, words} }

func (c choice) Set(s string) error {
	if !slices.Contains(c.words, s) {
		return fmt.Errorf("type %s", either(c.words))
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

// either lists words: text, json or bench.
func either(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// A format is the word of --format: text or json.
type format string

// bind binds the flag; what names the output that has the format.
func (f *format) bind(flags *pflag.FlagSet, what string) {
	*f = "text"
	flags.Var(oneOf((*string)(f), "text", "json"), "format", "`FORMAT`, text or json, of the "+what)
}

// write writes an answer as JSON, or has it written as text.
func (f format) write(w io.Writer, answer any, text func(io.Writer) error) error {
	if f == "json" {
		return human.WriteJSON(w, answer)
	}
	return text(w)
}

// print writes an answer as JSON, or this line.
func (f format) print(w io.Writer, answer any, line string, args ...any) error {
	return f.write(w, answer, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, line+"\n", args...)
		return err
	})
}

// A timeFlag is a flag whose value is a time.
type timeFlag struct{ *time.Time }

func (t timeFlag) Set(s string) (err error) {
	*t.Time, err = parseTime(s)
	return err
}

func (timeFlag) String() string { return "" } // help says in words what the default is
func (timeFlag) Type() string   { return "TIME" }

// parseTime reads a date, or a date and a time, in UTC unless it says otherwise.
func parseTime(s string) (time.Time, error) {
	for _, format := range []string{time.DateOnly, time.DateTime, "2006-01-02T15:04:05.999999999",
		time.RFC3339} {
		if t, err := time.Parse(format, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, errors.New("type a time like 2026-01-01 or 2016-05-20T00:00:00+08:00")
}

// formatTime writes a time in UTC in the form of RFC 3339, also in years beyond 9999, with as
// many digits as the ticks have.
func formatTime(t time.Time, unit time.Duration) string {
	if unit%time.Second != 0 {
		return formatInstant(t)
	}
	return t.UTC().Format(time.RFC3339)
}

// formatInstant writes a time to the millisecond.
func formatInstant(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z07:00") }
