package main

import (
	"fmt"
	"io"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/plan"
)

// planFlags are the requirements, as typed.
type planFlags struct {
	requirements plan.Requirements
	from         string
	format       format
}

func newPlan(stdout io.Writer) *cobra.Command {
	var f planFlags
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "Find the layouts that fit what you need",
		Long: `Plan lists the layouts that hold what you need: until when they last, how
many ids a second each node makes for good, and how many more starts there are worker
ids for. When nothing fits it says which bits that takes, and exits with 1. Layouts with ticks
of a millisecond come first, as they keep the indexes of a database dense, those of other
systems last.

A LAYOUT is its bits: TIME/WORKER/SEQ, or TIME/WORKER/TURN/SEQ/TAIL with a bit that
flips when the clock is set back, and last bits that never change; tsw: and wts: are
other orders. Ticks are a second, unless @ says how long.`,
		Example: `  uidbench plan --nodes 10 --starts-per-day 50 --rate 5000 --years 20
  uidbench plan --nodes 500 --recycled --rate 100000 --years 30 --format json
  uidbench plan --nodes 20 --recycled --rate 50k --from 2027-01-01`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return f.run(stdout) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Int64Var(&f.requirements.Nodes, "nodes", 10, "`N` generators that run at one time")
	flags.Float64Var(&f.requirements.StartsPerDay, "starts-per-day", 100,
		"starts of a generator, `N` a day, all together; each takes a worker id")
	flags.BoolVar(&f.requirements.Recycled, "recycled", false,
		"worker ids come back, so starts cost nothing; with ticks of a minute or more it takes two "+
			"for each node, as one that came back waits for the next tick")
	f.requirements.IDsPerSecond = 1000
	flags.Var(amount{&f.requirements.IDsPerSecond, false}, "rate",
		"`N` ids a second of one node, sustained without borrowing")
	flags.Float64Var(&f.requirements.Years, "years", 5, "`N` years that it is to last")
	flags.StringVar(&f.from, "from", "", "`TIME` at which the years begin (default: now); its day is "+
		"the epoch, but of presets, which have their own")
	f.format.bind(flags, "answer")
	return cmd
}

func (f *planFlags) run(w io.Writer) error {
	from := time.Now()
	if f.from != "" {
		var err error
		if from, err = parseTime("--from", f.from); err != nil {
			return err
		}
	}
	fits, err := plan.Layouts(f.requirements, from)
	if err != nil {
		return err
	}
	return f.format.write(w, fitsJSON(fits), func(w io.Writer) error {
		f.writeRequirements(w, from)
		return writePlan(w, fits)
	})
}

// writeRequirements says what the layouts are to hold.
func (f *planFlags) writeRequirements(w io.Writer, from time.Time) {
	r := f.requirements
	starts := fmt.Sprintf("%s starts a day", humanize.Commaf(r.StartsPerDay))
	if r.Recycled {
		starts = "worker ids recycled"
	}
	fmt.Fprintf(w, "%s at once, %s, %s each, %s years from %s\n\n", human.Count(r.Nodes, "generator"),
		starts, bench.FormatRate(r.IDsPerSecond), humanize.Commaf(r.Years), from.Format(time.DateOnly))
}
