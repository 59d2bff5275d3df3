package soak

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// A job is what a process reads from stdin.
type job[Spec any] struct {
	Log    string // the file to write ids to
	Config Config // the supervisor's
	Spec   Spec   // the supervisor's, too
}

// Process is one process of a soak. It takes ids until its stdin ends, and then releases its
// worker id. It returns an error when it cannot continue. open turns the supervisor's settings
// into an assigner and the generator's settings, with a Logger.
func Process[Spec any](ctx context.Context, stdin io.Reader,
	open func(Config, Spec) (worker.Assigner, uid.Config, error)) (err error) {
	var j job[Spec]
	if err := json.NewDecoder(stdin).Decode(&j); err != nil {
		return fmt.Errorf("this is not a command to type: type ringuid soak: no job on stdin: %w", err)
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	go func() {
		defer end()
		_, _ = io.Copy(io.Discard, stdin) // however the supervisor has ended
	}()
	assigner, config, err := open(j.Config, j.Spec)
	if err != nil {
		return err
	}
	log, err := os.OpenFile(j.Log, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	// A start without a deadline gives up sooner than the supervisor.
	start, cancel := context.WithTimeout(ctx, 24*time.Hour)
	defer cancel()
	g, err := uid.New(start, assigner, config)
	switch {
	case ctx.Err() != nil && g == nil:
		return nil
	case err != nil:
		return err
	}
	err = take(ctx, g, log)
	if failed := g.Close(); failed != nil { // the store may be gone just now: the lease runs out
		config.Logger.Warn("soak: cannot close the generator", "error", failed)
	}
	return err
}

// take takes all ids that are granted, until ctx ends. Each is in the log before the next one
// is taken. The operating system has it then, so a killed process loses nothing.
func take(ctx context.Context, g *uid.CachedGenerator, log io.Writer) error {
	for {
		id, err := g.GetUIDContext(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if err == nil {
			_, err = log.Write(appendID(nil, id))
		}
		if err != nil {
			return err
		}
	}
}
