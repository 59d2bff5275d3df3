// Uidbench measures id generators, reads ids, and manages worker ids. `uidbench --help` lists its
// commands and exit codes. Results go to stdout, everything else to stderr.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/idlog"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/plan"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/soak"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/storeurl"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

func main() { os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr)) }

// Exit codes.
const (
	exitOK          = 0
	exitError       = 1
	exitUsage       = 2
	exitDuplicate   = 3
	exitThreshold   = 4
	exitNothing     = 5
	exitInterrupted = 130
)

// run is the whole command. The first interrupt ends it in good order, a second
// one at once.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)

	cmd := newRoot(stdout, stderr)
	cmd.SetArgs(args)
	err := cmd.ExecuteContext(ctx)
	code := exitCode(ctx, err)
	if code == exitInterrupted {
		err = errors.New("interrupted")
	}
	if err != nil && err.Error() != "" {
		storeurl.Hide(args...)
		for line := range strings.Lines(storeurl.Redact(err.Error())) {
			fmt.Fprintf(stderr, "uidbench: %s\n", strings.TrimSuffix(line, "\n"))
		}
	}
	return code
}

func exitCode(ctx context.Context, err error) int {
	var own codedError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &own):
		return own.code
	case errors.Is(err, bench.ErrDuplicate), errors.Is(err, idlog.ErrDuplicate):
		return exitDuplicate
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return exitInterrupted
	case isUsage(err):
		return exitUsage
	case errors.Is(err, errMissed):
		return exitThreshold
	}
	return exitError
}

// A codedError has an exit code of its own. Without an error in it, nothing is printed.
type codedError struct {
	error
	code int
}

func (e codedError) Error() string {
	if e.error == nil {
		return ""
	}
	return e.error.Error()
}

func (e codedError) Unwrap() error { return e.error }

// A usageError is one that the user can avoid by typing something else.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

func isUsage(err error) bool {
	if errors.As(err, new(usageError)) || storeurl.Typed(err) {
		return true
	}
	for _, sentinel := range []error{
		uid.ErrLayout, uid.ErrConfig, uid.ErrSyntax, uid.ErrForeign,
		bench.ErrConfig, plan.ErrRequirements, soak.ErrConfig, worker.ErrClaim,
		idlog.ErrLine,
	} {
		if errors.Is(err, sentinel) {
			return true
		}
	}
	return false
}
