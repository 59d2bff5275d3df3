// Package demo is what the examples have in common and nobody needs to copy: how
// they begin and end, and the flags that name a database.
package demo

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// ErrUsage is wrapped by the errors of wrong flags.
var ErrUsage = errors.New("wrong flags")

// Main runs an example until it is done or told to stop, and exits: with 0, with
// 2 for wrong flags, and with 1 when something else fails.
func Main(run func(ctx context.Context, args []string, stdout io.Writer) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code(err))
}

func code(err error) int {
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, ErrUsage):
		return 2
	default:
		return 1
	}
}

// Parse reads flags. What is wrong with them wraps ErrUsage, or flag.ErrHelp when
// help was all that was wanted; that has been printed to stderr then.
func Parse(f *flag.FlagSet, args []string) error {
	f.SetOutput(io.Discard) // the error is printed once, by Main
	err := f.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		f.SetOutput(os.Stderr)
		f.Usage()
		return err
	case err != nil:
		return fmt.Errorf("%s: %w: %w; -h lists them", f.Name(), ErrUsage, err)
	case f.NArg() > 0:
		return fmt.Errorf("%s: %w: there are no arguments, got %q", f.Name(), ErrUsage, f.Arg(0))
	}
	return nil
}
