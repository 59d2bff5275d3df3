package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/plan"
	"github.com/ringuid/ringuid/worker"
)

func writePlan(w io.Writer, fits []plan.Fit, burst float64, recycled bool) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "LAYOUT\tNAME\tEPOCH\tUNTIL\tA NODE MAKES\tWORKER IDS LEFT\tA BURST OF %s\n",
		bench.FormatRate(burst))
	for _, f := range fits {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", bench.FormatLayout(f.Layout), f.Name,
			epochText(f.Layout.Epoch), f.End.Format(time.DateOnly), bench.FormatRate(f.Rate),
			restartsText(f), burstText(f, burst, recycled))
	}
	return t.Flush()
}

// epochText is the epoch as --epoch takes it.
func epochText(epoch time.Time) string {
	epoch = epoch.UTC()
	if epoch.Equal(epoch.Truncate(24 * time.Hour)) {
		return epoch.Format(time.DateOnly)
	}
	return epoch.Format(time.RFC3339Nano)
}

// idsLeft says what the worker ids that are left are good for.
func idsLeft(f plan.Fit) string {
	if f.Recycled {
		return humanize.Comma(f.Restarts) + " nodes more"
	}
	return humanize.Comma(f.Restarts) + " starts more"
}

func restartsText(f plan.Fit) string {
	if f.Recycled && f.Restarts == 0 {
		return "0: a start waits for a stop"
	}
	text := humanize.Comma(f.Restarts)
	if !f.RestartsEnd.IsZero() {
		text += ", until " + f.RestartsEnd.Format("2006")
	}
	return text
}

func burstText(f plan.Fit, burst float64, recycled bool) string {
	b := f.Burst(burst)
	switch {
	case b.Ahead <= 1:
		return "borrows nothing"
	case recycled:
		// A lease grants a window ahead of the store's clock, and no further.
		window := worker.DefaultWindow.Seconds()
		return fmt.Sprintf("lasts %s (a lease grants a minute), then %s",
			bench.FormatSpan(window*f.Rate/(burst-f.Rate)), bench.FormatRate(f.Rate))
	}
	return fmt.Sprintf("borrows %s each second, for good: over in %s",
		bench.FormatSpan(b.Ahead-1), bench.FormatSpan(b.Life.Seconds()))
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
	Burst         burstJSON `json:"burst"`
}

type burstJSON struct {
	IDsPerSecond float64 `json:"ids_per_second"`
	Ahead        float64 `json:"ahead"` // seconds of id time spent in each second
	LifeSeconds  float64 `json:"life_seconds"`
}

func writePlanJSON(w io.Writer, fits []plan.Fit, burst float64) error {
	var all []fitJSON
	for _, f := range fits {
		b := f.Burst(burst)
		j := fitJSON{
			Layout:        bench.FormatLayout(f.Layout),
			Name:          f.Name,
			Epoch:         f.Layout.Epoch.UTC(),
			Until:         f.End.Format(time.RFC3339),
			IDsPerSecond:  f.Rate,
			WorkerIDsLeft: f.Restarts,
			Burst:         burstJSON{burst, b.Ahead, b.Life.Seconds()},
		}
		if !f.RestartsEnd.IsZero() {
			j.WorkerIDsEnd = f.RestartsEnd.Format(time.RFC3339)
		}
		all = append(all, j)
	}
	return human.WriteJSON(w, all)
}
