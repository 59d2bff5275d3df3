package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/preset"
	"github.com/ringuid/ringuid/uid"
)

// layoutFlags say which layout is meant.
type layoutFlags struct {
	layout, preset string
	epoch          time.Time
}

func (f *layoutFlags) bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.layout, "layout", "",
		"a name, or numbers of bits, `TIME/WORKER/SEQ`, such as 28/22/13, or 41/10/12@1ms with a tick of 1 ms; "+
			"TIME/WORKER/TURN/SEQ/TAIL with a bit that flips when the clock is set back, and last bits "+
			"that never change (33/10/1/14/5=31); in another order tsw:TIME/SEQ/WORKER or "+
			"wts:WORKER/TIME/SEQ")
	flags.StringVar(&f.preset, "preset", "",
		"layout of a known system, by `NAME`: "+strings.Join(preset.Names(), ", "))
	flags.Var(timeFlag{&f.epoch}, "epoch",
		"`TIME` that counts as 0: 2026-01-01 (in UTC), or 2016-05-20T00:00:00+08:00")
	cmd.MarkFlagsMutuallyExclusive("layout", "preset")
}

// given reports whether any of the flags was given.
func (f *layoutFlags) given() bool {
	return f.layout != "" || f.preset != "" || !f.epoch.IsZero()
}

// named returns the layout that is meant. A name is a preset's, whichever flag it was typed for.
func (f *layoutFlags) named() (uid.Layout, error) {
	l, err := uid.DefaultLayout(), error(nil)
	if f.layout >= "A" && !strings.ContainsAny(f.layout, "/|@") {
		f.layout, f.preset = "", f.layout
	}
	switch {
	case f.layout != "":
		l, err = uid.ParseLayout(f.layout)
	case f.preset != "":
		l, err = preset.Layout(f.preset)
	}
	if err != nil {
		return l, err
	}
	if !f.epoch.IsZero() {
		l.Epoch = f.epoch
	}
	return l, l.Validate()
}

// checkOver refuses a layout whose time is over, before a worker id is taken for it.
func checkOver(l uid.Layout, now time.Time) error {
	if end := l.End(); !now.Before(end) {
		return overError(fmt.Errorf("%w: %v ended at %s", uid.ErrTimeOver, l,
			formatTime(end, l.Unit)))
	}
	return nil
}

// overError says what to type when a layout's time is over.
func overError(err error) error {
	return usageError{fmt.Errorf(
		"%w\ntype a later --epoch, or a --layout with more time bits; `uidbench plan` lists some", err)}
}
