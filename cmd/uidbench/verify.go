package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime/debug"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/idlog"
	"github.com/ringuid/ringuid/uid"
)

// verifyFlags are the flags of verify, as typed.
type verifyFlags struct {
	layout  layoutFlags
	check   idlog.Config
	zone    string
	memory  string
	ordered string
	format  string
	quiet   bool
}

func newVerify(stdout, stderr io.Writer) *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use:   "verify FILE...",
		Short: "Check logs of ids written by others",
		Long: `Verify reads logs of ids and looks for ids that came twice, in one file or in
several, for ids that are not above the one before them in their file, and for
workers whose clocks are off.

A file has an id in each line, which is decimal, or with --base32 in base32: by
default in the first column. Columns are separated by what the first line has of
commas or else tabs or else blanks, and may be in double quotes. --id-column chooses
another column, --json-id a field of JSON lines. Files may be compressed with gzip,
or in UTF-16, which Windows PowerShell makes of a redirected output; - is stdin.

For each worker id (the layout says where it is in an id) there are the times of its
first and last ids, the largest step back, and the least, median and largest skew:
where lines have a time (--time-column, --json-time), how far the id's time is ahead
of it; where they have none, how far the id is behind the newest one above it in its
file. An id knows its time to a tick. Up to 65,536 worker ids are told apart.

Any number of ids is checked within --memory and some 400 MB. What does not fit is
sorted in a file in --temp, which needs 2 bytes an id where ids are dense and in
order, and 10 where they are random: 10 GB for a billion. It is gone at the end,
however that comes.

It exits with 3 when an id came twice, and with 1 when --ordered is not kept. When it
is interrupted, the ids read so far are still compared; a second time, they are not.`,
		Example: `  uidbench verify ids.txt
  uidbench verify --preset snowflake server-1.log.gz server-2.log.gz
  uidbench verify --id-column 2 --time-column 1 --ordered worker orders.csv
  uidbench verify --id-column order_id --time-column created_at export.csv
  uidbench verify --json-id request.id --json-time ts app.jsonl
  mysql -BN -e 'SELECT id FROM orders' | uidbench verify --memory 512MB -
  grep -o 'uid=[0-9]*' app.log | uidbench verify --separator = --id-column 2 -`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("which files? type: %s FILE..., with - for stdin", c.CommandPath())
			}
			return f.run(c.Context(), args, c.InOrStdin(), stdout, stderr)
		},
	}
	f.bind(cmd)
	for _, column := range []string{"id-column", "time-column", "separator"} { // which a line of JSON has not
		cmd.MarkFlagsMutuallyExclusive("json-id", column)
	}
	return cmd
}

func (f *verifyFlags) bind(cmd *cobra.Command) {
	flags, lines := cmd.Flags(), &f.check.Format
	flags.SortFlags = false
	f.layout.bind(cmd)
	flags.Lookup("layout").Usage += " (default: the default layout)"
	flags.StringVar(&lines.IDColumn, "id-column", "", "`N` of the column with the id, from 1 on, or its name in each file's first line (default 1)")
	flags.StringVar(&lines.TimeColumn, "time-column", "", "`N`, or name, of the column with the time of the line: 2026-01-02T15:04:05Z, 1767366245.123")
	flags.StringVar(&lines.Separator, "separator", "", "`TEXT` between columns, or tab, or a blank for any number of blanks")
	flags.StringVar(&lines.JSONID, "json-id", "", "lines have a JSON object, with the id under this `KEY`: uid, request.id")
	flags.StringVar(&lines.JSONTime, "json-time", "", "and with the time of the line under this `KEY`")
	flags.BoolVar(&lines.Base32, "base32", false, "ids are in base32, with 13 characters")
	flags.StringVar(&f.zone, "zone", "UTC", "`ZONE` of times that do not say theirs: Asia/Shanghai, +08:00, local")
	flags.BoolVar(&f.check.SkipBad, "skip-bad", false, "count lines without an id, instead of ending there")
	flags.Var(oneOf(&f.ordered, "file", "worker"), "ordered", "exit with 1 unless the ids of a `WHAT` only grow: file, or worker (within a file)")
	flags.StringVar(&f.memory, "memory", "1GB", "`SIZE` of the memory to sort in")
	flags.StringVar(&f.check.Temp, "temp", "", "`DIR` for what does not fit; not one in memory (default: $TMPDIR or /tmp)")
	f.format = "text"
	flags.Var(oneOf(&f.format, "text", "json"), "format", "`FORMAT` of the report: text, with the worst workers, or json, with all of them")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "no progress: results and errors alone")
}

// Bounds of --memory: the least sorts twenty billion ids.
const (
	leastMemory = 64_000_000
	mostMemory  = 16 << 30
)

// settle refuses invalid settings, and completes the others.
func (f *verifyFlags) settle() error {
	c, err := f.layout.config()
	if err != nil {
		return err
	}
	f.check.Layout = c.Layout
	if f.check.Format.Zone, err = parseZone(f.zone); err != nil {
		return err
	}
	if f.check.Format.JSONTime != "" && f.check.Format.JSONID == "" {
		return usagef("--json-time says where a line of JSON has its time: type --json-id too, for its id")
	}
	if f.check.Format.Separator == "tab" || f.check.Format.Separator == `\t` {
		f.check.Format.Separator = "\t"
	}
	memory, err := humanize.ParseBytes(f.memory)
	if err != nil || memory < leastMemory || memory > min(mostMemory, math.MaxInt) {
		return usagef("--memory %q: type a size from 64MB to 16GB, such as 1GB", f.memory)
	}
	f.check.Memory = int64(memory)
	if err := f.tempExists(); err != nil {
		return err
	}
	return f.check.Format.Validate()
}

// tempExists looks before it is needed, which may be after an hour.
func (f *verifyFlags) tempExists() error {
	dir := cmp.Or(f.check.Temp, os.TempDir())
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return usagef("--temp %s: there is no such folder: type one that is there", dir)
	}
	return nil
}

func (f *verifyFlags) run(ctx context.Context, names []string, stdin io.Reader, stdout, stderr io.Writer) error {
	if err := f.settle(); err != nil {
		return err
	}
	inputs, err := verifyInputs(names, stdin)
	if err != nil {
		return err
	}
	report, err := f.load(ctx, inputs, stderr)
	report.Layout = bench.FormatLayout(f.check.Layout)
	if err != nil && !report.Interrupted {
		return f.hint(err)
	}
	if f.format == "json" {
		err = errors.Join(err, human.WriteJSON(stdout, report))
	} else {
		err = errors.Join(err, idlog.WriteText(stdout, report))
	}
	return errors.Join(f.hint(report.Verdict()), f.orderKept(report), err)
}

func (f *verifyFlags) load(ctx context.Context, inputs []idlog.Input, stderr io.Writer) (idlog.Report, error) {
	// The buffers of the sort are most of the memory there is. With the runtime's own
	// idea, garbage might grow to be as much again before anybody looks at it.
	const besides = 512 << 20
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(f.check.Memory + besides))
	progress := newProgress(stderr, f.quiet)
	f.check.Progress = progress.show
	report, err := idlog.Check(ctx, f.check, inputs)
	progress.end()
	return report, err
}

// errOrder is that of --ordered.
var errOrder = errors.New("ids out of order")

func (f *verifyFlags) orderKept(r idlog.Report) error {
	switch {
	case f.ordered == "file" && r.OutOfOrder > 0:
		return fmt.Errorf("%w: %d not above the one before in their file", errOrder, r.OutOfOrder)
	case f.ordered == "worker" && r.OutOfOrderOfWorker > 0:
		return fmt.Errorf("%w: %d not above the one before of their worker", errOrder, r.OutOfOrderOfWorker)
	}
	return nil
}

// hint says what to type where the library cannot know.
func (f *verifyFlags) hint(err error) error {
	switch {
	case errors.Is(err, uid.ErrForeign):
		return fmt.Errorf("%w\ntype `uidbench decode ID` with one of them to see which layouts fit, and say which it is with --layout or --preset", err)
	case errors.Is(err, idlog.ErrTemp):
		return fmt.Errorf("%w\nchoose another folder with --temp, with 2 to 10 bytes for an id", err)
	case errors.Is(err, idlog.ErrLine) && f.check.Format.JSONID != "":
		return fmt.Errorf("%w\nsay where ids and times are with --json-id and --json-time, or type --skip-bad to count such lines", err)
	case errors.Is(err, idlog.ErrLine):
		return fmt.Errorf("%w\nsay where ids and times are with --id-column and --time-column (their names where the first line has names) or --json-id and --json-time, and how ids are with --base32, or type --skip-bad to count such lines", err)
	}
	return err
}
