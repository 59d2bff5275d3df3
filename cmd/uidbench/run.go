package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/cmd/internal/storeurl"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

type runFlags struct {
	layout  cli.Layout
	failing []string
	fail    []limit // parsed from failing

	store             storeurl.Flags
	generator, server string

	bench bench.Config
	count float64

	format, html string
	quiet        bool
}

func newRun() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Measure a generator: ids a second, time per call, duplicates",
		Long: `Uidbench takes ids from a generator as fast as several goroutines can. It reports how
many it got, how long a call took, and how far the ids ran ahead of the clock. The ids
are discarded.

A percentile of the time per call is left out when there are too few calls for it: p99.99
needs 10,000, p99 needs 100. With --rate every call that was due counts, also one that
never ran: it counts with its wait until the end ("never_ran" in JSON is their number).

In JSON, "rejected_takes" is the number of calls that found no id ready and waited, and
"errors" the number of calls that failed.

Without --store the worker id is of no store: ids may repeat and run ahead of the clock,
because they are discarded (Config.AllowRepeats). A service's worker.Static makes no more
ids than its layout holds, and waits for the next tick at a start. With a store, whose
tables it creates if there are none, the ids run ahead as far as its lease allows: a
minute, or two ticks if that is longer.

With --server the ids are those of a ` + "`ringuid serve`" + `, each goroutine waits for its answer,
and --batch is at most 10,000.`,
		Example: `  uidbench
  uidbench --goroutines 1 --batch 1024
  uidbench --stream --goroutines 1
  uidbench --count 100000000 --verify
  uidbench --rate 1M --duration 1m
  uidbench --html report.html
  uidbench --goroutines 1 --fail 'ids_per_second<50M,p9999>100us'
  uidbench --server redis://127.0.0.1:7379 --goroutines 50 --batch 100
  uidbench --store mysql://uid:secret@db.example.com:3306/uid --format json
  uidbench --format bench > old.txt   # for benchstat old.txt new.txt`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.check(c); err != nil {
				return coded(err)
			}
			return coded(f.run(c))
		},
	}
	f.bind(cmd)
	return cmd
}

func (f *runFlags) bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	f.generator = cached
	flags.Var(cli.OneOf(&f.generator, cached, immediate), "generator",
		"`KIND` of generator: cached (ids made in advance in bursts), or default (never)")
	flags.DurationVar(&f.bench.Duration, "duration", 5*time.Second,
		"take ids for this `DURATION`: 5s, 2m30s")
	flags.Var(cli.Amount(&f.count, true), "count",
		"take `N` ids, however long that takes: 1e8, 100M")
	flags.IntVar(&f.bench.Goroutines, "goroutines", 0,
		"`N` goroutines take ids (default: one for each CPU)")
	flags.IntVar(&f.bench.Batch, "batch", 0, "take `N` ids with each call (default: one)")
	flags.BoolVar(&f.bench.Stream, "stream", false,
		"each goroutine takes ids from a stream of its own")
	flags.Var(cli.Amount(&f.bench.Rate, false), "rate",
		"take `N` ids a second, and time each from when it was due: 1e6, 1M")
	flags.BoolVar(&f.bench.Verify, "verify", false, "keep every id and check that it is new")

	f.store.Bind(flags, "default: static:0, worker id 0 of no store")
	f.layout.Bind(cmd)
	flags.StringVar(&f.server, "server", "", "measure the server (ringuid serve) at this `URL`: "+
		serverForms)

	f.format = "text"
	flags.Var(cli.OneOf(&f.format, "text", "json", "bench"), "format",
		"`FORMAT` of the report: text, json, or bench (for benchstat)")
	flags.StringVar(&f.html, "html", "",
		"write a page with pictures into this `FILE`; it loads nothing else")
	flags.StringSliceVar(&f.failing, "fail", nil, "exit with 4 if this `EXPRESSION` is true: "+
		limitForms+"; ratio is the time per id in atomic adds; only with --rate and --server every "+
		"call is timed; type several with commas")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print only results and errors")
	cmd.MarkFlagsMutuallyExclusive("duration", "count")
	for _, own := range []string{"store", "password-file", "generator", "layout", "epoch", "stream"} {
		cmd.MarkFlagsMutuallyExclusive("server", own)
	}
}

// check refuses invalid settings before anything costs a worker id.
func (f *runFlags) check(c *cobra.Command) error {
	for _, text := range f.failing {
		one, err := parseLimit(text)
		if err != nil {
			return err
		}
		if one.metric == failRatio && f.bench.Rate > 0 {
			return cli.Usagef("--fail %q: with --rate the time per id is the rate's: type p99>1ms", text)
		}
		f.fail = append(f.fail, one)
	}
	set := c.Flags().Changed
	switch {
	case f.generator == immediate && f.bench.Stream:
		return cli.Usagef("--stream needs --generator cached")
	case set("goroutines") && f.bench.Goroutines == 0, set("batch") && f.bench.Batch == 0,
		set("duration") && f.bench.Duration == 0:
		return cli.Usagef("--goroutines, --batch, --duration: type more than 0, or leave it out")
	case set("fail") && len(f.fail) == 0:
		return cli.Usagef("--fail is empty: type %s", limitForms)
	case f.server != "" && f.bench.Batch > 10_000:
		return cli.Usagef("--batch %d: a server gives 10000 ids at once at most", f.bench.Batch)
	}
	f.bench.Detail = f.html != ""
	if set("count") {
		f.bench.Count, f.bench.Duration = int64(f.count), 0
	}
	return f.bench.Validate()
}

// run runs the benchmark and writes its report. If the run went well, the error says which
// limits it missed.
func (f *runFlags) run(c *cobra.Command) error {
	ctx := c.Context()
	var html *os.File
	if f.html != "" { // before a long run: it may fail; a page that is there stays till the end
		var err error
		if html, err = os.OpenFile(f.html, os.O_CREATE|os.O_WRONLY, 0o666); err != nil {
			return fmt.Errorf("--html: %w; type the name of a file", err)
		}
	}
	s, err := f.open(c)
	if err != nil {
		return err
	}
	defer s.Close()
	if !f.quiet {
		what, from := f.generator+" generator", fmt.Sprintf("worker id %d from %s\n",
			f.bench.Generator.Stats().WorkerID, s.Name)
		if f.server != "" {
			what, from = "server", ""
		}
		fmt.Fprintf(c.ErrOrStderr(), "measuring a %s; its ids are discarded; `uidbench --help` lists the "+
			"flags\n%s", what, from)
	}
	report, err := bench.Run(ctx, f.bench)
	write := map[string]func(io.Writer, bench.Report) error{
		"text": bench.WriteText, "json": cli.WriteJSON[bench.Report], "bench": bench.WriteBench,
	}[f.format]
	err = errors.Join(err, write(c.OutOrStdout(), report))
	if html != nil {
		_ = html.Truncate(0) // a pipe has nothing to cut off
		err = errors.Join(err, writeHTML(html, report), html.Close())
	}
	if err != nil {
		return err
	}
	return checkLimits(f.fail, report)
}

const (
	cached    = "cached"  // uid.New's
	immediate = "default" // uid.NewDefault's
)

// open makes the generator to load, and returns the store of its worker id, which the caller
// must close after the load.
func (f *runFlags) open(c *cobra.Command) (*storeurl.Store, error) {
	ctx := c.Context()
	layout, err := f.layout.Named()
	if err != nil {
		return nil, err
	}
	if f.server != "" {
		f.bench.Generator, err = connect(ctx, f.server, layout)
		return &storeurl.Store{Close: func() error { return nil }}, err
	}
	if err := cli.CheckOver(layout); err != nil {
		return nil, err
	}
	f.store.URL = cmp.Or(f.store.URL, "static:0")
	s, err := f.store.Open()
	if err != nil {
		return nil, err
	}
	level := slog.LevelWarn
	if f.quiet {
		level = slog.LevelError
	}
	logger := cli.Logger(c, level)
	a := worker.Leased(s.Leases, worker.Claim{Owner: "uidbench", Logger: logger})
	if s.Leases == nil { // its ids are measured and discarded, which needs no warning
		a, logger = worker.Static(s.Static), slog.New(slog.DiscardHandler)
	}
	if f.generator == immediate {
		f.bench.Generator, err = uid.NewDefault(ctx, a, uid.DefaultConfig{Layout: layout,
			Logger: logger, AllowRepeats: s.Leases == nil})
	} else {
		f.bench.Generator, err = uid.New(ctx, a, uid.Config{Layout: layout, Logger: logger,
			AllowRepeats: s.Leases == nil})
	}
	if err == nil {
		return s, nil
	}
	if errors.Is(err, worker.ErrIDRange) {
		err = cli.AsUsage(err)
	}
	return nil, errors.Join(err, s.Close())
}
