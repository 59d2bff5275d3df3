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
	at, began          string
	options            migrate.Options
	format             string
}

func newMigrate(stdout io.Writer) *cobra.Command {
	var f migrateFlags
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Tell whether old and new ids can be equal, and what to do about it",
		Long: `Migrate compares the ids that one layout makes until a time with those that
another one makes from then on: can any be equal, from when until when, and which
change makes it safe: an earlier epoch, other tail bits, or worker ids above the
old ones, as a WORKER_NODE table gives them that both share. The answer is exact.

LAYOUT is the name of a preset, or bits, such as 28/22/13 or 41/10/12@1ms.

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
	flags.StringVar(&f.to, "to", "", "the new `LAYOUT`: bits, or one of "+strings.Join(preset.Names(),
		", "))
	flags.StringVar(&f.toEpoch, "to-epoch", "", "`TIME` that the new one counts as 0")
	flags.StringVar(&f.at, "at", "", "`TIME` of the change (default: now)")
	flags.DurationVar(&f.options.Ahead, "ahead", time.Hour,
		"the old ids reach this `DURATION` beyond that: what was borrowed from the future, and by how "+
			"much clocks differ")
	flags.StringVar(&f.began, "began", "", "`TIME` of the first old id (default: the old epoch)")
	flags.Int64Var(&f.options.LastWorker, "old-workers", 0,
		"the highest worker `ID` of the old layout (default: any that it holds)")
	flags.Int64Var(&f.options.FirstWorker, "new-workers", 0,
		"the lowest worker `ID` of the new layout")
	f.format = "text"
	flags.Var(oneOf(&f.format, "text", "json"), "format", "`FORMAT` of the answer: text or json")
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
	if f.began != "" {
		if f.options.Began, err = parseTime("--began", f.began); err != nil {
			return err
		}
	}
	if err := f.check(from, to, at); err != nil {
		return err
	}
	m, err := migrate.Check(from, to, at, f.options)
	if err != nil {
		return usageError{err} // whatever is wrong was typed
	}
	if f.format == "json" {
		err = writeMigrationJSON(w, m)
	} else {
		err = writeMigration(w, m)
	}
	switch {
	case err == nil && sameLayout(m):
		return errSameLayout
	case err == nil && !m.Safe:
		return fmt.Errorf("%w from %s until %s", errNotSafe, formatTime(m.Since, to.Unit),
			formatTime(m.Until, to.Unit))
	}
	return err
}

// check refuses times that are not in order, and worker ids that the layouts do not hold.
func (f *migrateFlags) check(from, to uid.Layout, at time.Time) error {
	if f.options.Ahead < 0 {
		return usagef("--ahead %v: type 0 or more, such as 1h", f.options.Ahead)
	}
	if f.options.Began.After(at) {
		return usagef("--began %s: the first old id was made before the change, which is at %s: type "+
			"an earlier time, or a later --at",
			f.began, formatTime(at.UTC(), time.Second))
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
	c, err := l.config()
	if err != nil {
		return uid.Layout{}, fmt.Errorf("%s: %w", flag, err)
	}
	if epoch != "" {
		if c.Layout.Epoch, err = parseTime(flag+"-epoch", epoch); err != nil {
			return uid.Layout{}, err
		}
	}
	return c.Layout, nil
}
