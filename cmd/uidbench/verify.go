package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/idlog"
	"github.com/ringuid/ringuid/internal/machine"
	"github.com/ringuid/ringuid/uid"
)

// verifyFlags are the flags of verify, as typed.
type verifyFlags struct {
	layout  layoutFlags
	check   idlog.Config
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
several, and for ids that are not above the one before them in their file.

A file has an id in each line, which is decimal, or with --base32 in base32: by
default in the first column. Columns are separated by what the first line has of
commas or else tabs or else blanks, and may be in double quotes. --id-column chooses
another column, --json-id a field of JSON lines. Files may be compressed with gzip,
or in UTF-16, which Windows PowerShell makes of a redirected output; - is stdin.

For each worker id (the layout says where it is in an id) there are the times of its
first and last ids, and the largest step back. Up to 65,536 worker ids are told apart.

Ids are kept in --memory: little more than a bit each where a generator made them one
after the other, some 110 bytes each where they are far apart. When they do not fit, it
says so and ends: allow more, or check parts in which equal ids come together, such as
those that end in 0 to 4, and then those that end in 5 to 9.

It exits with 3 when an id came twice, and with 1 when --ordered is not kept, or when
ids do not fit. When it is interrupted, the ids read so far have been checked.`,
		Example: `  uidbench verify ids.txt
  uidbench verify --preset snowflake server-1.log.gz server-2.log.gz
  uidbench verify --id-column 2 --ordered worker orders.csv
  uidbench verify --id-column order_id export.csv
  uidbench verify --json-id request.id app.jsonl
  mysql -BN -e 'SELECT id FROM orders' | uidbench verify --memory 4GB -
  grep -o 'uid=[0-9]*' app.log | uidbench verify --separator = --id-column 2 -`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("which files? type: %s FILE..., with - for stdin", c.CommandPath())
			}
			return f.run(c.Context(), args, c.InOrStdin(), stdout, stderr)
		},
	}
	f.bind(cmd)
	for _, column := range []string{"id-column", "separator"} { // which a line of JSON has not
		cmd.MarkFlagsMutuallyExclusive("json-id", column)
	}
	return cmd
}

func (f *verifyFlags) bind(cmd *cobra.Command) {
	flags, lines := cmd.Flags(), &f.check.Format
	flags.SortFlags = false
	f.layout.bind(cmd)
	flags.Lookup("layout").Usage += " (default: the default layout)"
	flags.StringVar(&lines.IDColumn, "id-column", "",
		"`N` of the column with the id, from 1 on, or its name in each file's first line (default 1)")
	flags.StringVar(&lines.Separator, "separator", "",
		"`TEXT` between columns, or tab, or a blank for any number of blanks")
	flags.StringVar(&lines.JSONID, "json-id", "",
		"lines have a JSON object, with the id under this `KEY`: uid, request.id")
	flags.BoolVar(&lines.Base32, "base32", false, "ids are in base32, with 13 characters")
	flags.BoolVar(&f.check.SkipBad, "skip-bad", false,
		"count lines without an id, instead of ending there")
	flags.Var(oneOf(&f.ordered, "file", "worker"), "ordered",
		"exit with 1 unless the ids of a `WHAT` only grow: file, or worker (within a file)")
	flags.StringVar(&f.memory, "memory", "",
		"keep ids in so much memory: `SIZE`, such as 4GB (default: half of what is free)")
	f.format = "text"
	flags.Var(oneOf(&f.format, "text", "json"), "format",
		"`FORMAT` of the report: text, with the worst workers, or json, with all of them")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "no progress: results and errors alone")
}

// settle refuses invalid settings, and completes the others.
func (f *verifyFlags) settle() error {
	c, err := f.layout.config()
	if err != nil {
		return err
	}
	f.check.Layout = c.Layout
	if f.check.Format.Separator == "tab" || f.check.Format.Separator == `\t` {
		f.check.Format.Separator = "\t"
	}
	const unknown = 1 << 30
	f.check.Memory = cmp.Or(machine.AvailableMemory()/2, unknown)
	if f.memory != "" {
		memory, err := humanize.ParseBytes(f.memory)
		if err != nil || memory == 0 || memory > math.MaxInt64 {
			return usagef("--memory %q: type a size such as 4GB", f.memory)
		}
		f.check.Memory = int64(memory)
	}
	return f.check.Format.Validate()
}

func (f *verifyFlags) run(ctx context.Context, names []string, stdin io.Reader, stdout,
	stderr io.Writer) error {
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
		err = errors.Join(f.hint(err), human.WriteJSON(stdout, report))
	} else {
		err = errors.Join(f.hint(err), idlog.WriteText(stdout, report))
	}
	return errors.Join(f.hint(report.Verdict()), f.orderKept(report), err)
}

func (f *verifyFlags) load(ctx context.Context, inputs []idlog.Input,
	stderr io.Writer) (idlog.Report, error) {
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
		return fmt.Errorf("%w: %d not above the one before of their worker", errOrder,
			r.OutOfOrderOfWorker)
	}
	return nil
}

// hint says what to type where the library cannot know.
func (f *verifyFlags) hint(err error) error {
	switch {
	case errors.Is(err, uid.ErrForeign):
		return fmt.Errorf("%w\ntype `uidbench decode ID` with one of them to see which layouts fit, "+
			"and say which it is with --layout or --preset", err)
	case errors.Is(err, idlog.ErrMemory):
		return fmt.Errorf("%w\nallow more with --memory, or check parts in which equal ids come "+
			"together, "+
			"such as those that end in 0 to 4, and then those that end in 5 to 9", err)
	case errors.Is(err, idlog.ErrLine):
		return fmt.Errorf("%w\nsay where ids are with --id-column (its name where the first line has "+
			"names) "+
			"or --json-id, and how with --base32, or type --skip-bad to count such lines", err)
	}
	return err
}
