package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/storeurl"
	"github.com/ringuid/ringuid/preset"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// open makes the generator to load, with a worker id from the store. The caller must call
// close, which closes the store, after the load.
func (f *runFlags) open(ctx context.Context, stderr io.Writer) (close func() error, err error) {
	config, err := f.config(stderr)
	if err != nil {
		return nil, err
	}
	s, err := openStore(&f.store)
	if err != nil {
		return nil, err
	}
	err = f.assigner.choose(s)
	if err == nil && (f.store.URL != "" || f.assigner.recycled()) {
		err = s.mustExist()
	}
	if err == nil {
		f.beginToday(&config.Layout, time.Now(), stderr)
		f.bench.Store = s.name
		f.bench.Generator, err = f.newGenerator(ctx, s, config)
	}
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s.close, nil
}

// beginToday gives a layout that is over a new epoch, unless a flag said when it begins. That
// is for ids that are discarded, whatever their time. Recycled worker ids are granted for the
// ids of one layout, the one that worker init was given.
func (f *runFlags) beginToday(l *uid.Layout, now time.Time, stderr io.Writer) {
	said := f.layout.preset != "" || !f.layout.epoch.IsZero()
	if said || f.assigner.recycled() || now.Before(l.End()) {
		return
	}
	if !f.quiet {
		fmt.Fprintf(stderr, "the time of %v ended at %s: using today as the epoch for this "+
			"benchmark\n", l, formatTime(l.End(), l.Unit))
	}
	l.Epoch = now.UTC().Truncate(24 * time.Hour)
}

func (f *runFlags) config(stderr io.Writer) (uid.DefaultConfig, error) {
	var c uid.DefaultConfig
	l, err := f.layout.named()
	if err == nil && f.generator == "default" && f.layout.preset != "" {
		c, err = preset.Named(f.layout.preset) // with its policies
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

func (f *runFlags) newGenerator(ctx context.Context, s *store, c uid.DefaultConfig) (
	uid.Generator, error) {
	var g uid.Generator
	var err error
	// Ids made with a typed worker id are measured and discarded.
	c.AllowRepeats = f.assigner.name == static
	a := f.assigner.of(s, c.Layout, c.Logger)
	// Each in its own branch: a nil pointer in an interface is not nil.
	if f.generator == "default" {
		g, err = uid.NewDefault(ctx, a, c)
	} else {
		g, err = uid.New(ctx, a, uid.Config{Layout: c.Layout, Logger: c.Logger,
			AllowRepeats: c.AllowRepeats})
	}
	switch {
	case err == nil:
		return g, nil
	case errors.Is(err, uid.ErrTimeOver):
		return nil, overError(err)
	case f.assigner.name == static && errors.Is(err, worker.ErrIDRange):
		return nil, usageError{err}
	}
	return nil, f.assigner.hint(err)
}
