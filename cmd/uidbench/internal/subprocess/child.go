package subprocess

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// ErrEnded is the cause of Follow's context when the parent wants the process to end.
var ErrEnded = errors.New("subprocess: the parent has ended this process")

// Child is a process's connection to its parent.
type Child struct {
	in *bufio.Reader

	mu  sync.Mutex
	out io.Writer
	err error // of the first Tell that failed
}

// Attach returns the Child on a process's stdin and stdout.
func Attach(stdin io.Reader, stdout io.Writer) *Child {
	return &Child{in: bufio.NewReader(stdin), out: stdout}
}

// ErrNoJob is wrapped by Job when there is none: somebody else than a parent has started
// the process.
var ErrNoJob = errors.New("subprocess: no job")

// Job reads the job, once and before Follow.
func (c *Child) Job(job any) error {
	line, err := c.in.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoJob, err)
	}
	if err := json.Unmarshal(line, job); err != nil {
		return fmt.Errorf("%w: %w", ErrNoJob, err)
	}
	return nil
}

// Follow listens to the parent. The context ends, with ErrEnded as its cause, when this
// process must end. Signals that come while one is pending count as one.
func (c *Child) Follow(ctx context.Context) (context.Context, <-chan struct{}) {
	ctx, end := context.WithCancelCause(ctx)
	signals := make(chan struct{}, 1)
	go func() {
		defer end(ErrEnded)
		for lines := bufio.NewScanner(c.in); lines.Scan(); {
			select {
			case signals <- struct{}{}:
			default:
			}
		}
	}()
	return ctx, signals
}

// Tell writes a message as one line in one write, so that a killed process leaves only
// whole lines. After an error nothing more is written, and the error is returned again.
func (c *Child) Tell(message any) error {
	line, err := json.Marshal(message)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return c.err
	}
	if err == nil {
		_, err = c.out.Write(append(line, '\n'))
	}
	c.err = err
	return err
}
