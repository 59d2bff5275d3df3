package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/plan"
	"github.com/ringuid/ringuid/preset"
	"github.com/ringuid/ringuid/uid"
)

// planFlags are the requirements, as typed.
type planFlags struct {
	requirements plan.Requirements
	epoch        string
	from         string
	preset       string
	order        string
	burst        float64
	pick         string
	format       string
}

func newPlan(stdout io.Writer) *cobra.Command {
	var f planFlags
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "Find the layouts that fit what you need",
		Long: `Plan lists the layouts that hold what you need: until when they last, how
many ids a second each node makes for good, how many more starts there are worker
ids for, and what a burst above that rate borrows from the future. When nothing
fits it says which requirement is in the way, and exits with 1. Layouts of other
systems come last.

A LAYOUT is its bits: TIME/WORKER/SEQ, or TIME/WORKER/TURN/SEQ/TAIL with a bit that
flips when the clock is set back, and last bits that never change; tsw: and wts: are
other orders. Ticks are a second, unless @ says how long.`,
		Example: `  uidbench plan --nodes 10 --starts-per-day 50 --rate 5000 --years 20
  uidbench plan --nodes 500 --recycled --rate 100000 --years 30 --format json
  uidbench plan --preset yitter --nodes 20 --recycled --rate 50k
  uidbench plan --nodes 10 --recycled --rate 50k --pick balanced --format go > layout.go`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.run(stdout, c.Flags().Changed) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Int64Var(&f.requirements.Nodes, "nodes", 10, "`N` generators that run at one time")
	flags.Float64Var(&f.requirements.StartsPerDay, "starts-per-day", 100,
		"starts of a generator, `N` a day, all together; each takes a worker id")
	flags.BoolVar(&f.requirements.Recycled, "recycled", false,
		"worker ids come back, so starts cost nothing; with ticks of a minute or more it takes two "+
			"for each node, as one that came back waits for the next tick")
	f.requirements.IDsPerSecond, f.burst = 1000, 1e6
	flags.Var(amount{&f.requirements.IDsPerSecond, false}, "rate",
		"`N` ids a second of one node, sustained without borrowing")
	flags.Float64Var(&f.requirements.Years, "years", 5, "`N` years that it is to last")
	flags.StringVar(&f.from, "from", "", "`TIME` at which the years begin (default: now)")
	flags.StringVar(&f.epoch, "epoch", "",
		"`TIME` that counts as 0 (default: 00:00 UTC of that day; presets have their own)")
	flags.Var(oneOf(&f.preset, preset.Names()...), "preset",
		"look at one known system alone, by `NAME`: "+strings.Join(preset.Names(), ", "))
	f.order = "tws"
	flags.Var(oneOf(&f.order, "tws", "tsw", "wts"), "order",
		"`ORDER` of time, worker and sequence: tws, tsw or wts (presets have their own)")
	flags.Var(amount{&f.burst, false}, "burst", "`N` ids a second of one node in a burst")
	f.format = "text"
	flags.StringVar(&f.pick, "pick", "", "show the layout of this `NAME` alone, such as balanced")
	flags.Var(oneOf(&f.format, "text", "json", "go"), "format",
		"`FORMAT` of the answer: text, json, or go, which is the first layout as code")
	cmd.MarkFlagsMutuallyExclusive("preset", "epoch") // a preset has its own
	cmd.MarkFlagsMutuallyExclusive("preset", "order")
	return cmd
}

func (f *planFlags) run(w io.Writer, typed func(flag string) bool) error {
	f.requirements.Order = map[string]uid.Order{"tsw": uid.TimeSequenceWorker,
		"wts": uid.WorkerTimeSequence}[f.order]
	if f.epoch != "" {
		epoch, err := parseTime("--epoch", f.epoch)
		if err != nil {
			return err
		}
		f.requirements.Epoch = epoch
	}
	from := time.Now()
	if f.from != "" {
		var err error
		if from, err = parseTime("--from", f.from); err != nil {
			return err
		}
	}
	fits, err := f.fits(from)
	if conflict := new(plan.Conflict); errors.As(err, &conflict) || errors.Is(err, plan.ErrMisfit) {
		return errors.New(strings.ReplaceAll(err.Error(), "; ", "\n"))
	}
	if err != nil {
		return err
	}
	if f.pick != "" {
		if fits, err = pick(fits, f.pick); err != nil {
			return err
		}
	}
	switch f.format {
	case "json":
		return writePlanJSON(w, fits, f.burst)
	case "go":
		return writePlanGo(w, fits[0])
	}
	if err := f.writeRequirements(w, from, typed); err != nil {
		return err
	}
	return writePlan(w, fits, f.burst, f.requirements.Recycled)
}

// writeRequirements says what the layouts are to hold, and what of it nobody typed.
func (f *planFlags) writeRequirements(w io.Writer, from time.Time,
	typed func(flag string) bool) error {
	r := f.requirements
	starts := fmt.Sprintf("%s starts a day", human.Number(r.StartsPerDay))
	if r.Recycled {
		starts = "worker ids recycled"
	}
	fmt.Fprintf(w, "%s at once, %s, %s each, %s years from %s\n", human.Count(r.Nodes, "generator"),
		starts, bench.FormatRate(r.IDsPerSecond), human.Number(r.Years), from.Format(time.DateOnly))
	var assumed []string
	for _, flag := range []string{"nodes", "starts-per-day", "rate", "years"} {
		if !typed(flag) && !(flag == "starts-per-day" && r.Recycled) {
			assumed = append(assumed, "--"+flag)
		}
	}
	if len(assumed) > 0 {
		fmt.Fprintf(w, "assumed, since nobody said: %s\n", strings.Join(assumed, ", "))
	}
	_, err := fmt.Fprintln(w)
	return err
}

// pick is the first layout that goes by this name.
func pick(fits []plan.Fit, name string) ([]plan.Fit, error) {
	var names []string
	for _, f := range fits {
		own := strings.Split(f.Name, ", ")
		if slices.Contains(own, name) {
			return []plan.Fit{f}, nil
		}
		names = append(names, own...)
	}
	return nil, usagef("--pick %q: what fits is %s", name, strings.Join(slices.Compact(names), ", "))
}

// fits looks at all layouts, or at one preset.
func (f *planFlags) fits(from time.Time) ([]plan.Fit, error) {
	if f.preset == "" {
		return plan.Layouts(f.requirements, from)
	}
	fit, err := plan.Preset(f.preset, f.requirements, from)
	return []plan.Fit{fit}, err
}
