package cli

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/preset"
	"github.com/ringuid/ringuid/uid"
)

// Layout has the flags that say which layout is meant.
type Layout struct {
	Layout string
	Epoch  time.Time
}

func (f *Layout) Bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.Layout, "layout", "",
		"numbers of bits, `TIME/WORKER/SEQ`, such as 28/22/13, or 41/10/12@1ms with a tick of 1 ms; "+
			"TIME/WORKER/TURN/SEQ/TAIL with a bit that flips when the clock is set back, and last bits "+
			"that never change (33/10/1/14/5=31); in another order tsw:TIME/SEQ/WORKER or "+
			"wts:WORKER/TIME/SEQ; or a name: "+strings.Join(preset.Names(), ", "))
	flags.Var(Time(&f.Epoch), "epoch",
		"`TIME` that counts as 0: 2016-09-20T00:00:00+08:00 (default for bits: 2026-01-01, in UTC)")
}

// Given reports whether any of the flags was given.
func (f *Layout) Given() bool { return f.Layout != "" || !f.Epoch.IsZero() }

// Name returns the name that was typed, empty if it was none.
func (f *Layout) Name() string {
	if f.Layout < "A" || strings.ContainsAny(f.Layout, "/|@") {
		return ""
	}
	return f.Layout
}

// Named returns the layout that is meant, SnowflakeLayout without flags.
func (f *Layout) Named() (l uid.Layout, err error) {
	switch {
	case f.Name() != "":
		l, err = preset.Layout(f.Layout)
	case f.Layout != "":
		l, err = uid.ParseLayout(f.Layout)
	default:
		l = uid.SnowflakeLayout()
	}
	if err != nil {
		return l, err
	}
	if !f.Epoch.IsZero() {
		l.Epoch = f.Epoch
	}
	return l, l.Validate()
}

// CheckOver refuses a layout whose time is over, before a worker id is taken for it.
func CheckOver(l uid.Layout) error {
	if end := l.End(); !time.Now().Before(end) {
		return Usagef("%w: %v ended at %s\ntype a later --epoch, or a --layout with more time bits; "+
			"`ringuid plan` lists some", uid.ErrTimeOver, l, FormatTime(end, l.Unit))
	}
	return nil
}
