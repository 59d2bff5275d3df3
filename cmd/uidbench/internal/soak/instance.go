package soak

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/subprocess"
)

// instance is one life of a process, as the supervisor sees it.
type instance struct {
	*subprocess.Process
	name string
	log  logFile

	expected atomic.Bool   // its end is
	ready    chan struct{} // closed when it has taken an id, or has ended
	drained  chan struct{} // a message each time that it has taken all that is granted
	done     chan struct{} // closed when it has ended and all it told was heard
	err      error         // how it ended; after done

	mu        sync.Mutex
	started   time.Time // when it had its first id; zero: none yet
	worker    int64     // its worker id then
	released  time.Time // when it had ended by itself; zero: it was killed, or lives
	errors    int64
	lastError string
}

// launch starts a process on a job.
func launch(cmd *exec.Cmd, dir, name string, j job) (*instance, error) {
	j.Log = filepath.Join(dir, name+".ids")
	c := &instance{
		name: name, log: logFile{filepath.Base(j.Log), j.Log},
		ready: make(chan struct{}), drained: make(chan struct{}, 1), done: make(chan struct{}),
	}
	stderr, err := os.OpenFile(filepath.Join(dir, name+".log"), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer stderr.Close()
	cmd.Stderr = stderr
	if c.Process, err = subprocess.Start(cmd, j); err != nil {
		return nil, fmt.Errorf("soak: starting a process: %w", err)
	}
	go c.listen()
	return c, nil
}

// listen hears what the process tells until it has ended.
func (c *instance) listen() {
	for {
		var e event
		err := c.Receive(&e)
		if err == io.EOF {
			break
		}
		if errors.Is(err, subprocess.ErrLine) {
			continue // of a library, say
		}
		c.hear(e)
	}
	c.err = c.Wait()
	c.mu.Lock()
	if c.started.IsZero() {
		close(c.ready)
	}
	c.mu.Unlock()
	close(c.done)
}

func (c *instance) hear(e event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch e.Kind {
	case ready:
		c.started, c.worker = time.Now(), e.Worker
		close(c.ready)
	case drained:
		select {
		case c.drained <- struct{}{}:
		default: // nobody waits for it any more
		}
	case failure:
		c.errors++
		c.lastError = e.Error
	}
}

// kill ends the process at once.
func (c *instance) kill() {
	c.expected.Store(true)
	c.Kill()
	<-c.done
}

// finish has the process give its worker id back and end. It says so when it had
// to be killed.
func (c *instance) finish(patience time.Duration) error {
	if c.expected.Swap(true) {
		return nil // it has ended
	}
	c.End()
	t := time.NewTimer(patience)
	defer t.Stop()
	select {
	case <-c.done:
		c.released = time.Now()
		return nil
	case <-t.C:
		c.kill()
		return fmt.Errorf("%w: %s did not end within %v: %s", ErrProcess, c.name, patience,
			c.lastErrorText())
	}
}

// drain has the process take all that is granted to it, and waits for that, but not
// longer than patience: it may be waiting for ids itself.
func (c *instance) drain(ctx context.Context, patience time.Duration) {
	select {
	case <-c.drained: // that nobody waited for
	default:
	}
	if c.Signal() != nil {
		return // it has ended
	}
	t := time.NewTimer(patience)
	defer t.Stop()
	select {
	case <-c.drained:
	case <-c.done:
	case <-ctx.Done():
	case <-t.C:
	}
}

// lastErrorText is the last error that the process told of.
func (c *instance) lastErrorText() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lastError == "" {
		return "it does not say why"
	}
	return c.lastError
}

// ids is how many ids are in the log.
func (c *instance) ids() int64 {
	info, err := os.Stat(c.log.path)
	if err != nil {
		return 0
	}
	return info.Size() / lineBytes
}
