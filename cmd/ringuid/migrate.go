package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/preset"
	"github.com/ringuid/ringuid/uid"
)

type migrateFlags struct {
	change
	old, new   cli.Layout
	oldStopped bool
	oldWorker  bool // --old-workers was given
	format     cli.Format
}

func newMigrate() *cobra.Command {
	f := migrateFlags{change: change{at: time.Now()}}
	cmd := &cobra.Command{
		Use:     "migrate",
		GroupID: "ids",
		Short:   "Check that old and new ids cannot collide",
		Long: `Migrate compares the ids that one layout makes until a time with those that another one
makes from then on. Can any be equal, and from when until when? The answer is exact.

LAYOUT is the name of a preset, or numbers of bits such as 28/22/13 or 41/10/12@1ms.

A time that is past needs --old-stopped: old processes that still run have made ids since.

If some can be equal, it tries an earlier --to-epoch, which makes new ids greater than all
old ones, and --new-workers above --old-workers, which holds if both take their worker ids
from one table WORKER_NODE. It shows what it found to work.

It exits with 0 if no ids can be equal, and with 1 if some can.`,
		Example: `  ringuid migrate --from twitter --to SnowflakeLayout
  ringuid migrate --from baidu --to default --old-workers 5000 --new-workers 5001
  ringuid migrate --from 29/21/13 --from-epoch 2016-09-20T00:00:00+08:00 --to yitter --at 2030-01-01 --format json`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			f.oldWorker = c.Flags().Changed("old-workers")
			return f.run(c.OutOrStdout())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.old.Layout, "from", "",
		"the old `LAYOUT`: bits, or one of "+strings.Join(preset.Names(), ", "))
	flags.Var(cli.Time(&f.old.Epoch), "from-epoch",
		"`TIME` that counts as 0 in old ids (default: the layout's own)")
	flags.StringVar(&f.new.Layout, "to", "", "the new `LAYOUT`, in the same way")
	flags.Var(cli.Time(&f.new.Epoch), "to-epoch", "`TIME` that counts as 0 in new ids")
	flags.Var(cli.Time(&f.at), "at", "`TIME` of the change (default: now)")
	flags.BoolVar(&f.oldStopped, "old-stopped", false,
		"no old process has made an id since the time of --at, which may then be past")
	flags.DurationVar(&f.ahead, "ahead", time.Hour,
		"old ids reach this `DURATION` beyond the change, because they were borrowed from the future, or "+
			"clocks differ")
	flags.Int64Var(&f.lastWorker, "old-workers", 0,
		"the highest worker `ID` of the old layout, 1 or more (default: any that fits)")
	flags.Int64Var(&f.firstWorker, "new-workers", 0,
		"the lowest worker `ID` of the new layout")
	f.format.Bind(flags, "answer")
	return cmd
}

func (f *migrateFlags) run(w io.Writer) (err error) {
	if f.old.Layout == "" || f.new.Layout == "" {
		return cli.Usagef("which layouts? type: ringuid migrate --from LAYOUT --to LAYOUT --at TIME")
	}
	if f.from, err = f.old.Named(); err != nil {
		return fmt.Errorf("--from: %w", err)
	}
	if f.to, err = f.new.Named(); err != nil {
		return fmt.Errorf("--to: %w", err)
	}
	at, from, to := cli.FormatInstant(f.at), f.from, f.to
	switch {
	case f.oldWorker && f.lastWorker == 0 && from.MaxWorker() > 0:
		return cli.Usagef("--old-workers 0: type 1 or more, or leave it out for any that fits")
	case f.at.Before(from.Epoch):
		return cli.Usagef("--at %s is before the epoch of the old layout, %v", at, from)
	case f.at.Before(to.Epoch):
		return cli.Usagef("--at %s is before the epoch of the new layout, %v", at, to)
	case !f.at.Before(to.End()):
		return cli.Usagef("%w: the new layout %v ended at %s: choose another, or an earlier time",
			uid.ErrTimeOver, to, cli.FormatTime(to.End(), to.Unit))
	case f.at.Before(time.Now().AddDate(0, 0, -1)) && !f.oldStopped:
		return cli.Usagef("--at %s is past, and old processes that still run have made ids since then: "+
			"type when they will stop, or add --old-stopped if none has run since", at)
	case f.ahead < 0:
		return cli.Usagef("--ahead %v: type 0 or more, such as 1h", f.ahead)
	case f.lastWorker < 0 || f.lastWorker > from.MaxWorker():
		return cli.Usagef("--old-workers %d: the old layout holds 0 to %d", f.lastWorker,
			from.MaxWorker())
	case f.firstWorker < 0 || f.firstWorker > to.MaxWorker():
		return cli.Usagef("--new-workers %d: the new layout holds 0 to %d", f.firstWorker, to.MaxWorker())
	}
	a := migration{From: from.String(), To: to.String(), At: f.at.UTC().Format(time.RFC3339Nano)}
	found, mayGoOn := f.check()
	if a.Safe = found == nil; a.Safe {
		a.Rests = f.premises(mayGoOn)
	} else {
		a.First, a.Works = found.first.String(), f.works()
		a.Since, a.Until = cli.FormatTime(found.since, to.Unit), cli.FormatTime(found.until, to.Unit)
		err = fmt.Errorf("not safe: old and new ids can be equal from %s until %s", a.Since, a.Until)
	}
	return errors.Join(err, f.format.Write(w, a, func(w io.Writer) { f.writeText(w, a) }))
}

type migration struct {
	Safe  bool     `json:"safe"`
	From  string   `json:"from"`
	To    string   `json:"to"`
	At    string   `json:"at"`
	Rests []string `json:"premises,omitempty"` // what it rests on that all are safe
	Works []string `json:"works,omitempty"`    // flags with which all are safe
	First string   `json:"first_equal_id,omitempty"`
	Since string   `json:"equal_since,omitempty"`
	Until string   `json:"equal_until,omitempty"`
}

// premises says what it rests on that no ids are equal.
func (f *migrateFlags) premises(mayGoOn bool) (all []string) {
	ahead := fmt.Sprintf("if no old id is of more than %v after that (--ahead; Stats.Ahead)", f.ahead)
	switch at := cli.FormatTime(f.at, f.from.Unit); {
	case mayGoOn:
		all = []string{"even if old processes go on"}
	case f.oldStopped && f.at.Before(time.Now()):
		all = []string{"if no old process has made an id since " + at, ahead}
	default:
		all = []string{"if the old processes, which go on, have all stopped by " + at, ahead}
	}
	if f.lastWorker+f.firstWorker > 0 {
		all = append(all, fmt.Sprintf("if old worker ids are at most %d, and new ones at least %d",
			cmp.Or(f.lastWorker, f.from.MaxWorker()), f.firstWorker))
	}
	return all
}

func (f *migrateFlags) writeText(w io.Writer, a migration) {
	until, end := cli.FormatTime(f.at, f.from.Unit), cli.FormatTime(f.from.End(), f.from.Unit)
	if f.from.End().Before(f.at) {
		until = "its time ended at " + end
	} else {
		until += fmt.Sprintf(", and %v ahead of that, at most until %s", f.ahead, end)
	}
	fmt.Fprintf(w, "old\t%s\n\tuntil %s\n", a.From, until)
	fmt.Fprintf(w, "new\t%s\n\tfrom %s until its time ends at %s\n", a.To,
		cli.FormatTime(f.at, f.to.Unit), cli.FormatTime(f.to.End(), f.to.Unit))
	if a.Safe {
		fmt.Fprintf(w, "safe\tno new id equals an old one\n\t%s\n", strings.Join(a.Rests, "\n\t"))
		return
	}
	fmt.Fprintf(w, "equal\tfrom %s until %s, such as %s\n", a.Since, a.Until, a.First)
	works := strings.Join(a.Works, "\n\t")
	if f.lastWorker == 0 && strings.Contains(works, "--old-workers") { // then it is a guess
		works += "\n\t  for worker ids that count up: if no old process has had a higher one; " +
			"else type the highest"
	}
	fmt.Fprintf(w, "works\t%s\n", cmp.Or(works,
		"no epoch and no worker ids: choose another layout, or other last bits"))
}
