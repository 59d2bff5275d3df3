// Command rivals measures this project's generators beside those that a Go
// module proxy serves, in one process and in interleaved rounds:
//
//	go run -C bench/rivals .
//	go run -C bench/rivals . --format markdown --svg rivals.svg
//	go run -C bench/rivals . --only 'ringuid|xid' --rounds 3 --check 0
//	go run -C bench/rivals . --check 20e6 --goroutines 8 --rounds 0
//
// A time says little without the machine, so each slice is read as a ratio to a
// shared atomic.AddInt64 that was measured right before it, with as many
// goroutines; the table has the medians of all rounds. Then each generator hands
// out many ids to several goroutines at once, and duplicates, negative ids and
// errors are counted. All ids are kept until they are: up to 26 bytes for each.
//
// What one rival promises another does not: some ids have 12 to 20 bytes, some
// carry no time, some generators make no more than so many ids in a millisecond
// and wait for the next one. The table says so. Generators in other languages,
// and those that no proxy serves, are quoted with the ratios that we measured.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
)

// Exit codes.
const (
	ok      = 0
	failed  = 1
	usage   = 2
	ourOwn  = 3 // a generator of this project had a fault
	program = "rivals"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

var (
	errUsage = errors.New("rivals: wrong flags")
	errNone  = errors.New("rivals: no generator has such a name")
)

func run(args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return ok
	case err != nil:
		return usage
	}
	r, err := compare(o, matching(candidates(), o.only), stderr)
	if err == nil {
		err = o.write(r, stdout)
	}
	switch {
	case errors.Is(err, errNone):
		fmt.Fprintln(stderr, err)
		return usage
	case err != nil:
		fmt.Fprintln(stderr, err)
		return failed
	case r.ourFaults() > 0:
		fmt.Fprintf(stderr, "%s: a generator of this project had faults\n", program)
		return ourOwn
	}
	return ok
}

// write prints the table, and draws the picture if it is wanted.
func (o options) write(r report, stdout io.Writer) error {
	if err := writers[o.format](stdout, r); err != nil || o.svg == "" {
		return err
	}
	svg, err := picture(r)
	if err != nil {
		return fmt.Errorf("drawing: %w", err)
	}
	return os.WriteFile(o.svg, svg, 0o644)
}

func candidates() []candidate { return slices.Concat([]candidate{calls()}, ours(), rivals()) }

func matching(all []candidate, only *regexp.Regexp) (some []candidate) {
	for _, c := range all {
		if only.MatchString(title(c.name, c.variant)) {
			some = append(some, c)
		}
	}
	return some
}
