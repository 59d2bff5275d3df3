// Package soak lets real processes share the worker ids of a real store, kills and pauses
// them as may happen in operation, and checks for duplicate ids.
//
// Run is the supervisor. It starts processes of the same program, each of which calls Process:
// a cached generator on a leased worker id, each of whose ids goes to a log before the next one
// is taken. There are as many rows as processes, so no process gets a worker id that another
// has not lost or released. A process reads its job from stdin, where `ps` does not look for
// passwords, and ends when stdin does.
//
// A process takes everything that is granted at once, so that its ids lie a window ahead of
// the clock. Without that a soak would prove little: a process that follows the clock leaves
// no ids that its successor could make again, with or without a fence. For the same reason
// the window must be longer than the lease.
//
// An id counts when it is in a log: what a killed process had taken but not written was never
// seen.
package soak

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/internal/child"
	"github.com/ringuid/ringuid/uid"
)

// Run lets processes share worker ids under faults until the time is over or ctx ends, and then
// checks every id that they took. The report holds whatever was found, even if there is an
// error. The error wraps idlog.ErrDuplicate, ErrOrder or ErrProcess, or ctx's cause.
//
// No process outlives Run.
func Run(ctx context.Context, c Config) (Report, error) {
	s := &soak{Config: c, slots: make([]*instance, c.Processes), lives: map[string]int{}}
	stop, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	s.fail = fail

	err := s.supervise(stop)
	end := time.Now()
	err = errors.Join(err, s.finish())
	return s.report(ctx, end, err)
}

// soak is the state of a Run. Its methods are for the goroutine of Run alone.
type soak struct {
	Config
	fail context.CancelCauseFunc // ends the soak early; the first cause counts

	slots []*instance // the processes that live, or lived last
	all   []*instance
	lives map[string]int
	begin time.Time // when all processes took ids

	kills, pauses, takeovers int64
}

// patience is how long a process that nothing hinders may take to its first id, to its next
// one, or to its end. It is not a measurement: a soak that hits it has found something. A store
// may be restarted meanwhile.
const patience = time.Minute

// supervise starts the processes, and injects faults until the time is over.
func (s *soak) supervise(ctx context.Context) error {
	for i := range s.slots {
		if err := s.start(i); err != nil {
			return err
		}
	}
	for _, c := range s.slots {
		if err := s.await(ctx, c, 0); err != nil {
			return err
		}
	}
	s.begin = time.Now()
	if s.Started != nil {
		s.Started()
	}
	over, cancel := context.WithTimeout(ctx, s.Duration)
	defer cancel()
	if err := s.injectFaults(ctx, over); err != nil {
		return err
	}
	<-over.Done()
	return context.Cause(ctx)
}

func (s *soak) start(i int) (err error) {
	s.slots[i], err = s.launch(fmt.Sprintf("process-%d", i))
	return err
}

// launch starts a process and sends it its job. Where the system supports it, the process is
// killed when this one ends.
func (s *soak) launch(who string) (*instance, error) {
	s.lives[who]++
	c := &instance{name: fmt.Sprintf("%s.%d", who, s.lives[who])}
	c.log, c.said = filepath.Join(s.Dir, c.name+".ids"), filepath.Join(s.Dir, c.name+".log")
	text, err := json.Marshal(job[any]{c.log, s.Config, s.Spec})
	if err != nil {
		return nil, fmt.Errorf("soak: the Spec: %w", err)
	}
	said, err := os.OpenFile(c.said, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer said.Close()
	cmd := s.Command()
	cmd.Stdout, cmd.Stderr = said, said
	if c.stdin, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if c.Process, err = child.Start(cmd); err != nil {
		return nil, fmt.Errorf("soak: starting a process: %w", err)
	}
	_, _ = c.stdin.Write(append(text, '\n')) // an error means that it has exited already
	s.all = append(s.all, c)
	go func() {
		<-c.Ended
		if !c.expected.Load() {
			s.fail(fmt.Errorf("%w: %s ended by itself (%v): %s", ErrProcess, c.name, c.Err,
				c.lastWords()))
		}
	}()
	return c, nil
}

// await waits until a process has taken more than had ids.
func (s *soak) await(ctx context.Context, c *instance, had int64) error {
	const poll = 20 * time.Millisecond
	for begin := time.Now(); c.ids() <= had; cli.Wait(ctx, poll) {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case time.Since(begin) > patience+s.TTL:
			return fmt.Errorf("%w: %s takes no ids, and nothing has been in its way for %v: %s",
				ErrProcess, c.name, patience+s.TTL, c.lastWords())
		}
	}
	return nil
}

// finish ends all processes, at the same time.
func (s *soak) finish() error {
	var ending sync.WaitGroup
	errs := make([]error, len(s.all))
	for i, c := range s.all {
		ending.Go(func() { errs[i] = c.finish() })
	}
	ending.Wait()
	return errors.Join(errs...)
}

var (
	// ErrOrder is wrapped by Run when a process got an id that was not above its
	// last one.
	ErrOrder = errors.New("soak: ids out of order")

	// ErrProcess is wrapped by Run when a process ended without being told to, or no
	// longer takes ids although nothing prevents it.
	ErrProcess = errors.New("soak: a process failed")
)

type Config struct {
	Processes int           // 1 or more
	Duration  time.Duration // longer if some fault has not been injected by then
	TTL       time.Duration // of the leases, and what the faults are timed by

	// Layout is that of the ids.
	Layout uid.Layout

	// Dir is an empty folder for the logs.
	Dir string

	// Command starts a process that calls Process with its stdin.
	Command func() *exec.Cmd `json:"-"`

	// Spec goes to each process as JSON, with the fields above.
	Spec any `json:"-"`

	// Started, if not nil, is called when all processes take ids.
	Started func() `json:"-"`
}
