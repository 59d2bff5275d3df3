package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/uid"
)

type decoded struct {
	Preset string `json:"preset,omitempty"`
	Layout string `json:"layout"`
	Time   string `json:"time"`
	Tick   int64  `json:"tick"`
	Worker int64  `json:"worker"`
	Turn   int64  `json:"turn"`
	Seq    int64  `json:"seq"`

	hasTurn bool
}

func (r reading) decoded() decoded {
	return decoded{Preset: r.preset, Layout: r.layout.String(),
		Time: cli.FormatTime(r.parts.Time, r.layout.Unit), Tick: r.parts.Tick, Worker: r.parts.Worker,
		Turn: r.parts.Turn, Seq: r.parts.Seq, hasTurn: r.layout.TurnBits > 0}
}

// answer is everything there is to say about an id: what the likeliest layout reads in it and,
// when the layout is not known, what each layout that fits reads in it.
type answer struct {
	ID     string `json:"id"`
	Base32 string `json:"base32,omitempty"` // of an id that is not negative
	decoded
	Fits []decoded `json:"fits,omitempty"`
}

// likeliest is how many of the presets that fit are shown as text.
const likeliest = 3

func (a answer) writeText(w io.Writer) {
	fmt.Fprintf(w, "id\t%s\n", a.ID)
	if a.Base32 != "" {
		fmt.Fprintf(w, "base32\t%s\n", a.Base32)
	}
	if len(a.Fits) <= 1 {
		a.decoded.writeText(w)
		return
	}
	fmt.Fprintf(w, "fits\t%d presets, the most likely ones first\n", len(a.Fits))
	shown := min(len(a.Fits), likeliest)
	for _, d := range a.Fits[:shown] {
		fmt.Fprintln(w)
		d.writeText(w)
	}
	if more := len(a.Fits) - shown; more > 0 {
		fmt.Fprintf(w, "\nmore\t%s: type --format json\n", cli.Count(int64(more), "preset"))
	}
}

func (d decoded) writeText(w io.Writer) {
	preset := ""
	if d.Preset != "" {
		preset = " (" + d.Preset + ")"
	}
	fmt.Fprintf(w, "layout\t%s%s\ntime\t%s\ntick\t%d\nworker\t%d\n", d.Layout, preset, d.Time, d.Tick,
		d.Worker)
	if d.hasTurn {
		fmt.Fprintf(w, "turn\t%d\n", d.Turn)
	}
	fmt.Fprintf(w, "seq\t%d\n", d.Seq)
}

// writeBounds shows the bounds of the ids of FROM..TO. The upper bound is not one of them.
func writeBounds(w io.Writer, times string, l uid.Layout, format cli.Format) error {
	first, second, found := strings.Cut(times, "..")
	if !found {
		return cli.Usagef("--bounds %q is not two times: type it like 2026-11-01..2026-12-01", times)
	}
	var ends [2]time.Time
	var ids [2]uid.ID
	for i, text := range []string{first, second} {
		var err error
		if ends[i], err = cli.ParseTime(text); err != nil {
			return cli.Usagef("--bounds %q is not a time: %w", text, err)
		}
		if ids[i], err = l.MinID(ends[i]); err != nil {
			return cli.Usagef("--bounds %s: %w", text, err)
		}
	}
	if !ends[0].Before(ends[1]) {
		return cli.Usagef("--bounds %s: the second time must be after the first", times)
	}
	if format == "json" {
		return json.NewEncoder(w).Encode(struct {
			Layout string `json:"layout"`
			From   uid.ID `json:"from"`
			To     uid.ID `json:"to"`
		}{l.String(), ids[0], ids[1]})
	}
	return format.Print(w, nil, "layout\t%v\nfrom\t%d\t%s\nto\t%d\t%s", l, ids[0],
		cli.FormatTime(ends[0], l.Unit), ids[1], cli.FormatTime(ends[1], l.Unit))
}
