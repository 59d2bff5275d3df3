package processes

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"sync"

	"github.com/ringuid/ringuid/bench"
)

// ErrProcess is wrapped by Run when a process ended without being told to.
var ErrProcess = errors.New("a process failed")

// Config sets up several processes that take ids at the same time.
type Config struct {
	// Number is how many, 1 to 1000.
	Number int

	// Load is what they do, without a Generator. Goroutines is how many each has
	// (zero: its share of GOMAXPROCS, at least one); Count, Rate and VerifyMemory
	// are those of all together.
	Load bench.Config

	// Command starts a process that calls Process with its stdin and stdout.
	Command func() *exec.Cmd

	// Spec tells each how to make its generator, as JSON.
	Spec any
}

const maxProcesses = 1000

// Run starts the processes, waits until each has its generator, lets them all take ids,
// and reports of them as bench.Merger does.
//
// Errors are those of bench.Run, and ErrProcess. When a process goes away, the others end
// too, and the report is that of those which could still tell.
func Run(ctx context.Context, c Config) (bench.Report, error) {
	if err := c.validate(); err != nil {
		return bench.Report{}, err
	}
	c.Load.Goroutines = cmp.Or(c.Load.Goroutines, max(runtime.GOMAXPROCS(0)/c.Number, 1))
	spec, err := json.Marshal(c.Spec)
	if err != nil {
		return bench.Report{}, fmt.Errorf("%w: its Spec: %w", bench.ErrConfig, err)
	}
	r := &run{Config: c, last: make([]bench.Progress, c.Number)}
	defer r.end()
	for i := range c.Number {
		p, err := start(i, c.Command(), job{Spec: spec, Load: c.share(i)})
		if err != nil {
			return bench.Report{}, err
		}
		r.processes = append(r.processes, p)
	}
	stop := context.AfterFunc(ctx, r.endAll)
	defer stop()
	if err := r.each((*process).awaitReady); err != nil {
		return bench.Report{}, unlessInterrupted(ctx, err)
	}
	for _, p := range r.processes {
		_ = p.Signal() // one that is gone is found out when it does not answer
	}
	failed := r.each(r.follow)
	report, err := r.merge()
	return report, errors.Join(unlessInterrupted(ctx, failed), err)
}

func (c Config) validate() error {
	switch {
	case c.Number < 1 || c.Number > maxProcesses:
		return fmt.Errorf("%w: %d processes: choose 1 to %d", bench.ErrConfig, c.Number, maxProcesses)
	case c.Load.Count > 0 && c.Load.Count < int64(c.Number):
		return fmt.Errorf("%w: %d ids for %d processes: choose at least one for each", bench.ErrConfig, c.Load.Count, c.Number)
	case c.Load.Generator != nil:
		return fmt.Errorf("%w: a generator for several processes: each makes its own", bench.ErrConfig)
	}
	if err := c.Load.Validate(); err != nil {
		return err
	}
	return c.share(0).Validate()
}

// share is what process i is to do of what is meant for all.
func (c Config) share(i int) bench.Config {
	n, share := int64(c.Number), c.Load
	share.Process, share.Processes = i, c.Number
	share.Rate /= float64(n)
	share.Count /= n
	if int64(i) < c.Load.Count%n {
		share.Count++
	}
	if share.VerifyMemory > 0 { // each id is kept twice: where it was taken, and here
		share.VerifyMemory = max(share.VerifyMemory/(2*n), 1)
	}
	return share
}

// run is the state of a Run.
type run struct {
	Config
	processes []*process

	mu   sync.Mutex
	last []bench.Progress // of each
}

// each does the same with all processes at once, and joins the errors. After the
// first the others are told to end.
func (r *run) each(do func(*process) error) error {
	errs := make([]error, len(r.processes))
	var all sync.WaitGroup
	for i, p := range r.processes {
		all.Go(func() {
			if errs[i] = do(p); errs[i] != nil {
				r.endAll()
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// endAll has all processes come to an end.
func (r *run) endAll() {
	for _, p := range r.processes {
		p.End()
	}
}

// end leaves no process behind.
func (r *run) end() {
	r.endAll()
	for _, p := range r.processes {
		_ = p.Wait() // it has told of its errors
	}
}

// follow listens to a process until it has a recording for us.
func (r *run) follow(p *process) error {
	return p.await(recorded, func(progress bench.Progress) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.last[p.number] = progress
		if p.number == 0 && r.Load.Progress != nil { // as often as one process tells
			r.Load.Progress(overall(r.last))
		}
	})
}

// overall is the progress of all, as far as the slowest has come.
func overall(each []bench.Progress) (all bench.Progress) {
	all.Part = 1
	for _, p := range each {
		all.IDs += p.IDs
		all.Rate += p.Rate
		all.Ahead = max(all.Ahead, p.Ahead)
		all.Part = min(all.Part, p.Part)
		all.Left = max(all.Left, p.Left)
	}
	return all
}

// merge makes one report of those who have recorded something.
func (r *run) merge() (bench.Report, error) {
	merger := bench.Merger{VerifyMemory: r.Load.VerifyMemory / 2}
	var errs []error
	for _, p := range r.processes {
		if p.last.Kind != recorded {
			continue
		}
		if p.last.Error != nil {
			errs = append(errs, p.failed(p.last.Error))
		}
		if err := merger.Add(p.Stdout); err != nil {
			errs = append(errs, p.failed(err))
		}
	}
	report, err := merger.Report()
	return report, errors.Join(append(errs, err)...)
}

// unlessInterrupted is the error, or says that it was nobody's fault.
func unlessInterrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted: %w", context.Cause(ctx))
	}
	return err
}
