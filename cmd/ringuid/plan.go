package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/cmd/ringuid/internal/plan"
	"github.com/ringuid/ringuid/internal/fingerprint"
	"github.com/ringuid/ringuid/uid"
)

func newPlan() *cobra.Command {
	var (
		need   = plan.Requirements{IDsPerSecond: 1000}
		from   = time.Now()
		format cli.Format
	)
	cmd := &cobra.Command{
		Use:     "plan",
		GroupID: "ids",
		Short:   "Find the layouts that hold what you need",
		Long: `Plan lists the layouts that hold what you need: when each ends, how many ids a second
one process can make for as long as it likes, and how many worker ids are left for more
starts. If no layout fits, it says which bits are missing, and exits with 1.

Layouts with ticks of a millisecond come first, because they keep the indexes of a
database dense. Those of other systems come last. What is balanced has no name to type.

A LAYOUT is a number of bits for each part: TIME/WORKER/SEQ, or TIME/WORKER/TURN/SEQ/TAIL
with a bit that flips when the clock is set back, and last bits that never change. The
prefixes tsw: and wts: put the parts in another order. A tick is a second unless @ says
otherwise.`,
		Example: `  ringuid plan --nodes 500 --rate 100000 --years 30
  ringuid plan --nodes 20 --rate 50k --from 2027-01-01 --format json
  ringuid plan --nodes 10 --starts-per-day 50 --rate 5000 --years 20`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			fits, err := plan.Layouts(need, from)
			if err != nil {
				return err
			}
			return format.Write(c.OutOrStdout(), fitsJSON(fits), func(w io.Writer) error {
				return writePlan(w, need, from, fits)
			})
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Int64Var(&need.Nodes, "nodes", 10, "`N` processes that run at the same time")
	flags.Float64Var(&need.StartsPerDay, "starts-per-day", 0,
		"for worker.Disposable: `N` starts of a process a day, all together, each of which takes a new "+
			"worker id (default: for worker.Leased, where starts cost nothing; with ticks of a minute or "+
			"more each process needs two worker ids, because one that was given back waits for the next "+
			"tick)")
	flags.Var(cli.Amount{Value: &need.IDsPerSecond}, "rate",
		"`N` ids a second of one process, without borrowing from the future")
	flags.Float64Var(&need.Years, "years", 5, "`N` years that the layout must last")
	flags.Var(cli.Time(&from), "from", "`TIME` at which the years begin (default: now); its day is the "+
		"epoch, except for layouts that have their own")
	format.Bind(flags, "answer")
	return cmd
}

// rateText formats ids a second: 4.1 M/s.
func rateText(perSecond float64) string { return humanize.SIWithDigits(perSecond, 2, "/s") }

// bits formats a layout as uid.ParseLayout reads it, without its epoch.
func bits(l uid.Layout) string {
	text, _, _ := strings.Cut(fingerprint.Layout(l.Need().Fingerprint), " since ")
	return text
}

func writePlan(w io.Writer, need plan.Requirements, from time.Time, fits []plan.Fit) error {
	starts := "worker ids leased"
	if need.StartsPerDay > 0 {
		starts = fmt.Sprintf("%s starts a day", humanize.Commaf(need.StartsPerDay))
	}
	fmt.Fprintf(w, "%s at once, %s, %s each, %s years from %s\n\n", cli.Count(need.Nodes, "process"),
		starts, rateText(need.IDsPerSecond), humanize.Commaf(need.Years),
		from.Format(time.DateOnly))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "LAYOUT\tNAME\tEPOCH\tUNTIL\tA PROCESS MAKES\tWORKER IDS LEFT")
	for _, f := range fits {
		left := humanize.Comma(f.Restarts)
		if !f.RestartsEnd.IsZero() {
			left += ", until " + f.RestartsEnd.Format("2006")
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", bits(f.Layout), f.Name,
			f.Layout.Epoch.UTC().Format(time.DateOnly), f.End.Format(time.DateOnly),
			rateText(f.Rate), left)
	}
	return t.Flush()
}

// fitJSON is a layout that fits as JSON shows it.
type fitJSON struct {
	Layout        string    `json:"layout"`
	Name          string    `json:"name"`
	Epoch         time.Time `json:"epoch"`
	Until         string    `json:"until"`
	IDsPerSecond  float64   `json:"ids_per_second"`
	WorkerIDsLeft int64     `json:"worker_ids_left"`
	WorkerIDsEnd  string    `json:"worker_ids_end,omitempty"`
}

func fitsJSON(fits []plan.Fit) (all []fitJSON) {
	for _, f := range fits {
		j := fitJSON{bits(f.Layout), f.Name, f.Layout.Epoch.UTC(),
			f.End.Format(time.RFC3339), f.Rate, f.Restarts, ""}
		if !f.RestartsEnd.IsZero() {
			j.WorkerIDsEnd = f.RestartsEnd.Format(time.RFC3339)
		}
		all = append(all, j)
	}
	return all
}
