package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/cmd/ringuid/internal/migrate"
	"github.com/ringuid/ringuid/preset"
	"github.com/ringuid/ringuid/uid"
)

// migrateFlags are the flags of migrate, as typed.
type migrateFlags struct {
	from, to           string
	fromEpoch, toEpoch time.Time
	at                 time.Time
	oldStopped         bool
	oldWorker          bool // --old-workers was given
	options            migrate.Options
	format             cli.Format
}

func newMigrate() *cobra.Command {
	f := migrateFlags{at: time.Now()}
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
	flags.SortFlags = false
	flags.StringVar(&f.from, "from", "",
		"the old `LAYOUT`: bits, or one of "+strings.Join(preset.Names(), ", "))
	flags.Var(cli.Time(&f.fromEpoch), "from-epoch",
		"`TIME` that counts as 0 in old ids (default: the layout's own)")
	flags.StringVar(&f.to, "to", "", "the new `LAYOUT`, in the same way")
	flags.Var(cli.Time(&f.toEpoch), "to-epoch", "`TIME` that counts as 0 in new ids")
	flags.Var(cli.Time(&f.at), "at", "`TIME` of the change (default: now)")
	flags.BoolVar(&f.oldStopped, "old-stopped", false,
		"no old process has made an id since the time of --at, which may then be past")
	flags.DurationVar(&f.options.Ahead, "ahead", time.Hour,
		"old ids reach this `DURATION` beyond the change, because they were borrowed from the future, or "+
			"clocks differ")
	flags.Int64Var(&f.options.LastWorker, "old-workers", 0,
		"the highest worker `ID` of the old layout, 1 or more (default: any that fits)")
	flags.Int64Var(&f.options.FirstWorker, "new-workers", 0,
		"the lowest worker `ID` of the new layout")
	f.format.Bind(flags, "answer")
	return cmd
}

func (f *migrateFlags) run(w io.Writer) error {
	from, err := layoutOf("--from", f.from, f.fromEpoch)
	if err != nil {
		return err
	}
	to, err := layoutOf("--to", f.to, f.toEpoch)
	if err != nil {
		return err
	}
	o := f.options
	switch {
	case f.oldWorker && o.LastWorker == 0 && from.MaxWorker() > 0:
		return cli.Usagef("--old-workers 0: type 1 or more, or leave it out for any that fits")
	case f.at.Before(from.Epoch), f.at.Before(to.Epoch):
		return cli.Usagef("--at %s is before the epoch of %v or %v", cli.FormatInstant(f.at), from, to)
	case f.at.Before(time.Now().AddDate(0, 0, -1)) && !f.oldStopped:
		return cli.Usagef("--at %s is past, and old processes that still run have made ids since then: "+
			"type when they will stop, or add --old-stopped if none has run since", cli.FormatInstant(f.at))
	case o.Ahead < 0:
		return cli.Usagef("--ahead %v: type 0 or more, such as 1h", o.Ahead)
	case o.LastWorker < 0 || o.LastWorker > from.MaxWorker():
		return cli.Usagef("--old-workers %d: the old layout holds 0 to %d", o.LastWorker,
			from.MaxWorker())
	case o.FirstWorker < 0 || o.FirstWorker > to.MaxWorker():
		return cli.Usagef("--new-workers %d: the new layout holds 0 to %d", o.FirstWorker, to.MaxWorker())
	}
	m, err := migrate.Check(from, to, f.at, o)
	if err != nil {
		return cli.AsUsage(err) // whatever is wrong was typed
	}
	a := f.describe(m)
	err = f.format.Write(w, a, func(w io.Writer) error { return a.writeText(w, m) })
	if err != nil || m.Safe {
		return err
	}
	return fmt.Errorf("not safe: old and new ids can be equal from %s until %s", a.Since, a.Until)
}

// layoutOf reads a preset's name or bits, and an epoch.
func layoutOf(flag, name string, epoch time.Time) (uid.Layout, error) {
	if name == "" {
		return uid.Layout{}, cli.Usagef(
			"which layouts? type: ringuid migrate --from LAYOUT --to LAYOUT --at TIME")
	}
	l, err := (&cli.Layout{Layout: name, Epoch: epoch}).Named()
	if err != nil {
		err = fmt.Errorf("%s: %w", flag, err)
	}
	return l, err
}

// migration is the answer as JSON shows it.
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

func (f *migrateFlags) describe(m migrate.Migration) migration {
	a := migration{Safe: m.Safe, From: m.From.String(), To: m.To.String(),
		At: m.At.Format(time.RFC3339Nano)}
	if !m.Safe {
		a.First, a.Works = m.First.String(), m.Works()
		a.Since, a.Until = cli.FormatTime(m.Since, m.To.Unit), cli.FormatTime(m.Until, m.To.Unit)
		return a
	}
	switch at := cli.FormatTime(m.At, m.From.Unit); {
	case m.OldMayGoOn:
		a.Rests = []string{"even if old processes go on"}
	case f.oldStopped && m.At.Before(time.Now()):
		a.Rests = []string{"if no old process has made an id since " + at}
	default:
		a.Rests = []string{"if the old processes, which go on, have all stopped by " + at}
	}
	if o := m.Options; o.LastWorker+o.FirstWorker > 0 {
		a.Rests = append(a.Rests, fmt.Sprintf("if old worker ids are at most %d, and new ones "+
			"at least %d", cmp.Or(o.LastWorker, m.From.MaxWorker()), o.FirstWorker))
	}
	return a
}

func (a migration) writeText(w io.Writer, m migrate.Migration) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "old\t%s\n\tuntil %s, and %v ahead of that, at most until %s\n", a.From,
		cli.FormatTime(m.At, m.From.Unit), m.Options.Ahead, cli.FormatTime(m.From.End(), m.From.Unit))
	fmt.Fprintf(t, "new\t%s\n\tfrom %s until its time ends at %s\n", a.To,
		cli.FormatTime(m.At, m.To.Unit), cli.FormatTime(m.To.End(), m.To.Unit))
	if m.Safe {
		fmt.Fprintf(t, "safe\tno new id equals an old one\n\t%s\n", strings.Join(a.Rests, "\n\t"))
		return t.Flush()
	}
	fmt.Fprintf(t, "equal\tfrom %s until %s, such as %s\n", a.Since, a.Until, a.First)
	fmt.Fprintf(t, "works\t%s\n", cmp.Or(strings.Join(a.Works, "\n\t"),
		"no epoch and no worker ids: choose another layout, or other last bits"))
	return t.Flush()
}
