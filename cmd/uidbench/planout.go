package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/plan"
)

func writePlan(w io.Writer, fits []plan.Fit) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "LAYOUT\tNAME\tEPOCH\tUNTIL\tA NODE MAKES\tWORKER IDS LEFT")
	for _, f := range fits {
		left := humanize.Comma(f.Restarts)
		if !f.RestartsEnd.IsZero() {
			left += ", until " + f.RestartsEnd.Format("2006")
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", bench.FormatLayout(f.Layout), f.Name,
			f.Layout.Epoch.UTC().Format(time.DateOnly), f.End.Format(time.DateOnly),
			bench.FormatRate(f.Rate), left)
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
		j := fitJSON{
			Layout:        bench.FormatLayout(f.Layout),
			Name:          f.Name,
			Epoch:         f.Layout.Epoch.UTC(),
			Until:         f.End.Format(time.RFC3339),
			IDsPerSecond:  f.Rate,
			WorkerIDsLeft: f.Restarts,
		}
		if !f.RestartsEnd.IsZero() {
			j.WorkerIDsEnd = f.RestartsEnd.Format(time.RFC3339)
		}
		all = append(all, j)
	}
	return all
}
