package processes

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/subprocess"
	"github.com/ringuid/ringuid/uid"
)

// A job is what a process is told first.
type job struct {
	Spec json.RawMessage `json:"spec"` // Config.Spec of the parent
	Load bench.Config    `json:"load"`
}

// Open makes the generator of a process by Config.Spec, and what is to be done when the
// generator is closed.
type Open func(ctx context.Context, spec json.RawMessage) (uid.Generator, func() error, error)

// Process is what a process of Run does. It returns an error when it could not tell its
// parent what it has recorded; what was wrong with the ids is the parent's to say.
func Process(ctx context.Context, stdin io.Reader, stdout io.Writer, open Open) error {
	parent := subprocess.Attach(stdin, stdout)
	var j job
	if err := parent.Job(&j); err != nil {
		return err
	}
	g, end, err := open(ctx, j.Spec)
	if err != nil {
		return err
	}
	return errors.Join(load(ctx, parent, g, j.Load), end())
}

// load takes ids when the parent signals to begin, and until it wants no more.
func load(ctx context.Context, parent *subprocess.Child, g uid.Generator, c bench.Config) error {
	if err := parent.Tell(message{Kind: ready}); err != nil {
		return errors.Join(err, g.Close())
	}
	ctx, begin := parent.Follow(ctx)
	select {
	case <-begin:
	case <-ctx.Done():
		return errors.Join(context.Cause(ctx), g.Close())
	}
	c.Generator = g
	c.Progress = func(p bench.Progress) {
		_ = parent.Tell(message{Kind: underway, Progress: &p}) // the last Tell has this error too
	}
	recording, err := bench.Record(ctx, c)
	if recording == nil {
		return errors.Join(err, parent.Tell(message{Kind: refused, Error: newError(err)}))
	}
	if err := parent.Tell(message{Kind: recorded, Error: newError(without(err, subprocess.ErrEnded))}); err != nil {
		return err
	}
	_, err = recording.WriteTo(parent)
	return err
}

// without takes what wraps a target out of errors that were joined.
func without(err, target error) error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return err
	}
	return errors.Join(slices.DeleteFunc(slices.Clone(joined.Unwrap()), func(e error) bool { return errors.Is(e, target) })...)
}
