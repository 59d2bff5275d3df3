package soak

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// child is the supervisor's end of one process: one life of it.
type child struct {
	name  string
	log   Log
	cmd   *exec.Cmd
	stdin io.WriteCloser

	launched time.Time
	expected atomic.Bool   // its end is
	ready    chan struct{} // closed when it has taken an id, or has ended
	surged   chan struct{} // a message for each surge
	done     chan struct{} // closed when it has ended and all it said was heard
	err      error         // how it ended; after done

	mu      sync.Mutex
	started time.Duration // from launch to the first id; 0: none yet
	events  []Event
	pauses  []interval
	trouble int64
	last    string // trouble
}

// interval is a time on the wall clock, which all processes of a machine share, in
// nanoseconds.
type interval struct{ from, to int64 }

// launch starts a process on a job.
func launch(cmd *exec.Cmd, dir, name string, job Job) (*child, error) {
	job.Log = filepath.Join(dir, name+".ids")
	c := &child{
		name: name, log: Log{name, job.Log}, cmd: cmd,
		ready: make(chan struct{}), surged: make(chan struct{}, 1), done: make(chan struct{}),
	}
	line, err := json.Marshal(job)
	if err != nil {
		return nil, err
	}
	started := make(chan error, 1)
	go func() {
		// The kernel counts a process orphaned when the thread that started it
		// ends, so this thread waits for it: golang/go#27505.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		c.live(dir, started)
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("soak: starting a process: %w", err)
	}
	if _, err := c.stdin.Write(append(line, '\n')); err != nil {
		c.kill()
		return nil, fmt.Errorf("soak: starting a process: %w", err)
	}
	return c, nil
}

// live starts the process, listens to it until it has ended, and says so.
func (c *child) live(dir string, started chan<- error) {
	out, err := c.start(dir)
	started <- err
	if err != nil {
		return
	}
	c.listen(out)
	c.err = c.cmd.Wait()
	c.mu.Lock()
	if c.started == 0 {
		close(c.ready)
	}
	c.mu.Unlock()
	close(c.done)
}

func (c *child) start(dir string) (out io.Reader, err error) {
	stderr, err := os.OpenFile(filepath.Join(dir, c.name+".log"), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer stderr.Close()
	c.cmd.Stderr = stderr
	if c.stdin, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if out, err = c.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	dieWithUs(c.cmd)
	c.launched = time.Now()
	return out, c.cmd.Start()
}

// listen hears what the process says until it has ended.
func (c *child) listen(out io.Reader) {
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var e Event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			continue // the runtime's last words, say
		}
		c.hear(e)
	}
}

func (c *child) hear(e Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch e.Kind {
	case Ready:
		c.started = time.Since(c.launched)
		close(c.ready)
	case Surged:
		select {
		case c.surged <- struct{}{}:
		default: // nobody waits for it any more
		}
	case Trouble:
		c.trouble++
		c.last = e.Error
	default:
		c.events = append(c.events, e)
	}
}

// kill ends the process at once.
func (c *child) kill() {
	c.expected.Store(true)
	_ = c.cmd.Process.Kill() // an error means that it has ended
	<-c.done
}

// finish has the process give its worker id back and end. It says so when it had
// to be killed.
func (c *child) finish(patience time.Duration) error {
	c.expected.Store(true)
	_ = c.stdin.Close() // an error means that it has ended
	t := time.NewTimer(patience)
	defer t.Stop()
	select {
	case <-c.done:
		return nil
	case <-t.C:
		c.kill()
		return fmt.Errorf("%w: %s did not end within %v: %s", ErrProcess, c.name, patience, c.lastWords())
	}
}

// surge has the process take all that is granted to it, and waits for that, but not
// longer than patience: it may be waiting for ids itself.
func (c *child) surge(ctx context.Context, patience time.Duration) {
	select {
	case <-c.surged: // that nobody waited for
	default:
	}
	if _, err := c.stdin.Write([]byte{'\n'}); err != nil {
		return // it has ended
	}
	t := time.NewTimer(patience)
	defer t.Stop()
	select {
	case <-c.surged:
	case <-c.done:
	case <-ctx.Done():
	case <-t.C:
	}
}

// pause stops the process, until resume is called.
func (c *child) pause() (resumed func() error, err error) {
	begin := time.Now().UnixNano()
	if err := pause(c.cmd.Process); err != nil {
		return nil, fmt.Errorf("soak: pausing %s: %w", c.name, err)
	}
	return func() error {
		defer func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.pauses = append(c.pauses, interval{begin, time.Now().UnixNano()})
		}()
		if err := resume(c.cmd.Process); err != nil {
			return fmt.Errorf("soak: resuming %s: %w", c.name, err)
		}
		return nil
	}, nil
}

// lastWords are what the process said last about what troubles it.
func (c *child) lastWords() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last == "" {
		return "it does not say why"
	}
	return c.last
}

// ids is how many ids are in the log.
func (c *child) ids() int64 {
	info, err := os.Stat(c.log.Path)
	if err != nil {
		return 0
	}
	return info.Size() / idBytes
}
