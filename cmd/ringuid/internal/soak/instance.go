package soak

import (
	"errors"
	"fmt"
	"io"
	"os"
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
	stdin io.WriteCloser
	log   string // the file with its ids
	said  string // the file with its stderr

	expected atomic.Bool // whether its end is expected
}

func (c *instance) kill() {
	c.expected.Store(true)
	c.Kill()
}

// finish has the process release its worker id and end. It returns an error if the process had
// to be killed.
func (c *instance) finish() error {
	if c.expected.Swap(true) {
		return nil // it has ended
	}
	_ = c.stdin.Close() // an error means that it has exited
	select {
	case <-c.Ended:
		return nil
	case <-time.After(patience):
		c.kill()
		return fmt.Errorf("%w: %s did not end within %v: %s", ErrProcess, c.name, patience,
			c.lastWords())
	}
}

// lastWords returns the last line that the process has written to stderr.
func (c *instance) lastWords() string {
	text, _ := os.ReadFile(c.said)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return last
	}
	return "it does not say why"
}

func (c *instance) ids() int64 {
	info, err := os.Stat(c.log)
	if err != nil {
		return 0
	}
	return info.Size() / lineBytes
}

// worker returns the worker id in the last id of the log, -1 if there is none.
func (c *instance) worker(l uid.Layout) int64 {
	file, err := os.Open(c.log)
	if err != nil {
		return -1
	}
	defer file.Close()
	line := make([]byte, lineBytes)
	_, err = file.ReadAt(line, (c.ids()-1)*lineBytes)
	id, none := uid.ParseID(strings.TrimSpace(string(line)))
	p, another := l.Parse(id)
	if errors.Join(err, none, another) != nil {
		return -1
	}
	return p.Worker
}
