package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/sweep"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// sweepFlags are the flags of sweep, as typed.
type sweepFlags struct {
	sweep   sweep.Config
	layouts []string
	format  format
	quiet   bool
}

func newSweep() *cobra.Command {
	var f sweepFlags
	cmd := &cobra.Command{
		Use:     "sweep",
		GroupID: "profiling",
		Short:   "Measure every combination of settings, as a table",
		Long: `Sweep runs a cached generator with every combination of the values that you type, and
reports the median run of each. It measures all combinations several times, each time in
another order, so that a slow phase of the machine does not affect one of them alone. A
combination that cannot run is reported as failed, with the reason; the others continue.

A LIST has commas between its values: 1,2,4,8.

No store is needed: all generators have the worker id 0.`,
		Example: `  uidbench sweep
  uidbench sweep --goroutines 2 --boost-power 1,2,3,4,5,6
  uidbench sweep --layout 28/22/13,30/20/13,41/10/12@1ms --path take,stream --goroutines 1,2
  uidbench sweep --path batch,stream --format json > sweep.json`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.settle(time.Now()); err != nil {
				return err
			}
			return f.run(c.Context(), c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	f.bind(cmd)
	return cmd
}

func (f *sweepFlags) bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.IntSliceVar(&f.sweep.Goroutines, "goroutines", []int{1, 2, 4, 8},
		"`LIST` of numbers of goroutines that take ids")
	flags.IntSliceVar(&f.sweep.BoostPowers, "boost-power", []int{3},
		"`LIST` of powers: the ring holds the ids of one tick, times two to this power")
	flags.IntSliceVar(&f.sweep.PaddingFactors, "padding-factor", []int{50},
		"`LIST` of percentages: the ring is refilled when less than this is left")
	flags.StringSliceVar(&f.layouts, "layout", []string{"28/22/13"},
		"names, or bits of `TIME/WORKER/SEQ,...`, such as 28/22/13,41/10/12@1ms")
	flags.StringSliceVar(&f.sweep.Paths, "path", []string{sweep.PathTake},
		"`LIST` of paths to take ids by: take (one at a time), batch (1024), stream")
	flags.IntVar(&f.sweep.Rounds, "rounds", 5,
		"run each combination `N` times, and report the median run")
	flags.DurationVar(&f.sweep.Slice, "slice", 100*time.Millisecond,
		"`DURATION` of a run: 100ms, 1s")
	f.format.bind(flags, "report")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print only results and errors")
}

// settle refuses invalid settings before they cost minutes, and reads the layouts.
func (f *sweepFlags) settle(now time.Time) error {
	switch {
	case f.sweep.Rounds < 1:
		return usagef("--rounds %d: type 1 or more", f.sweep.Rounds)
	case f.sweep.Slice <= 0:
		return usagef("--slice %v: type more than 0, such as 100ms", f.sweep.Slice)
	}
	for _, typed := range f.layouts {
		l, err := (&layoutFlags{layout: typed}).named()
		if err != nil {
			return err
		}
		// The ids are discarded, so the layout begins today and has not ended.
		l.Epoch = now.UTC().Truncate(24 * time.Hour)
		f.sweep.Layouts = append(f.sweep.Layouts, l)
	}
	return nil
}

func (f *sweepFlags) run(ctx context.Context, stdout, stderr io.Writer) error {
	all, err := f.sweep.Combinations()
	if err != nil {
		return err
	}
	if !f.quiet {
		fmt.Fprintf(stderr, "combinations: %d, each %d times %v\n", len(all), f.sweep.Rounds,
			f.sweep.Slice)
	}
	logger := slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	f.sweep.New = func(c sweep.Combination) (uid.Generator, error) {
		g, err := uid.NewCached(ctx, worker.Static(0), uid.Config{Layout: c.Layout, Logger: logger,
			BoostPower: c.BoostPower, PaddingFactor: c.PaddingFactor,
			AllowRepeats: true}) // the ids are discarded
		if err != nil {
			return nil, err // a nil pointer in an interface would not be nil
		}
		return g, nil
	}
	progress := newProgress(stderr, f.quiet)
	f.sweep.Progress = progress.show
	report, err := sweep.Run(ctx, f.sweep)
	progress.end()
	return errors.Join(err, f.format.write(stdout, report,
		func(w io.Writer) error { return sweep.WriteText(w, report) }))
}
