package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/cmd/ringuid/internal/idlog"
	"github.com/ringuid/ringuid/uid"
)

func newVerify() *cobra.Command {
	var (
		memory  string
		ordered bool
		format  cli.Format
	)
	cmd := &cobra.Command{
		Use:     "verify FILE...",
		GroupID: "ids",
		Short:   "Check logs of ids of any program for duplicates and order",
		Long: `Verify reads logs of ids. It looks for duplicates, in one file or in several, and for ids
that are not above the one before them in their file.

The first word of each line is a decimal id. Type - for stdin, for what cut, jq or a database
prints.

It keeps all ids in memory: little more than a bit for each if a generator made them one
after the other, some 110 bytes each if they are far apart. If they do not fit, it stops and
says so. Then allow more with --memory, or check parts in which equal ids come together, for
example those that end in 0 to 4, and then those that end in 5 to 9.

It exits with 3 if there are duplicates, with 2 if a line has no id, and with 1 if --ordered
does not hold, if ids do not fit, or if a file has none. In each case it reports on the ids
that it has read, and so it does if it is interrupted.`,
		Example: `  ringuid verify ids.txt
  ringuid verify server-1.log server-2.log
  tail -n +2 export.csv | cut -d , -f 3 | ringuid verify -
  jq .request.id app.jsonl | ringuid verify -
  mysql -BN -e 'SELECT id FROM orders' | ringuid verify --memory 4GB -
  grep -o 'uid=[0-9]*' app.log | cut -d= -f2 | ringuid verify --ordered -`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usagef("which files? type: %s FILE..., with - for stdin", c.CommandPath())
			}
			config := idlog.Config{Layout: uid.SnowflakeLayout()}
			if memory != "" {
				n, err := humanize.ParseBytes(memory)
				if err != nil || n == 0 || n > math.MaxInt64 {
					return cli.Usagef("--memory %q: type a size such as 4GB", memory)
				}
				config.Memory = int64(n)
			}
			inputs, err := verifyInputs(args, c.InOrStdin())
			if err != nil {
				return err
			}
			report, err := idlog.Check(c.Context(), config, inputs)
			if report.IDs == 0 {
				return hintVerify(err)
			}
			errs := []error{report.Verdict(), hintVerify(err)}
			if ordered && report.OutOfOrder > 0 {
				errs = append(errs, fmt.Errorf("ids out of order: %d not above the one before in their file",
					report.OutOfOrder))
			}
			errs = append(errs, format.Write(c.OutOrStdout(), report,
				func(w io.Writer) error { return idlog.WriteText(w, report) }))
			return errors.Join(errs...)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.BoolVar(&ordered, "ordered", false,
		"exit with 1 unless each id is above the one before it in its file")
	flags.StringVar(&memory, "memory", "",
		"keep ids in this much memory: `SIZE`, such as 4GB (default: half of what is free)")
	format.Bind(flags, "report")
	return cmd
}

// hintVerify adds to an error what to type, which package idlog cannot know.
func hintVerify(err error) error {
	switch {
	case errors.Is(err, idlog.ErrMemory):
		return fmt.Errorf("%w\nallow more with --memory, or check parts in which equal ids come "+
			"together, such as those that end in 0 to 4, and then those that end in 5 to 9", err)
	case errors.Is(err, idlog.ErrLine):
		return fmt.Errorf("%w\nthe first word of each line must be an id: leave a header out with "+
			"tail -n +2, pick ids with cut or jq, and type - for stdin", err)
	}
	return err
}

// verifyInputs opens nothing yet, but refuses what would otherwise be found out too late.
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
			return nil, cli.Usagef("%s is a folder: type its files, such as %s/*", name, name)
		}
		for _, other := range infos {
			if os.SameFile(info, other) {
				return nil, cli.Usagef("%s is there twice, so each of its ids would be a duplicate: type "+
					"it once", name)
			}
		}
		infos = append(infos, info)
		inputs = append(inputs, idlog.Input{Name: name,
			Open: func() (io.ReadCloser, error) { return os.Open(name) }})
	}
	return inputs, nil
}
