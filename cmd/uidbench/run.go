package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/charts"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
)

// runFlags are the flags of run, as typed.
type runFlags struct {
	layout   layoutFlags
	assigner assignerFlags
	fail     limits // of failing, which were typed
	failing  []string

	store, generator string

	bench bench.Config
	count float64

	format, html string
	quiet        bool
}

func newRun(stdout, stderr io.Writer) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Measure a generator: ids a second, latencies, duplicates",
		Long: `Run takes ids from a generator as fast as several goroutines can, and reports
how many it got, beside what the same goroutines need for an atomic add to one
shared counter, and how long a take took.

With --format json "rejected_takes" counts the takes that found the ring empty, and
waited (of a default generator, the tick full); "errors" counts those that failed.

A percentile of the latency is left out, in every format, when the calls are too few to
show it: p99.99 takes 10,000, p99 takes 100. With --rate every call that was due counts,
with its wait until the end if it never ran; "never_ran" in JSON says how many those are.

With --store static:N ids may repeat, and run ahead of the clock, since they are
thrown away (Config.AllowRepeats). A service's worker.Static makes no more than the
ticks hold, and begins with the next one.`,
		Example: `  uidbench
  uidbench --goroutines 1 --batch 1024
  uidbench --stream --goroutines 1
  uidbench --count 100000000 --verify
  uidbench --rate 1M --duration 1m
  uidbench --html report.html
  uidbench --goroutines 1 --fail 'ids_per_second<50M,p9999>100us'
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
	f.generator = "cached"
	flags.Var(oneOf(&f.generator, "cached", "default"), "generator",
		"`KIND` of generator: cached (a ring of ids made ahead), or default (from the clock)")
	flags.DurationVar(&f.bench.Duration, "duration", 5*time.Second,
		"take ids for this `DURATION`: 5s, 2m30s")
	flags.Var(amount{&f.count, true}, "count", "take `N` ids, however long that takes: 1e8, 100M")
	flags.IntVar(&f.bench.Goroutines, "goroutines", 0,
		"`N` goroutines take ids (default: one for each CPU)")
	flags.IntVar(&f.bench.Batch, "batch", 0, "take `N` ids at a call (default: one)")
	flags.BoolVar(&f.bench.Stream, "stream", false, "give each goroutine a stream to take from")
	flags.Var(amount{&f.bench.Rate, false}, "rate",
		"take `N` ids a second, and time each from when it was due: 1e6, 1M")
	flags.BoolVar(&f.bench.Verify, "verify", false, "keep every id and check that it is new")

	flags.StringVar(&f.store, "store", "",
		"`URL` that worker ids come from: "+storeForms+", which asks nobody, and whose ids may repeat "+
			"(default: a SQLite file of uidbench's own)")
	f.assigner.bind(flags)
	f.layout.bind(cmd)
	flags.Lookup("epoch").Usage += " (default: 2026-01-01, or today when the layout is over since, " +
		"as these ids are thrown away)"

	f.format = "text"
	flags.Var(oneOf(&f.format, "text", "json", "bench"), "format",
		"`FORMAT` of the report: text, json, or bench (for benchstat)")
	flags.StringVar(&f.html, "html", "",
		"write a page with pictures into this `FILE`; it needs nothing but itself")
	flags.StringSliceVar(&f.failing, "fail", nil, failUsage())
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "no progress, no remarks: results and errors alone")
	cmd.MarkFlagsMutuallyExclusive("duration", "count")
	cmd.MarkFlagsMutuallyExclusive("stream", "batch")
	cmd.MarkFlagsMutuallyExclusive("rate", "batch") // a rate is of single ids
}

// check refuses invalid settings before anything costs a worker id.
func (f *runFlags) check(c *cobra.Command) error {
	var err error
	if f.fail, err = parseLimits(f.failing); err != nil {
		return err
	}
	set := c.Flags().Changed
	for _, name := range []string{"duration", "goroutines", "batch"} {
		if v := c.Flag(name).Value.String(); set(name) && (v == "0" || v == "0s") {
			return usagef("--%s 0: type more than 0, or leave it out", name)
		}
	}
	switch {
	case f.generator == "default" && f.bench.Stream:
		return usagef("--stream needs --generator cached")
	case set("html") && f.html == "":
		return usagef("--html is empty: type a name, or leave it out")
	}
	f.bench.Detail = f.html != ""
	if set("count") {
		f.bench.Count, f.bench.Duration = int64(f.count), 0
	}
	return f.bench.Validate()
}

// run runs the benchmark and writes its report. Of a run that went well it says what is worse
// than it may be.
func (f *runFlags) run(ctx context.Context, stdout, stderr io.Writer) error {
	var page *os.File
	if f.html != "" { // before a long run finds out that there can be none
		var err error
		if page, err = os.Create(f.html); err != nil {
			return fmt.Errorf("--html: %w; type the name of a file", err)
		}
	}
	close, err := f.open(ctx, stderr)
	if err != nil {
		return err
	}
	defer close()
	if !f.quiet {
		fmt.Fprintf(stderr, "worker id %d from %s\n", f.bench.Generator.Stats().WorkerID, f.bench.Store)
	}
	progress := newProgress(stderr, f.quiet)
	f.bench.Progress = progress.show
	report, err := bench.Run(ctx, f.bench)
	progress.end()
	if failed, _ := report.Figure("errors"); failed > 0 { // the report repeats the first one
		stdout = redacting{stdout, secretsOf(f.store)}
	}
	write := map[string]func(io.Writer, bench.Report) error{
		"text": bench.WriteText, "json": human.WriteJSON[bench.Report], "bench": bench.WriteBench,
	}[f.format]
	err = errors.Join(err, write(stdout, report))
	if page != nil {
		err = errors.Join(err, charts.WriteHTML(redacting{page, secretsOf(f.store)}, report), page.Close())
	}
	if err != nil {
		return err
	}
	return f.fail.check(report)
}
