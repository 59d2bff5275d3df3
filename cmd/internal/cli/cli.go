// Package cli has what the commands of this repository share: exit codes, flags for layouts,
// times and amounts, help, and what their reports format alike.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/internal/storeurl"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// Exit codes. A command may have others: see [Coded].
const (
	OK          = 0
	Error       = 1
	Usage       = 2
	Duplicate   = 3
	Interrupted = 130
)

// Run runs a command and returns its exit code. The first interrupt ends it in good order, a
// second one at once.
func Run(ctx context.Context, root *cobra.Command, args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)

	prepare(root)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetArgs(args)
	c, err := root.ExecuteContextC(ctx)
	code := ExitCode(ctx, err)
	if code == Interrupted {
		err = errors.New("interrupted")
	}
	if err != nil && err.Error() != "" {
		storeurl.Hide(args...)
		for line := range strings.Lines(Typed(c, err.Error())) {
			fmt.Fprintf(stderr, "%s: %s\n", root.Name(), strings.TrimSuffix(line, "\n"))
		}
	}
	return code
}

// ExitCode returns the code that a command exits with after an error.
func ExitCode(ctx context.Context, err error) int {
	var own codedError
	switch {
	case err == nil:
		return OK
	case errors.As(err, &own):
		return own.code
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return Interrupted
	case isUsage(err):
		return Usage
	}
	return Error
}

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

// Coded returns an error with an exit code of its own. If err is nil, nothing is printed.
func Coded(err error, code int) error { return codedError{err, code} }

// AsUsage returns an error that the user can avoid by typing something else.
func AsUsage(err error) error { return codedError{err, Usage} }

// Usagef is [AsUsage] of a text.
func Usagef(format string, args ...any) error { return AsUsage(fmt.Errorf(format, args...)) }

func isUsage(err error) bool {
	return storeurl.Typed(err) || slices.ContainsFunc([]error{
		uid.ErrLayout, uid.ErrConfig, uid.ErrSyntax, uid.ErrForeign, worker.ErrClaim,
	}, func(sentinel error) bool { return errors.Is(err, sentinel) })
}

func Wait(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
