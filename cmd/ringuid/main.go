// Ringuid reads and checks ids, plans layouts, and manages worker ids. `ringuid --help` lists its
// commands and exit codes. Results go to stdout, everything else to stderr.
package main

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/cmd/ringuid/internal/idlog"
	_ "github.com/ringuid/ringuid/cmd/ringuid/internal/stores"
)

func main() { os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr)) }

// exitNothing is the exit code where no worker ids are there to release, steal or quarantine.
const exitNothing = 5

// run is the whole command.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return cli.Run(ctx, newRoot(), args, stdout, stderr)
}

// The groups of commands, as the root's help shows them.
var groups = []*cobra.Group{{ID: "worker", Title: "Worker ids:"}, {ID: "ids", Title: "Ids:"}}

// The root's help is one screen of commands; the help of a command lists its flags.
const helpTemplate = `{{.Long}}
{{if .HasParent}}
{{.UsageString}}{{else}}
{{range $group := .Groups}}{{.Title}}
{{range $.Commands}}{{if eq .GroupID $group.ID}}  {{rpad .Name 10}}{{.Short}}
{{end}}{{end}}{{end}}
Type "ringuid COMMAND --help" for the flags of a command, with examples.
{{end}}`

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "ringuid",
		Short: "Read and check ids, plan layouts, manage worker ids",
		Long: `Ringuid reads and checks ids, plans layouts, and manages worker ids.

Exit codes: 0 success, 1 error, 2 wrong flags, layouts or ids, 3 duplicate ids,
5 no worker ids there to release, steal or quarantine, 130 interrupted (after a report of
what was done).`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetHelpTemplate(helpTemplate)
	root.AddGroup(groups...)
	root.AddCommand(newWorker(), newSoak(), newSoakProcess(), newDecode(), newPlan(), newMigrate(),
		newVerify())
	for _, c := range root.Commands() {
		withCodes(c)
	}
	return root
}

// withCodes gives the errors of a command, and of all below it, their exit codes.
func withCodes(c *cobra.Command) {
	for _, sub := range c.Commands() {
		withCodes(sub)
	}
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error { return coded(run(c, args)) }
}

func coded(err error) error {
	switch {
	case errors.Is(err, idlog.ErrDuplicate):
		return cli.Coded(err, cli.Duplicate)
	case errors.Is(err, idlog.ErrLine):
		return cli.AsUsage(err)
	}
	return err
}
