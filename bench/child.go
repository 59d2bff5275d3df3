package bench

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/ringuid/ringuid/uid"
)

// The parent sends one line, orders, when all children are ready. The end of a
// child's stdin ends its load.

// orders are what a process is to do: its share of what is meant for all.
type orders struct {
	Config
	Place place
}

// A message is a line that a process writes. After the last, reported, come Pages
// pages of ids, in binary.
type message struct {
	Kind     string                 `json:"kind"`
	Progress *Progress              `json:"progress,omitempty"`
	Report   *Report                `json:"report,omitempty"`
	Calls    *hdrhistogram.Snapshot `json:"calls,omitempty"`
	Ages     []time.Duration        `json:"ages,omitempty"`
	Pages    int                    `json:"pages,omitempty"`
	Error    *childError            `json:"error,omitempty"`
}

// Kinds of messages.
const (
	ready    = "ready"    // it has a generator
	underway = "underway" // its progress
	reported = "reported" // it is done
	refused  = "refused"  // it cannot do that
)

// childError is an error as it travels: its text, and which of these it wraps.
type childError struct {
	Text  string   `json:"text"`
	Wraps []string `json:"wraps,omitempty"`
}

func errorsThatTravel() []error {
	return []error{ErrConfig, ErrTakes, ErrMemory, uid.ErrTimeOver, uid.ErrLeaseLost, uid.ErrClosed}
}

func newChildError(err error) *childError {
	if err == nil {
		return nil
	}
	e := &childError{Text: err.Error()}
	for _, sentinel := range errorsThatTravel() {
		if errors.Is(err, sentinel) {
			e.Wraps = append(e.Wraps, sentinel.Error())
		}
	}
	return e
}

func (e *childError) Error() string { return e.Text }

// Unwrap makes errors.Is work as it did in the child.
func (e *childError) Unwrap() (errs []error) {
	for _, sentinel := range errorsThatTravel() {
		if slices.Contains(e.Wraps, sentinel.Error()) {
			errs = append(errs, sentinel)
		}
	}
	return errs
}

// child is a process, as its parent sees it.
type child struct {
	number int // 0 is the first
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	closed sync.Once
	stdout *bufio.Reader
	last   message // what was awaited
}

func startChild(number int, cmd *exec.Cmd, hello []byte) (*child, error) {
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrProcess, err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrProcess, err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrProcess, err)
	}
	_, _ = stdin.Write(hello) // one that is gone is found out when it does not answer
	return &child{number: number, cmd: cmd, stdin: stdin, stdout: bufio.NewReaderSize(stdout, 64<<10)}, nil
}

// send lets it go.
func (c *child) send(o orders) {
	_ = json.NewEncoder(c.stdin).Encode(o) // as above
}

// recall has it come to an end.
func (c *child) recall() { c.closed.Do(func() { _ = c.stdin.Close() }) }

// wait waits until it is gone. Nobody reads what it still says.
func (c *child) wait() {
	_, _ = io.Copy(io.Discard, c.stdout)
	_ = c.cmd.Wait() // it has told of its errors
}

func (c *child) awaitReady() error { return c.await(ready, func(Progress) {}) }

// pages adds the ids that it had to those seen.
func (c *child) pages(s *seen) error {
	if err := s.readPages(c.stdout, c.last.Pages); err != nil {
		return fmt.Errorf("%w: process %d has ended before it had told of all its ids: %w", ErrProcess, c.number+1, err)
	}
	return nil
}

// await reads until a message of that kind, and keeps it.
func (c *child) await(kind string, progress func(Progress)) error {
	for {
		line, err := c.stdout.ReadBytes('\n')
		if err != nil {
			return fmt.Errorf("%w: process %d has ended before its time", ErrProcess, c.number+1)
		}
		var m message
		switch err := json.Unmarshal(line, &m); {
		case err != nil:
			return fmt.Errorf("%w: process %d says %q: %w", ErrProcess, c.number+1, line, err)
		case m.Kind == underway && m.Progress != nil:
			progress(*m.Progress)
		case m.Kind == refused:
			return fmt.Errorf("%w: process %d: %w", ErrProcess, c.number+1, m.Error)
		case m.Kind == kind:
			c.last = m
			return nil
		}
	}
}
