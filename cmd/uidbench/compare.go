package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/compare"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
)

// stdinName is what a user types for standard input.
const stdinName = "-"

// compareFlags are the flags of compare, as typed.
type compareFlags struct {
	failOver percent
	metrics  []string
	options  compare.Options
	format   string
	quiet    bool
}

func newCompare(stdout, stderr io.Writer) *cobra.Command {
	var f compareFlags
	cmd := &cobra.Command{
		Use:   "compare OLD NEW",
		Short: "Tell whether a run was better or worse than an earlier one",
		Long: `Compare reads two files that uidbench --format bench or --format json has
written, or go test -bench, and says for each figure what it was, what it is now,
and whether the difference is more than chance. One of the two may be -, standard
input. (How other id generators compare is another question: that is what the
module in bench/rivals measures.)

A round of a run is a sample, and a run has about ten. The table shows medians,
how far around each the true one may lie, and p, how often chance alone makes such
a difference (by Mann and Whitney's U test, as in benchstat). Where p is above
--alpha, it shows ~ instead of a change.

Several runs in one file are more samples, and better ones, as the rounds of one
run are more alike than two runs are. The latencies of a run are one sample each:
p99.99 needs four runs in both files before any difference in it counts.

With --fail-over 5% it exits with 4 when a figure is worse by more than that, and
not by chance. What counts is ratio, the time of an id in atomic adds of the same
run, as no other figure can be compared from one machine to another; --metric
names others, such as ns/op or p99.99-ns. It exits with 1 when there are too few
samples to tell.`,
		Example: `  uidbench --format bench > old.txt
  uidbench --format bench > new.txt
  uidbench compare old.txt new.txt
  uidbench compare --fail-over 5% old.txt new.txt
  for run in 1 2 3 4 5 6; do uidbench -q --format json; done > new.json
  uidbench compare --fail-over 10% --metric p99-ns,p99.99-ns old.json new.json
  go test -run '^$' -bench . -count 10 ./uid > before.txt
  go test -run '^$' -bench . -count 10 ./uid | uidbench compare before.txt -`,
		Args: twoResults,
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.check(c); err != nil {
				return err
			}
			return f.run(c.Context(), args, c.InOrStdin(), stdout, stderr)
		},
	}
	f.bind(cmd.Flags())
	return cmd
}

func (f *compareFlags) bind(flags *pflag.FlagSet) {
	flags.SortFlags = false
	flags.Var(&f.failOver, "fail-over", "exit with 4 when a metric is worse by more than `PERCENT`: 5%, 0.5%")
	flags.StringSliceVar(&f.metrics, "metric", []string{"ratio"}, "`UNIT` that counts for --fail-over, as the table has it; more with commas or again")
	flags.Float64Var(&f.options.Alpha, "alpha", 0.05, "a change counts when p is at most `P`")
	flags.Float64Var(&f.options.Confidence, "confidence", 0.95, "the intervals hold the true median with probability `P`")
	f.format = "text"
	flags.Var(oneOf(&f.format, "text", "json"), "format", "`FORMAT` of the table: text or json")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "no remarks: results and errors alone")
}

// twoResults wants OLD and NEW.
func twoResults(c *cobra.Command, args []string) error {
	switch {
	case len(args) != 2:
		return usagef("which results? type two files, the older one first: %s OLD NEW", c.CommandPath())
	case args[0] == stdinName && args[1] == stdinName:
		return usagef("- is standard input, which can be one of the two only: type a file for the other")
	}
	return nil
}

func (f *compareFlags) check(c *cobra.Command) error {
	if !(f.options.Alpha > 0 && f.options.Alpha < 1) {
		return usagef("--alpha %v: type a number between 0 and 1, such as 0.05", f.options.Alpha)
	}
	if !(f.options.Confidence > 0 && f.options.Confidence < 1) {
		return usagef("--confidence %v: type a number between 0 and 1, such as 0.95", f.options.Confidence)
	}
	if c.Flags().Changed("metric") && !f.failOver.set {
		return usagef("--metric names what --fail-over counts: type both, or neither")
	}
	for i, m := range f.metrics {
		f.metrics[i] = strings.TrimSpace(m)
	}
	if len(f.metrics) == 0 || slices.Contains(f.metrics, "") {
		return usagef("--metric is empty, or has a comma too many: type units, such as ratio,ns/op")
	}
	return nil
}

func (f *compareFlags) run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	var both [2]compare.Results
	for i, name := range args {
		var err error
		if both[i], err = readResults(ctx, name, stdin); err != nil {
			return err
		}
	}
	report, err := compare.Compare(both[0], both[1], f.options)
	if err != nil {
		return err
	}
	if !f.quiet {
		remark(stderr, report, both[:])
	}
	write := compare.WriteText
	if f.format == "json" {
		write = human.WriteJSON
	}
	return errors.Join(write(stdout, report), f.judge(report))
}

// judge holds the report against --fail-over. A unit that cannot be held against
// it was mistyped.
func (f *compareFlags) judge(r compare.Report) error {
	if !f.failOver.set {
		return nil
	}
	err := compare.Limit{Percent: f.failOver.value, Units: f.metrics}.Check(r)
	if errors.Is(err, compare.ErrUnit) {
		return usageError{err}
	}
	return err
}

// readResults reads a file or stdin. An interrupt ends the waiting for either.
func readResults(ctx context.Context, name string, stdin io.Reader) (compare.Results, error) {
	type outcome struct {
		results compare.Results
		err     error
	}
	read := make(chan outcome, 1)
	go func() {
		results, err := readNow(name, stdin)
		read <- outcome{results, err}
	}()
	select {
	case o := <-read:
		return o.results, o.err
	case <-ctx.Done():
		return compare.Results{}, ctx.Err()
	}
}

func readNow(name string, stdin io.Reader) (compare.Results, error) {
	if name == stdinName {
		return compare.Read(stdin, "stdin")
	}
	file, err := os.Open(name)
	if err != nil {
		return compare.Results{}, err
	}
	defer file.Close()
	return compare.Read(file, name)
}

// remark says what makes the comparison worth less.
func remark(stderr io.Writer, r compare.Report, both []compare.Results) {
	const most = 3
	for _, results := range both {
		for i, line := range results.Skipped {
			if i == most {
				fmt.Fprintf(stderr, "%d more lines of %s left out\n", len(results.Skipped)-most, results.Name)
				break
			}
			fmt.Fprintf(stderr, "left out: %s\n", line)
		}
	}
	if !r.SameMachine {
		fmt.Fprintf(stderr, "different machines: only ratio, which is relative to each, can be compared\n  %s: %s\n  %s: %s\n",
			r.Old.Name, machines(r.Old), r.New.Name, machines(r.New))
	}
}

func machines(s compare.Side) string {
	if len(s.Machines) == 0 {
		return "it does not say"
	}
	return strings.Join(s.Machines, "; ")
}

// A percent is a flag's part of a hundred: 5% or 5.
type percent struct {
	value float64
	set   bool
}

var errPercent = errors.New("type a percentage, like 5%, or 0.5% with the sign")

// Set refuses 0.05 without a sign, which may be meant as five percent or as what
// it is.
func (p *percent) Set(s string) error {
	number, sign := strings.CutSuffix(s, "%")
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || !(v >= 0) || math.IsInf(v, 0) || !sign && v > 0 && v < 1 {
		return errPercent
	}
	*p = percent{v, true}
	return nil
}

func (p *percent) String() string {
	if !p.set {
		return ""
	}
	return strconv.FormatFloat(p.value, 'f', -1, 64) + "%"
}

func (*percent) Type() string { return "PERCENT" }
