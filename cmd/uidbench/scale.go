package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/charts"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/sweep"
	"github.com/ringuid/ringuid/uid"
)

// scaleLayout has so much time that no run uses it up, and ticks of as many ids as
// the default layout.
const scaleLayout = "45/5/13"

// scaleMost ids take some minutes; beyond, nothing new would be seen.
const scaleMost = 1e12

// scaleFlags are the flags of scale, as typed.
type scaleFlags struct {
	scale  sweep.ScaleConfig
	limit  float64
	path   string
	svg    string
	format string
	quiet  bool
}

func newScale(stdout, stderr io.Writer) *cobra.Command {
	var f scaleFlags
	cmd := &cobra.Command{
		Use:   "scale",
		Short: "Show that an id costs the same as the work grows",
		Long: `Scale takes ids from cached generators along three axes, one at a time: the
number of ids, a million and more; the size of the ring, 2^13 to 2^24 ids; the
number of goroutines, 1 to 64. For each point it reports what an id cost, beside
an atomic add to one shared counter in the same run, and how much memory there
was: in the heap, where the generator and its ring are, and of the process.

Worker ids play no part: all have the worker id 0, and nothing is stored.`,
		Example: `  uidbench scale --svg scale.svg
  uidbench scale --limit 1e10 --path relaxed --format json`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			return f.run(c.Context(), stdout, stderr)
		},
	}
	f.bind(cmd)
	return cmd
}

func (f *scaleFlags) bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	f.limit = 1e9
	flags.Var(amount{&f.limit, true}, "limit", "the longest run takes `N` ids: 1e9, 10G")
	f.path = sweep.PathTake
	flags.Var(oneOf(&f.path, sweep.Paths()...), "path", "take ids by this `PATH`: take (one at a time), batch (1024 of them), stream or relaxed")
	flags.IntVar(&f.scale.Repeats, "repeats", 3, "do each run `N` times, and report the median one")
	flags.StringVar(&f.svg, "svg", "", "draw a picture into this `FILE`")
	f.format = "text"
	flags.Var(oneOf(&f.format, "text", "json"), "format", "`FORMAT` of the report: text or json")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "no progress, no remarks: results and errors alone")
}

// check refuses invalid settings before they cost minutes.
func (f *scaleFlags) check() error {
	switch {
	case f.limit > scaleMost:
		return usagef("--limit %.0f: type up to 1e12", f.limit)
	case f.scale.Repeats < 1 || f.scale.Repeats > 100:
		return usagef("--repeats %d: type 1 to 100", f.scale.Repeats)
	}
	f.scale.Limit, f.scale.Path = int64(f.limit), f.path
	return nil
}

func (f *scaleFlags) run(ctx context.Context, stdout, stderr io.Writer) error {
	if err := mayWrite("--svg", f.svg); err != nil {
		return err
	}
	layout, err := uid.ParseLayout(scaleLayout)
	if err != nil {
		return err
	}
	logger := slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	f.scale.Layout = layout
	f.scale.New = func(c sweep.Combination) (uid.Generator, error) { return combinationGenerator(ctx, c, logger) }
	if !f.quiet {
		fmt.Fprintf(stderr, "runs of up to %s ids begin\n", humanize.Comma(f.scale.Limit))
	}
	progress := newProgress(stderr, f.quiet)
	f.scale.Progress = progress.show
	report, err := sweep.Scale(ctx, f.scale)
	progress.end()

	write := sweep.WriteScaleText
	if f.format == "json" {
		write = human.WriteJSON
	}
	return errors.Join(err, write(stdout, report), f.draw(report))
}

func (f *scaleFlags) draw(r sweep.ScaleReport) error {
	if f.svg == "" {
		return nil
	}
	figure, err := charts.Scale(r)
	if err != nil {
		return err
	}
	return os.WriteFile(f.svg, figure.SVG, 0o666)
}
