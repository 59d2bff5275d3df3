// Ringuid reads and checks ids, plans layouts, and manages worker ids. `ringuid --help` lists its
// commands and exit codes. Results go to stdout, everything else to stderr.
package main

import (
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	_ "github.com/ringuid/ringuid/cmd/ringuid/internal/stores"
)

func main() { os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr)) }

// exitNothing is the exit code where no worker ids are there to release, steal or quarantine.
const exitNothing = 5

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return cli.Run(ctx, newRoot(), args, stdout, stderr)
}

var groups = []*cobra.Group{{ID: "worker", Title: "Worker ids:"}, {ID: "ids", Title: "Ids:"}}

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
	root.AddGroup(groups...)
	root.AddCommand(newWorker(), newServe(), newSoak(), newSoakProcess(), newDecode(), newPlan(),
		newMigrate(), newSQL(), newVerify())
	return root
}
