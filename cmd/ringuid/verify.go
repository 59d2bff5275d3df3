package main

import (
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/cmd/ringuid/internal/idlog"
	"github.com/ringuid/ringuid/uid"
)

func newVerify() *cobra.Command {
	var format cli.Format
	cmd := &cobra.Command{
		Use:     "verify FILE...",
		GroupID: "ids",
		Short:   "Check any program's logs of ids for duplicates and order",
		Long: `Verify reads logs of ids. It looks for duplicates, in one file or in several, and counts
ids that are not above the one before them in their file.

The first word of each line is a decimal id. Type - for stdin, for what cut, jq or a database
prints.

It keeps all ids in memory: little more than a bit for each if a generator made them one
after the other, some 110 bytes each if they are far apart. If they need more than half of
what is free, it stops and says so. Then check parts in which equal ids come together, for
example those that end in 0 to 4, and then those that end in 5 to 9.

It exits with 3 if there are duplicates, with 2 if a line has no id, and with 1 if ids do not
fit, or if a file has none. In each case it reports on the ids that it has read, and so it
does if it is interrupted.`,
		Example: `  ringuid verify ids.txt
  ringuid verify server-1.log server-2.log
  tail -n +2 export.csv | cut -d , -f 3 | ringuid verify -
  jq .request.id app.jsonl | ringuid verify -
  mysql -BN -e 'SELECT id FROM orders' | ringuid verify -`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usagef("which files? type: %s FILE..., with - for stdin", c.CommandPath())
			}
			inputs, err := verifyInputs(args, c.InOrStdin())
			if err != nil {
				return err
			}
			report, err := idlog.Check(c.Context(), uid.SnowflakeLayout(), inputs)
			if report.IDs == 0 {
				return err
			}
			return errors.Join(report.Verdict(), err, format.Write(c.OutOrStdout(), report,
				report.WriteText))
		},
	}
	format.Bind(cmd.Flags(), "report")
	return cmd
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
		if err != nil {
			return nil, err
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
