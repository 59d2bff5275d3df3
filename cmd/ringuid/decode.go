package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/opaque"
	"github.com/ringuid/ringuid/preset"
	"github.com/ringuid/ringuid/uid"
)

func newDecode() *cobra.Command {
	var (
		layout       cli.Layout
		format       cli.Format
		keys, bounds string
	)
	cmd := &cobra.Command{
		Use:     "decode ID...|-",
		GroupID: "ids",
		Short:   "Show the time, worker id and sequence in an id",
		Long: `Decode shows the time (in UTC), worker id and sequence number in ids. It reads an id as
decimal digits, as 13 characters of base 32 (13 digits are decimal), as a text with a
prefix, and as a UUID that was made from an id. Hidden ids need --keys.

A negative id is one that Baidu's generator made after its layout's time: type -- before it.

An id does not say which layout it has. Without --layout, decode tries all that have a
name. Those fit that show a time between their epoch and a month from now. As text it shows
the three most likely ones; JSON has all that fit in "fits", and the likeliest in front.

Type - to read ids from stdin, separated by blanks or line breaks.

With --bounds it reads no ids. It shows which ids a layout makes in a time: from is the
first id of the first time, to the first id of the second. The ids in between are those
with from <= id and id < to. The layout is SnowflakeLayout unless a flag says otherwise.`,
		Example: `  ringuid decode 1234567890123456789
  ringuid decode --layout baidu 3200169789968523265
  ringuid decode --layout twitter 1541815603606036480
  ringuid decode --layout 41/10/12@1ms --epoch 2010-11-04T01:42:54.657Z 27848293 27848294
  ringuid decode --format json 0H36H2B7DNQAN | jq .worker
  ringuid decode ord_0eyj200001r00
  ringuid decode --keys keys.txt ord_ecscm65krsxa8
  ringuid decode --bounds 2026-11-01..2026-12-01`,
		Args: func(c *cobra.Command, args []string) error {
			switch given := c.Flags().Changed("bounds"); {
			case given && len(args) > 0:
				return cli.Usagef("%s: --bounds takes no ids", args[0])
			case !given && len(args) == 0:
				return cli.Usagef("which id? type: %s ID..., with - for stdin", c.CommandPath())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) (err error) {
			all := presets()
			if layout.Layout == "" && layout.Given() {
				return cli.Usagef("--epoch of which layout? type --layout, too")
			}
			if layout.Given() {
				l, err := layout.Named()
				if err != nil {
					return err
				}
				all = []reading{{preset: layout.Name(), layout: l}}
			}
			if c.Flags().Changed("bounds") {
				return writeBounds(c.OutOrStdout(), bounds, all[0].layout, format)
			}
			d := decoder{out: c.OutOrStdout(), now: time.Now(), format: format, layouts: all}
			if d.keys, err = readKeys(keys); err != nil {
				return err
			}
			return d.decodeAll(args, c.InOrStdin())
		},
	}
	layout.Bind(cmd)
	format.Bind(cmd.Flags(), "answer; JSON has an object for each id, one per line")
	cmd.Flags().StringVar(&keys, "keys", "",
		"`FILE` with the keys of hidden ids: NUMBER:SECRET in hexadecimal digits, the key that hides first")
	cmd.Flags().StringVar(&bounds, "bounds", "",
		"show the bounds of the ids of `FROM..TO`, such as 2026-11-01..2026-12-01 (in UTC)")
	cmd.MarkFlagsMutuallyExclusive("bounds", "keys")
	return cmd
}

// reading is what a layout reads in an id.
type reading struct {
	preset string
	layout uid.Layout
	parts  uid.Parts
}

// firstLayout is the name of the layout to begin with, which is not another system's.
const firstLayout = "SnowflakeLayout"

// presets returns the layouts that an id may have when none is named.
func presets() []reading {
	all := []reading{{preset: firstLayout, layout: uid.SnowflakeLayout()}}
	for _, name := range preset.Names() {
		if l, _ := preset.Layout(name); name != firstLayout { // cannot fail: it is one of the names
			all = append(all, reading{preset: name, layout: l})
		}
	}
	return all
}

type decoder struct {
	out     io.Writer
	now     time.Time
	format  cli.Format
	layouts []reading
	keys    *opaque.Keys
}

// decodeAll shows every id that it can, and reports which ones it cannot. The argument - stands
// for the words of stdin.
func (d decoder) decodeAll(args []string, stdin io.Reader) error {
	var errs []error
	another := false
	show := func(arg string) error {
		a, err := d.decode(arg)
		if err != nil {
			errs = append(errs, err)
			return nil
		}
		if d.format == "json" {
			return json.NewEncoder(d.out).Encode(a)
		}
		if another {
			fmt.Fprintln(d.out)
		}
		another = true
		return d.format.Write(d.out, a, a.writeText)
	}
	for _, arg := range args {
		words := bufio.NewScanner(strings.NewReader(arg))
		if arg == "-" {
			words = bufio.NewScanner(stdin)
		}
		words.Split(bufio.ScanWords)
		if strings.TrimSpace(arg) == "" {
			_ = show(arg) // which is an error
		}
		for words.Scan() {
			if err := show(words.Text()); err != nil {
				return err
			}
		}
		if err := words.Err(); err != nil {
			errs = append(errs, fmt.Errorf("reading stdin: %w", err))
		}
	}
	return errors.Join(errs...)
}

func (d decoder) decode(arg string) (answer, error) {
	id, err := readID(arg, d.keys)
	if err != nil {
		return answer{}, err
	}
	if id < 0 {
		return d.decodeNegative(id)
	}
	a := answer{ID: id.String(), Base32: opaque.ID{Number: id}.String()}
	if len(d.layouts) == 1 {
		r := d.layouts[0]
		r.parts, err = r.layout.Parse(id)
		a.decoded = r.decoded()
		return a, err
	}
	for _, r := range d.fits(id) {
		a.Fits = append(a.Fits, r.decoded())
	}
	if len(a.Fits) == 0 {
		return a, cli.Usagef("%v: no preset fits it (all read a time that is still ahead): say which "+
			"layout it has with --layout", id)
	}
	a.decoded = a.Fits[0]
	return a, nil
}

// decodeNegative reads what Baidu's cached generator makes when the layout's time is over: the sign
// is a bit of the time.
func (d decoder) decodeNegative(id uid.ID) (a answer, err error) {
	r := d.layouts[0]
	if len(d.layouts) > 1 {
		r = reading{preset: "baidu", layout: uid.BaiduLayout()}
	}
	after := r.layout
	after.Epoch = after.End()
	r.parts, err = after.Parse(id & math.MaxInt64)
	if err != nil || after.Order == uid.WorkerTimeSequence || r.parts.Time.After(d.latest()) {
		return a, cli.Usagef("%d is negative, which no id of the layout %v is", id, r.layout)
	}
	r.parts.Tick += 1 << r.layout.TimeBits
	return answer{ID: id.String(), decoded: r.decoded()}, nil
}

// latest returns the latest time that an id may have: some are borrowed from the future.
func (d decoder) latest() time.Time { return d.now.AddDate(0, 1, 0) }

// fits returns the readings with such a time, the likeliest first.
func (d decoder) fits(id uid.ID) (all []reading) {
	for _, r := range d.layouts {
		var err error
		if r.parts, err = r.layout.Parse(id); err == nil && !r.parts.Time.After(d.latest()) {
			all = append(all, r)
		}
	}
	slices.SortStableFunc(all, func(a, b reading) int {
		return cmp.Or(
			cmp.Compare(a.wentBack(d.now), b.wentBack(d.now)),
			cmp.Compare(d.now.Sub(a.parts.Time).Abs(), d.now.Sub(b.parts.Time).Abs()),
		)
	})
	return all
}

// wentBack is greater the more ids of others fit a layout by chance: a small number is an id of
// the very first days of nearly every layout, and nearly every id fits a layout whose time is
// over. A user who has named no layout most likely has one of this project's.
func (r reading) wentBack(now time.Time) (n int) {
	switch {
	case r.parts.Time.Sub(r.layout.Epoch) < now.Sub(r.layout.Epoch)/100:
		n = 4
	case !now.Before(r.layout.End()):
		n = 2
	}
	if r.preset != "default" && r.preset != firstLayout {
		n++
	}
	return n
}
