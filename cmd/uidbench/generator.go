package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/cmd/internal/storeurl"
	"github.com/ringuid/ringuid/internal/machine"
	"github.com/ringuid/ringuid/preset"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// The generators to measure.
const (
	cached    = "cached"  // uid.New's
	immediate = "default" // uid.NewDefault's
)

// The ways to get a worker id from a store.
const (
	leased     = "leased"
	disposable = "disposable"
)

// open makes the generator to load. The caller must call close, which closes the store, after
// the load.
func (f *runFlags) open(ctx context.Context, stderr io.Writer) (close func() error, err error) {
	config, err := f.config(stderr)
	if err != nil {
		return nil, err
	}
	s, err := f.store.Open()
	if err != nil {
		return nil, err
	}
	if s.Leases == nil { // its ids are measured and discarded, which needs no warning
		config.AllowRepeats, config.Logger = true, slog.New(slog.DiscardHandler)
	}
	f.bench.Store = s.Name
	a, err := f.assignerOf(s, config.Logger)
	if err == nil {
		err = f.newGenerator(ctx, a, config)
	}
	switch {
	case err == nil:
		return s.Close, nil
	case errors.Is(err, uid.ErrTimeOver):
		err = cli.OverError(err)
	case s.Leases == nil && errors.Is(err, worker.ErrIDRange):
		err = cli.AsUsage(err)
	case errors.Is(err, worker.ErrStore) && !f.allowUnfenced:
		err = fmt.Errorf("%w\nor take worker ids all the same with --allow-unfenced", err)
	}
	return nil, errors.Join(err, s.Close())
}

func (f *runFlags) config(stderr io.Writer) (uid.DefaultConfig, error) {
	var c uid.DefaultConfig
	l, err := f.layout.Named()
	if err == nil && f.generator == immediate && f.layout.Preset != "" {
		c, err = preset.Named(f.layout.Preset) // with its policies
	}
	if err != nil {
		return c, err
	}
	c.Layout = l
	level := slog.LevelWarn
	if f.quiet {
		level = slog.LevelError
	}
	c.Logger = slog.New(slog.NewTextHandler(storeurl.Redacting{To: stderr},
		&slog.HandlerOptions{Level: level}))
	return c, nil
}

// assignerOf returns what takes a worker id as flags say.
func (f *runFlags) assignerOf(s *storeurl.Store, logger *slog.Logger) (worker.Assigner, error) {
	switch {
	case s.Leases == nil && (f.assigner != "" || f.allowUnfenced):
		return nil, cli.Usagef("--assigner and --allow-unfenced are about a store, and %s is none",
			s.Name)
	case s.Leases == nil:
		return worker.Static(s.Static), nil
	case f.assigner == disposable:
		var r store.Registrar = s.Table
		if f.allowUnfenced {
			r = worker.AllowUnfenced(r)
		}
		return worker.Disposable(r), nil
	}
	return worker.Leased(s.Leases, worker.Claim{Owner: owner(), AllowUnfenced: f.allowUnfenced,
		Logger: logger}), nil
}

// owner is the owner of the worker ids that uidbench takes on this machine.
func owner() string {
	host, err := machine.This.HostName()
	if err != nil {
		host = "localhost"
	}
	return fmt.Sprintf("uidbench@%s, process %d", host, os.Getpid())
}

// newGenerator makes the generator to load. Each kind is in its own branch: a nil pointer in an
// interface is not nil.
func (f *runFlags) newGenerator(ctx context.Context, a worker.Assigner, c uid.DefaultConfig) error {
	if f.generator == immediate {
		g, err := uid.NewDefault(ctx, a, c)
		if err == nil {
			f.bench.Generator = g
		}
		return err
	}
	g, err := uid.New(ctx, a, uid.Config{Layout: c.Layout, Logger: c.Logger,
		AllowRepeats: c.AllowRepeats})
	if err == nil {
		f.bench.Generator = g
	}
	return err
}
