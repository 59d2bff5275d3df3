// Uidbench measures id generators. `uidbench --help` lists its flags and exit codes. Results go
// to stdout, everything else to stderr.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/internal/cli"
)

func main() { os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr)) }

// exitThreshold is the exit code for a limit of --fail that was missed.
const exitThreshold = 4

// moved are the commands that people look for here.
var moved = []string{"decode", "plan", "migrate", "verify", "soak", "worker"}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 && slices.Contains(moved, args[0]) {
		fmt.Fprintf(stderr, "uidbench: type `ringuid %s`, which is another command: "+
			"go install github.com/ringuid/ringuid/cmd/ringuid@latest\n", args[0])
		return cli.Usage
	}
	return cli.Run(ctx, newRoot(), args, stdout, stderr)
}

// newRoot returns uidbench, which is run under either name.
func newRoot() *cobra.Command {
	root := newRun()
	root.Use = "uidbench"
	root.Long += `

Exit codes: 0 success, 1 error, 2 wrong flags or layouts, 3 duplicate ids, 4 a limit of
--fail was missed, 130 interrupted (after a report of what was done).`
	root.AddCommand(newRun())
	return root
}

// coded gives the errors of a run their exit codes.
func coded(err error) error {
	switch {
	case errors.Is(err, bench.ErrDuplicate):
		return cli.Coded(err, cli.Duplicate)
	case errors.Is(err, errMissed):
		return cli.Coded(err, exitThreshold)
	case errors.Is(err, bench.ErrConfig):
		return cli.AsUsage(err)
	}
	return err
}
