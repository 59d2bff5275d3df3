package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"sync"
)

// ErrProcess is wrapped by RunProcesses when a process ended that nobody told to.
var ErrProcess = errors.New("bench: a process failed")

// Processes sets up several processes that take ids at the same time, each from a
// generator with a worker id of its own.
type Processes struct {
	// Number is how many, 1 to 1000.
	Number int

	// Config is what they do, without a Generator. Goroutines is how many each has
	// (zero: its share of GOMAXPROCS, at least one); Count, Rate and VerifyMemory
	// are those of all together.
	Config

	// Command starts a process that calls Process with its stdin and stdout.
	Command func() *exec.Cmd

	// Hello, when set, is what each is told first, before what Process reads.
	Hello []byte
}

const maxProcesses = 1000

// RunProcesses starts the processes, waits until each has its generator, lets them
// all take ids, and reports of them as of one run:
//
//   - Seconds is the load time of the one that had the longest, and IDsPerSecond
//     and NSPerID are all ids and that time
//   - AtomicAddNS is what an add costs when each process adds to a counter of its
//     own and the adds of all count: they share none
//   - Duplicates are also ids that two processes had
//   - Processes has a line for each
//
// Errors are those of Run, and ErrProcess. When a process goes away, the others end
// too, and the report is that of those which could still tell.
func RunProcesses(ctx context.Context, p Processes) (Report, error) {
	p.VerifyMemory = cmp.Or(p.VerifyMemory, defaultVerifyMemory())
	if err := p.validate(); err != nil {
		return Report{}, err
	}
	p.Goroutines = cmp.Or(p.Goroutines, max(runtime.GOMAXPROCS(0)/p.Number, 1))
	r := &processesRun{Processes: p, last: make([]Progress, p.Number)}
	defer r.end()
	for i := range p.Number {
		c, err := startChild(i, p.Command(), p.Hello)
		if err != nil {
			return Report{}, err
		}
		r.children = append(r.children, c)
	}
	stop := context.AfterFunc(ctx, r.recall)
	defer stop()
	if err := r.each((*child).awaitReady); err != nil {
		return Report{}, r.blame(ctx, err)
	}
	r.launch()
	lost := r.each(r.follow)
	total, err := r.sum()
	return total, errors.Join(r.blame(ctx, lost), err)
}

func (p Processes) validate() error {
	switch {
	case p.Number < 1 || p.Number > maxProcesses:
		return fmt.Errorf("%w: %d processes: choose 1 to %d", ErrConfig, p.Number, maxProcesses)
	case p.Count > 0 && p.Count < int64(p.Number):
		return fmt.Errorf("%w: %d ids for %d processes: choose at least one for each", ErrConfig, p.Count, p.Number)
	case p.Generator != nil:
		return fmt.Errorf("%w: a generator for several processes: each makes its own", ErrConfig)
	}
	if err := p.Config.Validate(); err != nil {
		return err
	}
	// Each id is kept twice: where it was taken, and here.
	if least := 2 * (p.Count / pageIDs * pageCost); p.Verify && least > p.VerifyMemory {
		return memoryError(least, p.VerifyMemory)
	}
	return nil
}

// processesRun is the state of a RunProcesses.
type processesRun struct {
	Processes
	children []*child

	mu   sync.Mutex
	last []Progress // of each
}

// each does the same with all children at once, and joins the errors. After the
// first the others are told to end.
func (r *processesRun) each(do func(*child) error) error {
	errs := make([]error, len(r.children))
	var all sync.WaitGroup
	for i, c := range r.children {
		all.Go(func() {
			if errs[i] = do(c); errs[i] != nil {
				r.recall()
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// recall has all processes come to an end.
func (r *processesRun) recall() {
	for _, c := range r.children {
		c.recall()
	}
}

// end leaves no process behind.
func (r *processesRun) end() {
	r.recall()
	for _, c := range r.children {
		c.wait()
	}
}

// launch lets all go.
func (r *processesRun) launch() {
	for i, c := range r.children {
		c.send(r.share(i))
	}
}

// share is what process i is to do of what is meant for all.
func (p Processes) share(i int) orders {
	n := int64(p.Number)
	o := orders{Config: p.Config, Place: place{i, p.Number}}
	o.Rate /= float64(n)
	o.Count = p.Count / n
	if int64(i) < p.Count%n {
		o.Count++
	}
	o.VerifyMemory = max(o.VerifyMemory/(2*n), 1) // the other half is for the ids of all
	return o
}

// follow listens to a child until it has reported.
func (r *processesRun) follow(c *child) error {
	return c.await(reported, func(p Progress) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.last[c.number] = p
		if c.number == 0 && r.Progress != nil { // as often as one process tells
			r.Progress(overall(r.last))
		}
	})
}

// overall is the progress of all, as far as the slowest has come.
func overall(each []Progress) (all Progress) {
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

// blame says that it was not the processes' fault where it was not, and is nil where
// nothing was wrong.
func (r *processesRun) blame(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("bench: interrupted: %w", context.Cause(ctx))
	}
	return err
}
