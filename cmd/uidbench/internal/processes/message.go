package processes

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/subprocess"
	"github.com/ringuid/ringuid/uid"
)

// A message is what a process tells its parent. Behind the last one, recorded, it writes
// its recording.
type message struct {
	Kind     kind            `json:"kind"`
	Progress *bench.Progress `json:"progress,omitempty"`
	Error    *remoteError    `json:"error,omitempty"`
}

// kind says what a message is about.
type kind string

const (
	ready    kind = "ready"    // it has a generator
	underway kind = "underway" // its progress
	recorded kind = "recorded" // the load is over
	refused  kind = "refused"  // it cannot do that
)

// remoteError is an error of another process: its text, and which of these it wraps.
type remoteError struct {
	Text  string   `json:"text"`
	Wraps []string `json:"wraps,omitempty"`
}

func sentinels() []error {
	return []error{bench.ErrConfig, bench.ErrTakes, bench.ErrMemory, uid.ErrTimeOver, uid.ErrLeaseLost, uid.ErrClosed}
}

// newError is nil of nil.
func newError(err error) *remoteError {
	if err == nil {
		return nil
	}
	e := &remoteError{Text: err.Error()}
	for _, sentinel := range sentinels() {
		if errors.Is(err, sentinel) {
			e.Wraps = append(e.Wraps, sentinel.Error())
		}
	}
	return e
}

func (e *remoteError) Error() string { return e.Text }

// Unwrap makes errors.Is work as it did in the other process.
func (e *remoteError) Unwrap() (errs []error) {
	for _, sentinel := range sentinels() {
		if slices.Contains(e.Wraps, sentinel.Error()) {
			errs = append(errs, sentinel)
		}
	}
	return errs
}

// process is one of them, as its parent sees it.
type process struct {
	*subprocess.Process
	number int     // 0 is the first
	last   message // what was awaited
}

func start(number int, cmd *exec.Cmd, j job) (*process, error) {
	p, err := subprocess.Start(cmd, j)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrProcess, err)
	}
	return &process{Process: p, number: number}, nil
}

// failed says whose error it is.
func (p *process) failed(err error) error {
	return fmt.Errorf("%w: process %d: %w", ErrProcess, p.number+1, err)
}

func (p *process) awaitReady() error { return p.await(ready, func(bench.Progress) {}) }

// await reads until a message of that kind, and keeps it.
func (p *process) await(k kind, progress func(bench.Progress)) error {
	for {
		var m message
		switch err := p.Receive(&m); {
		case err == io.EOF:
			return p.failed(errEndedEarly)
		case err != nil:
			return p.failed(err)
		case m.Kind == underway && m.Progress != nil:
			progress(*m.Progress)
		case m.Kind == refused:
			return p.failed(m.Error)
		case m.Kind == k:
			p.last = m
			return nil
		}
	}
}

var errEndedEarly = errors.New("it ended before its time")
