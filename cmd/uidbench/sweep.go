package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/sweep"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// sweepFlags are the flags of sweep, as typed.
type sweepFlags struct {
	goroutines, boostPowers, paddingFactors numbers

	layouts layoutList
	paths   []string

	rounds int
	slice  time.Duration
	format string
	quiet  bool
}

func newSweep(stdout, stderr io.Writer) *cobra.Command {
	var f sweepFlags
	cmd := &cobra.Command{
		Use:   "sweep",
		Short: "Measure every combination of settings, as a table",
		Long: `Sweep runs a cached generator for every combination of the lists that you type,
and reports the median run of each. It goes around all combinations several times
rather than repeat each, in another order each time, so that none of them suffers
alone when the machine gets slower for a while. One that cannot be run is reported
as failed, with the reason, and the others go on.

A LIST is 1,2,4,8, or 0..6 for all numbers between, or 1..64x2 for each twice the
one before. A list that is left out has one value, its default; when all are, four
numbers of goroutines meet all ways to take ids.

Worker ids play no part: all have the worker id 0, and nothing is stored.`,
		Example: `  uidbench sweep
  uidbench sweep --goroutines 1..8x2 --boost-power 0..6
  uidbench sweep --layout 28/22/13,30/20/13,41/10/12@1ms --path take,relaxed --goroutines 1,2
  uidbench sweep --path batch,stream --format bench > sweep.txt`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			config, err := f.config(c, time.Now())
			if err != nil {
				return err
			}
			return f.run(c.Context(), config, stdout, stderr)
		},
	}
	f.bind(cmd)
	return cmd
}

func (f *sweepFlags) bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(&f.goroutines, "goroutines",
		"so many goroutines take ids, a `LIST` (default: one for each CPU)")
	flags.Var(&f.boostPowers, "boost-power",
		"the ring holds the ids of a tick, times two to the power of these, a `LIST` (default 3)")
	flags.Var(&f.paddingFactors, "padding-factor",
		"refill the ring when less than so many percent are left, a `LIST` (default 50)")
	flags.Var(&f.layouts, "layout",
		"bits of `TIME/WORKER/SEQ,...`, such as 28/22/13,41/10/12@1ms (default 28/22/13)")
	flags.Var(someOf(&f.paths, sweep.Paths()...), "path",
		"`LIST` of paths to take ids by: take (one at a time), batch (1024), stream, relaxed (default take)")
	flags.IntVar(&f.rounds, "rounds", 5, "run each combination `N` times, and report the median run")
	flags.DurationVar(&f.slice, "slice", 100*time.Millisecond, "`DURATION` of a run: 100ms, 1s")
	f.format = "text"
	flags.Var(oneOf(&f.format, "text", "json", "bench"), "format",
		"`FORMAT` of the report: text, json, or bench (for benchstat)")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "no progress, no remarks: results and errors alone")
}

// config refuses invalid settings before they cost minutes. What is not typed has its
// default; where nothing is, it shows what a sweep is.
func (f *sweepFlags) config(c *cobra.Command, now time.Time) (sweep.Config, error) {
	switch {
	case f.rounds < 1:
		return sweep.Config{}, usagef("--rounds %d: type 1 or more", f.rounds)
	case f.slice <= 0:
		return sweep.Config{}, usagef("--slice %v: type more than 0, such as 100ms", f.slice)
	}
	axes := []string{"goroutines", "boost-power", "padding-factor", "layout", "path"}
	if !slices.ContainsFunc(axes, c.Flags().Changed) {
		f.goroutines = numbers{1, 2, 4, 8}
		f.paths = sweep.Paths()
	}
	f.goroutines = orElse(f.goroutines, runtime.GOMAXPROCS(0))
	f.boostPowers, f.paddingFactors = orElse(f.boostPowers, 3), orElse(f.paddingFactors, 50)
	f.layouts, f.paths = orElse(f.layouts, uid.DefaultLayout), orElse(f.paths, sweep.PathTake)
	for i := range f.layouts {
		// The ids are thrown away, so the time of none of the layouts is over.
		f.layouts[i].Epoch = now.UTC().Truncate(24 * time.Hour)
	}
	return sweep.Config{
		Goroutines: f.goroutines, BoostPowers: f.boostPowers, PaddingFactors: f.paddingFactors,
		Layouts: f.layouts, Paths: f.paths, Rounds: f.rounds, Slice: f.slice,
	}, nil
}

// orElse is a list, or the default where none was typed.
func orElse[L ~[]V, V any](list L, byDefault V) L {
	if len(list) == 0 {
		return L{byDefault}
	}
	return list
}

func (f *sweepFlags) run(ctx context.Context, config sweep.Config, stdout, stderr io.Writer) error {
	combinations, about, err := config.Plan()
	if err != nil {
		return err
	}
	if !f.quiet {
		fmt.Fprintf(stderr, "combinations: %d, rounds: %d; %d runs take about %s\n",
			combinations, f.rounds, combinations*f.rounds, bench.FormatSpan(about.Seconds()))
	}
	logger := slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	config.New = func(c sweep.Combination) (uid.Generator, error) {
		return combinationGenerator(ctx, c, logger)
	}
	progress := newProgress(stderr, f.quiet)
	config.Progress = progress.show
	report, err := sweep.Run(ctx, config)
	progress.end()

	write := map[string]func(io.Writer, sweep.Report) error{
		"text": sweep.WriteText, "json": human.WriteJSON[sweep.Report], "bench": sweep.WriteBench,
	}[f.format]
	return errors.Join(err, write(stdout, report))
}

// combinationGenerator makes the generator of a combination.
func combinationGenerator(ctx context.Context, c sweep.Combination,
	logger *slog.Logger) (uid.Generator, error) {
	config := uid.Config{
		Layout:        c.Layout,
		BoostPower:    cmp.Or(c.BoostPower, uid.NoBoost),
		PaddingFactor: c.PaddingFactor,
		Relaxed:       c.Path == sweep.PathRelaxed,
		AllowRepeats:  true, // the ids are thrown away
		Logger:        logger,
	}
	g, err := uid.NewCached(ctx, worker.Static(0), config)
	if err != nil {
		return nil, err // a nil pointer in an interface would not be nil
	}
	return g, nil
}
