package main

import (
	"errors"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/cmd/internal/storeurl"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

const (
	cached    = "cached"  // uid.New's
	immediate = "default" // uid.NewDefault's
)

// open makes the generator to load, and returns the store of its worker id, which the caller
// must close after the load.
func (f *runFlags) open(c *cobra.Command) (*storeurl.Store, error) {
	ctx := c.Context()
	layout, err := f.layout.Named()
	if err != nil {
		return nil, err
	}
	if f.server != "" {
		f.bench.Generator, err = connect(ctx, f.server, layout)
		return &storeurl.Store{Close: func() error { return nil }}, err
	}
	s, err := f.store.Open()
	if err != nil {
		return nil, err
	}
	level := slog.LevelWarn
	if f.quiet {
		level = slog.LevelError
	}
	logger := cli.Logger(c, level)
	a := worker.Leased(s.Leases, worker.Claim{Owner: "uidbench", Logger: logger})
	if s.Leases == nil { // its ids are measured and discarded, which needs no warning
		a, logger = worker.Static(s.Static), slog.New(slog.DiscardHandler)
	}
	if f.generator == immediate {
		f.bench.Generator, err = uid.NewDefault(ctx, a, uid.DefaultConfig{Layout: layout,
			Logger: logger, AllowRepeats: s.Leases == nil})
	} else {
		f.bench.Generator, err = uid.New(ctx, a, uid.Config{Layout: layout, Logger: logger,
			AllowRepeats: s.Leases == nil})
	}
	switch {
	case err == nil:
		return s, nil
	case errors.Is(err, uid.ErrTimeOver):
		err = cli.OverError(err)
	case s.Leases == nil && errors.Is(err, worker.ErrIDRange):
		err = cli.AsUsage(err)
	}
	return nil, errors.Join(err, s.Close())
}
