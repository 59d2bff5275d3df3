package soak

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/ringuid/ringuid/bench"
)

// Run lets processes share worker ids under faults until the time is over or ctx
// ends, and then checks every id that they took. The report holds whatever was
// found, also when there is an error: it wraps ErrDuplicate, ErrOrder or
// ErrProcess, or ctx's cause. Nothing was run when it wraps ErrConfig.
//
// No process outlives Run.
func Run(ctx context.Context, c Config) (Report, error) {
	if err := c.Validate(); err != nil {
		return Report{}, err
	}
	spec, err := json.Marshal(c.Spec)
	if err != nil {
		return Report{}, fmt.Errorf("%w: its Spec: %w", ErrConfig, err)
	}
	s := &soak{Config: c, job: job{Spec: spec}, slots: make([]*instance, c.Processes),
		lives: map[string]int{}}
	stop, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	s.fail = fail

	err = s.supervise(stop)
	end := time.Now()
	err = errors.Join(err, s.finish())
	return s.report(ctx, end, err)
}

// soak is the state of a Run. Its methods are for the goroutine of Run alone.
type soak struct {
	Config
	job  job
	fail context.CancelCauseFunc // ends the soak early; the first cause counts

	slots []*instance // the processes that live, or lived last
	lives map[string]int
	begin time.Time // when all processes took ids

	mu  sync.Mutex
	all []*instance

	faults struct{ kills, pauses, outages, clocks int64 }
}

// patience is how long a process may take that nothing is in the way of: to its
// first id, to one more, to its end. It is no measurement: a soak that hits it has
// found something.
const patience = time.Minute

// supervise starts the processes, and does the faults to them until the time is over.
func (s *soak) supervise(ctx context.Context) error {
	began := time.Now()
	for i := range s.slots {
		if err := s.start(i, 0); err != nil {
			return err
		}
	}
	for _, c := range s.slots {
		if err := s.await(ctx, c); err != nil {
			return err
		}
	}
	s.begin = time.Now()
	defer s.watch(began)()

	over, cancel := context.WithTimeout(ctx, s.Duration)
	defer cancel()
	if err := s.injectFaults(ctx, over); err != nil {
		return err
	}
	<-over.Done()
	return context.Cause(ctx)
}

// start starts the next life of a process.
func (s *soak) start(i int, behind time.Duration) error {
	c, err := s.launch(fmt.Sprintf("process-%d", i), behind)
	if err == nil {
		s.slots[i] = c
	}
	return err
}

func (s *soak) launch(who string, behind time.Duration) (*instance, error) {
	s.lives[who]++
	j := s.job
	j.Behind = behind
	c, err := launch(s.Command(), s.Dir, fmt.Sprintf("%s.%d", who, s.lives[who]), j)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.all = append(s.all, c)
	s.mu.Unlock()
	go func() {
		<-c.done
		if !c.expected.Load() {
			s.fail(fmt.Errorf("%w: %s ended by itself (%v): %s", ErrProcess, c.name, c.err,
				c.lastErrorText()))
		}
	}()
	return c, nil
}

// await waits until a process has taken an id.
func (s *soak) await(ctx context.Context, c *instance) error {
	t := time.NewTimer(patience + s.TTL)
	defer t.Stop()
	select {
	case <-c.ready:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return fmt.Errorf("%w: %s has not got an id for %v: %s", ErrProcess, c.name, patience+s.TTL,
			c.lastErrorText())
	}
}

// recovered waits until every process has taken an id more.
func (s *soak) recovered(ctx context.Context) error {
	const poll = 20 * time.Millisecond
	begin := time.Now()
	for _, c := range s.slots {
		for had := c.ids(); c.ids() <= had; wait(ctx, poll) {
			switch {
			case ctx.Err() != nil:
				return context.Cause(ctx)
			case time.Since(begin) > patience:
				return fmt.Errorf("%w: %s takes no ids, and nothing has been in its way for %v: %s", ErrProcess,
					c.name, patience, c.lastErrorText())
			}
		}
	}
	return nil
}

// finish ends all processes, at the same time.
func (s *soak) finish() error {
	var (
		ending sync.WaitGroup
		errs   = make([]error, len(s.all))
	)
	for i, c := range s.all {
		ending.Go(func() { errs[i] = c.finish(patience) })
	}
	ending.Wait()
	return errors.Join(errs...)
}

// ids is how many ids are in all logs.
func (s *soak) ids() (n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.all {
		n += c.ids()
	}
	return n
}

// watch calls Progress until it is stopped.
func (s *soak) watch(began time.Time) (stop func()) {
	if s.Progress == nil {
		return func() {}
	}
	var watching sync.WaitGroup
	quit := make(chan struct{})
	watching.Go(func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		had, at := int64(0), began
		for {
			select {
			case <-quit:
				return
			case <-tick.C:
			}
			now, ids := time.Now(), s.ids()
			gone := now.Sub(s.begin)
			s.Progress(bench.Progress{
				IDs:  ids,
				Rate: float64(ids-had) / now.Sub(at).Seconds(),
				Part: min(float64(gone)/float64(s.Duration), 1),
				Left: max(s.Duration-gone, 0),
			})
			had, at = ids, now
		}
	})
	return func() {
		close(quit)
		watching.Wait()
	}
}
