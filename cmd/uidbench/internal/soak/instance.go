package soak

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/internal/child"
	"github.com/ringuid/ringuid/uid"
)

// instance is one life of a process, as the supervisor sees it.
type instance struct {
	*child.Process
	name  string
	stdin io.Closer
	log   string // the file with its ids
	said  string // the file with its stderr

	expected atomic.Bool // its end is
}

// launch starts a process, and tells it what to do. Where the system supports it, the
// process is killed when this one ends.
func launch(cmd *exec.Cmd, dir, name string, spec json.RawMessage) (*instance, error) {
	c := &instance{
		name: name, log: filepath.Join(dir, name+".ids"), said: filepath.Join(dir, name+".log"),
	}
	text, err := json.Marshal(job{Log: c.log, Spec: spec})
	if err != nil {
		return nil, err
	}
	stderr, err := os.OpenFile(c.said, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer stderr.Close()
	cmd.Stdout, cmd.Stderr = stderr, stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	c.stdin = stdin
	if c.Process, err = child.Start(cmd); err != nil {
		return nil, fmt.Errorf("soak: starting a process: %w", err)
	}
	_, _ = stdin.Write(append(text, '\n')) // an error says that it has exited already
	return c, nil
}

// kill ends the process at once.
func (c *instance) kill() {
	c.expected.Store(true)
	c.Kill()
}

// finish has the process give its worker id back and end. It says so when it had
// to be killed.
func (c *instance) finish() error {
	if c.expected.Swap(true) {
		return nil // it has ended
	}
	_ = c.stdin.Close() // an error says that it has exited
	t := time.NewTimer(patience)
	defer t.Stop()
	select {
	case <-c.Ended:
		return nil
	case <-t.C:
		c.kill()
		return fmt.Errorf("%w: %s did not end within %v: %s", ErrProcess, c.name, patience,
			c.lastWords())
	}
}

// lastWords are the last line that the process has written to stderr.
func (c *instance) lastWords() string {
	text, _ := os.ReadFile(c.said)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return last
	}
	return "it does not say why"
}

// ids is how many ids are in the log.
func (c *instance) ids() int64 {
	info, err := os.Stat(c.log)
	if err != nil {
		return 0
	}
	return info.Size() / lineBytes
}

// worker is the worker id in the last id of the log, -1 if there is none.
func (c *instance) worker(l uid.Layout) int64 {
	file, err := os.Open(c.log)
	if err != nil {
		return -1
	}
	defer file.Close()
	line := make([]byte, lineBytes)
	if _, err := file.ReadAt(line, (c.ids()-1)*lineBytes); err != nil {
		return -1
	}
	id, err := uid.ParseID(strings.TrimSpace(string(line)))
	if err != nil {
		return -1
	}
	p, err := l.Parse(id)
	if err != nil {
		return -1
	}
	return p.Worker
}
