package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// options are what the flags say.
type options struct {
	rounds     int
	slice      time.Duration
	check      int
	goroutines int // of a check
	only       *regexp.Regexp
	format     string
	svg        string
}

// The most that --check and --goroutines take: every id is kept, and the merge of
// what the goroutines took is no longer short with many of them.
const (
	mostChecked    = 1_000_000_000
	mostGoroutines = 256
)

func parse(args []string, stderr io.Writer) (options, error) {
	o := options{check: 20_000_000, only: regexp.MustCompile("")}
	f := flag.NewFlagSet(program, flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() {} // what is wrong is one line; --help has the rest
	f.IntVar(&o.rounds, "rounds", 6, "`rounds` in which each generator is measured once; 0 for the check alone")
	f.DurationVar(&o.slice, "slice", 200*time.Millisecond, "how `long` a generator is measured in a round, from one goroutine and again from all CPUs")
	f.Var((*count)(&o.check), "check", "`ids` of each generator to check for duplicates, also like 20e6; 0 for none")
	f.IntVar(&o.goroutines, "goroutines", 8, "how many `goroutines` take the ids of a check, each on a thread; more than CPUs, so that some stop in the middle of a call")
	f.Func("only", "only generators whose name, as in the table without its version, matches `regex`", func(s string) (err error) {
		o.only, err = regexp.Compile(s)
		return err
	})
	f.StringVar(&o.format, "format", "text", "`format` of the table: text, markdown or json")
	f.StringVar(&o.svg, "svg", "", "also draw the ratios into `file`")
	switch err := f.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintf(stderr, "Usage of %s:\n", program)
		f.PrintDefaults()
		return o, err
	case err != nil:
		return o, err // it is told already
	}
	wrong := o.wrong()
	if f.NArg() > 0 {
		wrong = fmt.Sprintf("there are no arguments, got %q", f.Arg(0))
	}
	if wrong != "" {
		fmt.Fprintf(stderr, "%s: %s\n", program, wrong)
		return o, errUsage
	}
	return o, nil
}

// wrong says what is wrong with the flags, "" for nothing.
func (o options) wrong() string {
	switch {
	case o.rounds < 0:
		return "--rounds must be 0 or more"
	case o.slice <= 0:
		return "--slice must be above 0"
	case o.rounds == 0 && o.check == 0:
		return "with --rounds 0 and --check 0 there is nothing to do"
	case o.goroutines < 1 || o.goroutines > mostGoroutines:
		return fmt.Sprintf("--goroutines must be 1 to %d", mostGoroutines)
	case writers[o.format] == nil:
		return fmt.Sprintf("--format is text, markdown or json, not %q", o.format)
	}
	return ""
}

// count is a flag's whole number: 20000000, 20_000_000 or 20e6.
type count int

func (c *count) String() string { return strconv.Itoa(int(*c)) }

func (c *count) Set(s string) error {
	v, err := strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 64)
	if err != nil || v != math.Trunc(v) || v < 0 || v > mostChecked {
		return fmt.Errorf("type a whole number from 0 to %g, like 20000000 or 20e6", float64(mostChecked))
	}
	*c = count(v)
	return nil
}
