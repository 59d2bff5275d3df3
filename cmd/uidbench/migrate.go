package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/migrate"
	"github.com/ringuid/ringuid/preset"
	"github.com/ringuid/ringuid/uid"
)

// errSameLayout is errNotSafe where it is one layout.
var errSameLayout = errors.New("same layout: safe as long as worker ids differ")

// errNotSafe makes migrate exit with 1 after its answer.
var errNotSafe = errors.New("not safe: old and new ids can be equal")

// migrateFlags are the flags of migrate, as typed.
type migrateFlags struct {
	from, to           string
	fromEpoch, toEpoch string
	at                 string
	options            migrate.Options
	format             format
}

func newMigrate(stdout io.Writer) *cobra.Command {
	var f migrateFlags
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Check that old and new ids cannot collide",
		Long: `Migrate compares the ids that one layout makes until a time with those that
another one makes from then on: can any be equal, and from when until when? The
answer is exact.

LAYOUT is the name of a preset, or bits, such as 28/22/13 or 41/10/12@1ms.

If some can be equal, try an earlier --to-epoch, with which new ids are greater than
all old ones; other tail bits; or --new-workers above --old-workers, as a WORKER_NODE
table gives them that both share.

It exits with 0 when no ids can be equal, and with 1 when some can. Where both are
the same layout, those of one worker id can: nothing else than worker ids keeps
old and new processes apart then, as it does two old ones.`,
		Example: `  uidbench migrate --from snowflake --to default --at 2027-01-01
  uidbench migrate --from baidu --to default --at 2026-06-01 --old-workers 5000
  uidbench migrate --from 29/21/13 --from-epoch 2016-09-20T00:00:00+08:00 --to yitter --at 2027-01-01 --format json`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return f.run(stdout, time.Now()) },
	}
	f.bind(cmd.Flags())
	return cmd
}

func (f *migrateFlags) bind(flags *pflag.FlagSet) {
	flags.SortFlags = false
	flags.StringVar(&f.from, "from", "",
		"the old `LAYOUT`: bits, or one of "+strings.Join(preset.Names(), ", "))
	flags.StringVar(&f.fromEpoch, "from-epoch", "",
		"`TIME` that the old one counts as 0 (default: the preset's, or that of the default layout)")
	flags.StringVar(&f.to, "to", "", "the new `LAYOUT`, in the same way")
	flags.StringVar(&f.toEpoch, "to-epoch", "", "`TIME` that the new one counts as 0")
	flags.StringVar(&f.at, "at", "", "`TIME` of the change (default: now)")
	flags.DurationVar(&f.options.Ahead, "ahead", time.Hour,
		"the old ids reach this `DURATION` beyond that: what was borrowed from the future, and by how "+
			"much clocks differ")
	flags.Int64Var(&f.options.LastWorker, "old-workers", 0,
		"the highest worker `ID` of the old layout (default: any that it holds)")
	flags.Int64Var(&f.options.FirstWorker, "new-workers", 0,
		"the lowest worker `ID` of the new layout")
	f.format.bind(flags, "answer")
}

func (f *migrateFlags) run(w io.Writer, now time.Time) error {
	from, err := layoutOf("--from", f.from, f.fromEpoch)
	if err != nil {
		return err
	}
	to, err := layoutOf("--to", f.to, f.toEpoch)
	if err != nil {
		return err
	}
	at := now
	if f.at != "" {
		if at, err = parseTime("--at", f.at); err != nil {
			return err
		}
	}
	if err := f.check(from, to); err != nil {
		return err
	}
	m, err := migrate.Check(from, to, at, f.options)
	if err != nil {
		return usageError{err} // whatever is wrong was typed
	}
	err = f.format.write(w, asJSON(m), func(w io.Writer) error { return writeMigration(w, m) })
	switch {
	case err == nil && sameLayout(m):
		return errSameLayout
	case err == nil && !m.Safe:
		return fmt.Errorf("%w from %s until %s", errNotSafe, formatTime(m.Since, to.Unit),
			formatTime(m.Until, to.Unit))
	}
	return err
}

// check refuses worker ids that the layouts do not hold.
func (f *migrateFlags) check(from, to uid.Layout) error {
	if f.options.Ahead < 0 {
		return usagef("--ahead %v: type 0 or more, such as 1h", f.options.Ahead)
	}
	if id, last := f.options.LastWorker, from.MaxWorker(); id < 0 || id > last {
		return usagef("--old-workers %d: the old layout holds 0 to %d", id, last)
	}
	if id, last := f.options.FirstWorker, to.MaxWorker(); id < 0 || id > last {
		return usagef("--new-workers %d: the new layout holds 0 to %d", id, last)
	}
	return nil
}

// layoutOf reads a preset's name or bits, and an epoch.
func layoutOf(flag, name, epoch string) (uid.Layout, error) {
	if name == "" {
		return uid.Layout{}, usagef(
			"which layouts? type: uidbench migrate --from LAYOUT --to LAYOUT --at TIME")
	}
	l := layoutFlags{preset: name}
	if strings.ContainsAny(name, "/|@") {
		l = layoutFlags{layout: name}
	}
	layout, err := l.named()
	if err != nil {
		return uid.Layout{}, fmt.Errorf("%s: %w", flag, err)
	}
	if epoch != "" {
		if layout.Epoch, err = parseTime(flag+"-epoch", epoch); err != nil {
			return uid.Layout{}, err
		}
	}
	return layout, nil
}
