package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/idlog"
	"github.com/ringuid/ringuid/internal/machine"
	"github.com/ringuid/ringuid/uid"
)

// verifyFlags are the flags of verify, as typed.
type verifyFlags struct {
	check   idlog.Config
	memory  string
	ordered bool
	format  format
}

func newVerify(stdout io.Writer) *cobra.Command {
	f := verifyFlags{check: idlog.Config{Layout: uid.DefaultLayout()}}
	cmd := &cobra.Command{
		Use:   "verify FILE...",
		Short: "Check logs of ids written by others",
		Long: `Verify reads logs of ids and looks for ids that came twice, in one file or in
several, and for ids that are not above the one before them in their file.

The first word of each line is a decimal id. - is stdin, for what cut, jq or a database
prints.

Ids are kept in --memory: little more than a bit each where a generator made them one
after the other, some 110 bytes each where they are far apart. When they do not fit, it
says so and ends: allow more, or check parts in which equal ids come together, such as
those that end in 0 to 4, and then those that end in 5 to 9.

It exits with 3 when an id came twice, and with 1 when --ordered is not kept, or when
ids do not fit. When it is interrupted, the ids read so far have been checked.`,
		Example: `  uidbench verify ids.txt
  uidbench verify server-1.log server-2.log
  tail -n +2 export.csv | cut -d , -f 3 | uidbench verify -
  jq .request.id app.jsonl | uidbench verify -
  mysql -BN -e 'SELECT id FROM orders' | uidbench verify --memory 4GB -
  grep -o 'uid=[0-9]*' app.log | cut -d= -f2 | uidbench verify --ordered -`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("which files? type: %s FILE..., with - for stdin", c.CommandPath())
			}
			return f.run(c.Context(), args, c.InOrStdin(), stdout)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.BoolVar(&f.ordered, "ordered", false, "exit with 1 unless the ids of each file only grow")
	flags.StringVar(&f.memory, "memory", "",
		"keep ids in so much memory: `SIZE`, such as 4GB (default: half of what is free)")
	f.format.bind(flags, "report")
	return cmd
}

// settle refuses invalid settings, and completes the others.
func (f *verifyFlags) settle() error {
	const unknown = 1 << 30
	f.check.Memory = cmp.Or(machine.AvailableMemory()/2, unknown)
	if f.memory != "" {
		memory, err := humanize.ParseBytes(f.memory)
		if err != nil || memory == 0 || memory > math.MaxInt64 {
			return usagef("--memory %q: type a size such as 4GB", f.memory)
		}
		f.check.Memory = int64(memory)
	}
	return nil
}

func (f *verifyFlags) run(ctx context.Context, names []string, stdin io.Reader,
	stdout io.Writer) error {
	if err := f.settle(); err != nil {
		return err
	}
	inputs, err := verifyInputs(names, stdin)
	if err != nil {
		return err
	}
	report, err := idlog.Check(ctx, f.check, inputs)
	if err != nil && !report.Interrupted {
		return hintVerify(err)
	}
	errs := []error{report.Verdict(), hintVerify(err)}
	if f.ordered && report.OutOfOrder > 0 {
		errs = append(errs, fmt.Errorf("ids out of order: %d not above the one before in their file",
			report.OutOfOrder))
	}
	errs = append(errs, f.format.write(stdout, report,
		func(w io.Writer) error { return idlog.WriteText(w, report) }))
	return errors.Join(errs...)
}

// hintVerify says what to type where the library cannot know.
func hintVerify(err error) error {
	switch {
	case errors.Is(err, idlog.ErrMemory):
		return fmt.Errorf("%w\nallow more with --memory, or check parts in which equal ids come "+
			"together, such as those that end in 0 to 4, and then those that end in 5 to 9", err)
	case errors.Is(err, idlog.ErrLine):
		return fmt.Errorf("%w\nthe first word of each line is to be an id: pick them with cut or jq, "+
			"and type - for stdin", err)
	}
	return err
}

// verifyInputs opens nothing yet, but refuses what would be found out too late.
func verifyInputs(names []string, stdin io.Reader) (inputs []idlog.Input, err error) {
	var infos []os.FileInfo
	for _, name := range names {
		if name == "-" {
			inputs = append(inputs, idlog.Input{Name: "stdin",
				Open: func() (io.ReadCloser, error) { return io.NopCloser(stdin), nil }})
			continue
		}
		info, err := os.Stat(name)
		switch {
		case err != nil:
			return nil, err
		case info.IsDir():
			return nil, usagef("%s is a folder: type its files, such as %s/*", name, name)
		}
		for _, other := range infos {
			if os.SameFile(info, other) {
				return nil, usagef("%s is there twice, and each of its ids would be: type it once", name)
			}
		}
		infos = append(infos, info)
		inputs = append(inputs, idlog.Input{Name: name,
			Open: func() (io.ReadCloser, error) { return os.Open(name) }})
	}
	return inputs, nil
}
