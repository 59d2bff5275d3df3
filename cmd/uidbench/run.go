package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// runFlags are the flags of run, as typed.
type runFlags struct {
	layout   layoutFlags
	assigner assignerFlags
	profiles profiles

	store, generator          string
	boostPower, paddingFactor int
	boostGiven, relaxed       bool

	bench        bench.Config
	count        float64
	verifyMemory string

	format string
	quiet  bool
}

func newRun(stdout, stderr io.Writer) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Profile a generator (also what uidbench does without a command)",
		Long: `Run takes ids from a generator as fast as several goroutines can, and reports
how many it got, beside what the same goroutines need for an atomic add to one
shared counter, and how long a take took.`,
		Example: `  uidbench
  uidbench --goroutines 1 --batch 1024
  uidbench --relaxed
  uidbench --stream --goroutines 1
  uidbench --count 100000000 --verify
  uidbench --rate 1000000 --duration 1m
  uidbench --store mysql://uid:secret@db.example.com:3306/uid --format json
  uidbench --format bench > old.txt   # for benchstat old.txt new.txt`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.check(c); err != nil {
				return err
			}
			return f.run(c.Context(), stdout, stderr)
		},
	}
	f.bind(cmd)
	return cmd
}

func (f *runFlags) bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.generator, "generator", "cached", "`KIND` of generator: cached (a ring of ids made ahead), or default (from the clock)")
	flags.DurationVar(&f.bench.Duration, "duration", 5*time.Second, "how `LONG` to take ids: 5s, 2m30s")
	flags.Var(amount{&f.count, true}, "count", "take `N` ids, however long that takes: 1e8, 100M")
	flags.IntVar(&f.bench.Goroutines, "goroutines", 0, "`N` goroutines take ids (default: one for each CPU)")
	flags.IntVar(&f.bench.Batch, "batch", 0, "take `N` ids at a call (default: one)")
	flags.BoolVar(&f.bench.Stream, "stream", false, "give each goroutine a stream to take from")
	flags.BoolVar(&f.relaxed, "relaxed", false, "give up the order of ids for a span per CPU")
	flags.Var(amount{&f.bench.Rate, false}, "rate", "take `N` ids a second, and time each from when it was due: 1e6, 1M")
	flags.BoolVar(&f.bench.Verify, "verify", false, "keep every id and check that it is new")
	flags.StringVar(&f.verifyMemory, "verify-memory", "", "let that take this much `MEMORY`, such as 4GB (default: half of what is free)")

	flags.StringVar(&f.store, "store", "", "`URL` that worker ids come from: "+storeForms+" (default: a SQLite file of uidbench's own)")
	f.assigner.bind(flags)
	f.layout.bind(flags)
	flags.IntVar(&f.boostPower, "boost-power", 3, "the ring holds the ids of a tick, times two to the power of `N`")
	flags.IntVar(&f.paddingFactor, "padding-factor", 50, "refill the ring when less than `N` percent are left")

	flags.StringVar(&f.format, "format", "text", "`FORM` of the report: text, json, or bench (for benchstat)")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "no progress, no remarks: results and errors alone")
	f.profiles.bind(flags)
}

// check finds what cannot be meant, before anything costs a worker id.
func (f *runFlags) check(c *cobra.Command) error {
	set := c.Flags().Changed
	for _, name := range []string{"duration", "goroutines", "batch", "padding-factor"} {
		if v := c.Flag(name).Value.String(); set(name) && (v == "0" || v == "0s") {
			return usagef("--%s 0: type more than 0, or leave it out", name)
		}
	}
	switch {
	case f.generator != "cached" && f.generator != "default":
		return usagef("--generator %q: there are cached and default", f.generator)
	case f.format != "text" && f.format != "json" && f.format != "bench":
		return usagef("--format %q: there are text, json and bench", f.format)
	case set("duration") && set("count"):
		return usagef("--duration and --count exclude each other: type one of them")
	case f.bench.Rate > 0 && f.bench.Batch > 0:
		return usagef("--rate and --batch exclude each other: a rate is of single ids")
	case f.generator == "default" && (set("boost-power") || set("padding-factor")):
		return usagef("--boost-power and --padding-factor are about the ring of --generator cached, and %q has none", f.generator)
	case f.generator == "default" && f.bench.Batch > 0:
		return usagef("--batch needs --generator cached: the default one has single ids only")
	case f.generator == "default" && (f.bench.Stream || f.relaxed):
		return usagef("--stream and --relaxed need --generator cached")
	case f.bench.Stream && f.bench.Batch > 0:
		return usagef("--stream and --batch exclude each other: type one of them")
	case f.relaxed && (f.bench.Stream || f.bench.Batch > 0):
		return usagef("--relaxed is about single takes: leave --stream and --batch out")
	case f.verifyMemory != "" && !f.bench.Verify:
		return usagef("--verify-memory has no effect without --verify: type both")
	}
	f.boostGiven = set("boost-power")
	if set("count") {
		f.bench.Count, f.bench.Duration = int64(f.count), 0
	}
	if f.verifyMemory != "" {
		n, err := humanize.ParseBytes(f.verifyMemory)
		if err != nil || n == 0 || n > 1<<62 {
			return usagef("--verify-memory %q: type a size, such as 4GB", f.verifyMemory)
		}
		f.bench.VerifyMemory = int64(n)
	}
	return f.bench.Validate()
}

func (f *runFlags) run(ctx context.Context, stdout, stderr io.Writer) (err error) {
	config, err := f.config(stderr)
	if err != nil {
		return err
	}
	s, err := openStore(f.store)
	if err != nil {
		return err
	}
	defer s.close()
	if err := f.assigner.choose(s); err != nil {
		return err
	}
	if f.store != "" || f.assigner.recycled() {
		if err := s.mustExist(f.assigner.initCommand()); err != nil {
			return err
		}
	}
	if f.bench.Generator, err = f.newGenerator(ctx, s, config); err != nil {
		return err
	}
	f.bench.Name, f.bench.Store = f.generator, s.name
	f.bench.Settings = f.settings()
	if !f.quiet {
		fmt.Fprintf(stderr, "worker id %d from %s\n", f.bench.Generator.Stats().WorkerID, s.name)
	}
	return f.load(ctx, stdout, stderr)
}

// load runs the benchmark and writes its report.
func (f *runFlags) load(ctx context.Context, stdout, stderr io.Writer) error {
	if err := f.profiles.start(); err != nil {
		return errors.Join(err, f.profiles.stop(), f.bench.Generator.Close())
	}
	progress := newProgress(stderr, f.quiet)
	f.bench.Progress = progress.show
	report, err := bench.Run(ctx, f.bench)
	progress.end()
	err = errors.Join(err, f.profiles.stop())

	write := map[string]func(io.Writer, bench.Report) error{
		"text": bench.WriteText, "json": bench.WriteJSON, "bench": bench.WriteBench,
	}[f.format]
	return errors.Join(err, write(stdout, report))
}

func (f *runFlags) config(stderr io.Writer) (uid.Config, error) {
	c, err := f.layout.config()
	if err != nil {
		return c, err
	}
	level := slog.LevelWarn
	if f.quiet {
		level = slog.LevelError
	}
	c.Logger = slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: level}))
	c.PaddingFactor = f.paddingFactor
	c.Relaxed, f.bench.Unordered = f.relaxed, f.relaxed
	if f.boostGiven { // else the default, which does not outgrow memory with a preset of long ticks
		c.BoostPower = f.boostPower
	}
	if f.boostPower == 0 {
		// To a Config 0 is the default; here it is the ring of one tick.
		c.RingSize = 1 << c.Layout.SeqBits
	}
	return c, nil
}

func (f *runFlags) newGenerator(ctx context.Context, s *store, c uid.Config) (bench.Generator, error) {
	var (
		g   bench.Generator
		err error
	)
	f.assigner.unit = c.Layout.Unit
	a := f.assigner.of(s, c.Logger)
	// Each in its own branch: a nil pointer in an interface is not nil.
	if f.generator == "default" {
		g, err = uid.NewDefault(ctx, a, c)
	} else {
		g, err = uid.NewCached(ctx, a, c)
	}
	switch {
	case err == nil:
		return g, nil
	case errors.Is(err, uid.ErrTimeOver), f.assigner.name == static && errors.Is(err, worker.ErrRange):
		return nil, usageError{err} // the layout's, or the id's, fault
	}
	return nil, f.assigner.hint(s, err)
}

// settings are what else the reader of a report should know.
func (f *runFlags) settings() map[string]any {
	if f.generator == "default" {
		return nil
	}
	return map[string]any{"boost_power": f.boostPower, "padding_factor": f.paddingFactor, "relaxed": f.relaxed}
}
