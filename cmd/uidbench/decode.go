package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/opaque"
	"github.com/ringuid/ringuid/preset"
	"github.com/ringuid/ringuid/uid"
)

func newDecode(stdout io.Writer) *cobra.Command {
	var (
		layout layoutFlags
		d      = decoder{out: stdout, now: time.Now}
		keys   string
		bounds string
	)
	cmd := &cobra.Command{
		Use:   "decode ID...|-",
		Short: "Take ids apart",
		Long: `Decode prints the time (in UTC), worker id and sequence of ids, in any form: decimal,
base32 with 13 characters (13 digits are decimal), a text with a kind's prefix, a UUID
that an id was made, and bwmarrin's base 2, 32, 36, 58 and 64 with their names in front,
as in bwmarrin_base58:4zzv4rZaYpj. Hidden ids need their keys.

Snowflake's worker id is taken apart too, into the datacenter and its worker.

An id does not say which layout made it. Without --layout, --preset or --epoch
the presets are tried: those fit which put the id between their epoch and a month
from now. Text has the three likeliest. JSON has the likeliest in its first fields, and in
"fits" every one that fits.
SnowflakeLayout (41/10/12@1ms) and the default layout come first, then the others, the latest
time first. Layouts whose time is over follow, as nearly every id fits them. Those that put the
id into their very first days come last, as most do with a small number.

Type - to read ids from stdin, with blanks or lines between them.

With --bounds it takes no ids, and prints the bounds of those that a layout has for a time:
"from" is the smallest id at the first time, "to" the smallest at the second. The ids of the
time are those with from <= id and id < to. Without a layout it is uid.SnowflakeLayout().`,
		Example: `  uidbench decode 1234567890123456789
  uidbench decode --preset baidu 3200169789968523265
  uidbench decode --preset snowflake 1541815603606036480
  uidbench decode --layout 41/10/12@1ms --epoch 2010-11-04T01:42:54.657Z 27848293 27848294
  uidbench decode --format json 0H36H2B7DNQAN | jq .worker
  uidbench decode ord_0eyj200001r00
  uidbench decode --keys keys.txt ord_ecscm65krsxa8
  uidbench decode --preset snowflake bwmarrin_base58:4zzv4rZaYpj
  uidbench decode --bounds 2026-11-01..2026-12-01`,
		Args: func(c *cobra.Command, args []string) error {
			switch given := c.Flags().Changed("bounds"); {
			case given && len(args) > 0:
				return usagef("%s: --bounds takes no ids", args[0])
			case !given && len(args) == 0:
				return usagef("which id? type: %s ID..., with - for stdin", c.CommandPath())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("bounds") {
				return writeBounds(stdout, bounds, layout, d.format)
			}
			var err error
			if d.forms.keys, err = readKeys(keys); err != nil {
				return err
			}
			if layout.given() {
				l, err := layout.named()
				if err != nil {
					return err
				}
				d.candidates = []candidate{{layout.preset, l}}
			} else {
				all, err := presets()
				if err != nil {
					return err
				}
				d.candidates = all
			}
			return d.decodeAll(args, c.InOrStdin())
		},
	}
	layout.bind(cmd)
	d.format = "text"
	cmd.Flags().Var(oneOf(&d.format, "text", "json"), "format",
		"`FORMAT` of the answer: text, or json, an object for each id, one per line")
	cmd.Flags().StringVar(&keys, "keys", "",
		"`FILE` with the keys of hidden ids: NUMBER:SECRET, in hexadecimal digits, the one that hides "+
			"first")
	cmd.Flags().StringVar(&bounds, "bounds", "",
		"print the bounds of the ids of `FROM..TO`, such as 2026-11-01..2026-12-01 (in UTC)")
	cmd.MarkFlagsMutuallyExclusive("bounds", "keys")
	return cmd
}

// candidate is a layout that an id may have.
type candidate struct {
	preset string
	layout uid.Layout
}

// firstLayout is the name of the layout to begin with, which is no other system's.
const firstLayout = "SnowflakeLayout"

// presets are the layouts that an id may have when none is named.
func presets() (all []candidate, err error) {
	all = append(all, candidate{firstLayout, uid.SnowflakeLayout()})
	for _, name := range preset.Names() {
		l, err := preset.Layout(name)
		if err != nil {
			return nil, err
		}
		all = append(all, candidate{name, l})
	}
	return all, nil
}

type decoder struct {
	out        io.Writer
	now        func() time.Time
	format     string
	candidates []candidate
	forms      formReader
}

// decodeAll prints every id that it can, and says which ones it cannot. In place of - are
// the words of stdin.
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
		return a.writeText(d.out)
	}
	for _, arg := range args {
		if arg != "-" {
			if err := show(arg); err != nil {
				return err
			}
			continue
		}
		words := bufio.NewScanner(stdin)
		words.Split(bufio.ScanWords)
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
	id, err := d.forms.read(arg)
	if err != nil {
		return answer{}, err
	}
	a := answer{ID: id.String(), Base32: opaque.ID{Number: id}.String()}
	if len(d.candidates) == 1 {
		c := d.candidates[0]
		p, err := c.layout.Parse(id)
		if err != nil {
			return a, err
		}
		a.decoded = decodedBy(c, p)
		return a, nil
	}
	for _, f := range d.fits(id) {
		a.Fits = append(a.Fits, decodedBy(f.candidate, f.parts))
	}
	if len(a.Fits) == 0 {
		return a, usagef("%v: no preset fits it (all read a time that is still ahead): say which "+
			"layout it has with --layout or --preset", id)
	}
	a.decoded = a.Fits[0]
	return a, nil
}

// fit is a candidate by which an id may exist already.
type fit struct {
	candidate
	parts uid.Parts
}

// fits are the candidates that read a time which is not ahead, the likeliest first. A month
// is for ids that were borrowed from the future.
func (d decoder) fits(id uid.ID) (all []fit) {
	now := d.now()
	for _, c := range d.candidates {
		if p, err := c.layout.Parse(id); err == nil && p.Time.Before(now.AddDate(0, 1, 0)) {
			all = append(all, fit{c, p})
		}
	}
	slices.SortStableFunc(all, func(a, b fit) int {
		return cmp.Or(
			cmp.Compare(a.doubts(now), b.doubts(now)),
			cmp.Compare(now.Sub(a.parts.Time).Abs(), now.Sub(b.parts.Time).Abs()),
		)
	})
	return all
}

// doubts are greater the more ids of others fit a layout by chance: a small number is one of
// the very first days of nearly every layout, and where the time is over nearly every id is
// one of the past. Whoever has not named a layout most likely has one of this project's own.
func (f fit) doubts(now time.Time) (n int) {
	switch {
	case f.parts.Time.Sub(f.layout.Epoch) < now.Sub(f.layout.Epoch)/100:
		n = 4
	case !now.Before(f.layout.End()):
		n = 2
	}
	if f.preset != "default" && f.preset != firstLayout {
		n++
	}
	return n
}
