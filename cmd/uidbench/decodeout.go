package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
)

// decoded is an id as one layout reads it.
type decoded struct {
	Preset string `json:"preset,omitempty"`
	Layout string `json:"layout"`
	Time   string `json:"time"`
	Tick   int64  `json:"tick"`
	Worker int64  `json:"worker"`

	// The parts of the worker id, where the system splits it.
	Datacenter       *int64 `json:"datacenter,omitempty"`
	DatacenterWorker *int64 `json:"datacenter_worker,omitempty"`

	Turn int64 `json:"turn"`
	Seq  int64 `json:"seq"`

	hasTurn bool
}

// answer is all there is to say about an id: what the likeliest layout reads, and
// when the layout is not known, what each one that fits does.
type answer struct {
	ID     string `json:"id"`
	Base32 string `json:"base32"`
	decoded
	Fits  []decoded `json:"fits,omitempty"`
	Forms *allForms `json:"forms,omitempty"`
}

// likeliest is how many layouts text shows of those that fit.
const likeliest = 3

func (a answer) writeText(w io.Writer, another, all bool) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if another {
		fmt.Fprintln(t)
	}
	fmt.Fprintf(t, "id\t%s\nbase32\t%s\n", a.ID, a.Base32)
	if a.Forms != nil {
		a.Forms.writeText(t)
	}
	layouts := byLayout(a.Fits)
	switch len(layouts) {
	case 0:
		a.decoded.writeText(t)
		return t.Flush()
	case 1:
		layouts[0].writeText(t)
		return t.Flush()
	}
	fmt.Fprintf(t, "fits\t%d layouts, the likeliest first\n", len(layouts))
	for i, f := range layouts {
		fmt.Fprintln(t)
		if i == likeliest && !all {
			fmt.Fprintf(t, "more\t%s: type --all\n", human.Count(int64(len(layouts)-i), "layout"))
			break
		}
		f.writeText(t)
	}
	return t.Flush()
}

// byLayout makes one of presets that have one layout, as these read the same.
func byLayout(fits []decoded) (all []decoded) {
	for _, f := range fits {
		i := slices.IndexFunc(all, func(other decoded) bool { return other.Layout == f.Layout })
		if i < 0 {
			all = append(all, f)
			continue
		}
		all[i].Preset += ", " + f.Preset
		if f.Datacenter != nil {
			all[i].Datacenter, all[i].DatacenterWorker = f.Datacenter, f.DatacenterWorker
		}
	}
	return all
}

func (d decoded) writeText(w io.Writer) {
	preset := ""
	if d.Preset != "" {
		preset = " (" + d.Preset + ")"
	}
	fmt.Fprintf(w, "layout\t%s%s\ntime\t%s\ntick\t%d\nworker\t%d\n", d.Layout, preset, d.Time, d.Tick,
		d.Worker)
	if d.Datacenter != nil {
		fmt.Fprintf(w, "datacenter\t%d\ndatacenter_worker\t%d\n", *d.Datacenter, *d.DatacenterWorker)
	}
	if d.hasTurn {
		fmt.Fprintf(w, "turn\t%d\n", d.Turn)
	}
	fmt.Fprintf(w, "seq\t%d\n", d.Seq)
}
