package soak

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// A Job is what a process is told on the first line of its stdin.
type Job struct {
	Log    string          `json:"log"`              // the file to write ids to
	Rate   float64         `json:"rate"`             // ids a second, surges not counted
	Behind time.Duration   `json:"behind,omitempty"` // that its clock is set back
	Spec   json.RawMessage `json:"spec"`             // Config.Spec of the supervisor
}

// Open makes of a Job's Spec what a process of the soak runs: how it gets a worker
// id, and the settings of its generator. Every store goes through watch, which
// returns one that is watched.
type Open func(spec json.RawMessage, watch func(worker.Store) worker.Store) (worker.Assigner, uid.Config, error)

// Process is one process of a soak. It takes ids until stdin ends, and then gives
// its worker id back; each further line on stdin asks for a surge. It returns an
// error when it cannot go on.
func Process(ctx context.Context, stdin io.Reader, stdout io.Writer, open Open) error {
	in := bufio.NewReader(stdin)
	line, err := in.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("soak: reading the job: %w", err)
	}
	var p process
	if err := json.Unmarshal(line, &p.Job); err != nil {
		return fmt.Errorf("soak: reading the job: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p.teller = &teller{out: stdout}
	p.surges = make(chan struct{}, 1)
	go func() {
		defer cancel()
		for lines := bufio.NewScanner(in); lines.Scan(); {
			select {
			case p.surges <- struct{}{}:
			default: // one is due
			}
		}
	}()
	if err := p.run(ctx, open); err != nil {
		p.trouble(err)
		return err
	}
	return nil
}

type process struct {
	Job
	*teller
	surges chan struct{} // that were asked for
	log    *os.File
	buf    []byte // ids that are not in the log yet
	ready  bool
}

func (p *process) run(ctx context.Context, open Open) (err error) {
	assigner, config, err := open(p.Spec, func(s worker.Store) worker.Store {
		return &witness{Store: s, teller: p.teller}
	})
	if err != nil {
		return err
	}
	if p.Behind > 0 {
		config.Now = func() time.Time { return time.Now().Add(-p.Behind) }
	}
	if p.log, err = os.OpenFile(p.Log, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.log.Close()) }()
	g, err := p.generator(ctx, assigner, config)
	if g == nil {
		return err
	}
	err = p.take(ctx, g)
	if failed := g.Close(); failed != nil {
		p.trouble(failed) // a store that is gone just now, say: the lease runs out
	}
	return err
}

// generator asks for a worker id until there is one. Nil and no error: ctx ended
// before.
func (p *process) generator(ctx context.Context, a worker.Assigner, c uid.Config) (*uid.CachedGenerator, error) {
	const pause = 50 * time.Millisecond
	for said := ""; ; {
		g, err := uid.NewCached(ctx, a, c)
		switch {
		case err == nil:
			return g, nil
		case ctx.Err() != nil:
			return nil, nil
		case hopeless(err):
			return nil, err
		case !errors.Is(err, worker.ErrAllHeld) && err.Error() != said: // that one is what is waited for
			said = err.Error()
			p.trouble(err)
		}
		wait(ctx, pause)
	}
}

// hopeless errors do not go away.
func hopeless(err error) bool {
	for _, sentinel := range []error{
		worker.ErrNoNamespace, worker.ErrNamespace, worker.ErrRange, worker.ErrClaim,
		uid.ErrLayout, uid.ErrConfig, uid.ErrTimeOver, uid.ErrWorkerID, uid.ErrClosed,
	} {
		if errors.Is(err, sentinel) {
			return true
		}
	}
	return false
}

// most is how many ids are taken between two writes to the log.
const most = 512

// take takes ids at the job's rate until ctx ends, and in surges when it is told to.
// What it could not take while it waited, or was paused, it makes up for at once, as
// a server does whose requests queued up meanwhile.
func (p *process) take(ctx context.Context, g *uid.CachedGenerator) error {
	const pace = 2 * time.Millisecond
	begin, taken := time.Now(), int64(0)
	for ctx.Err() == nil {
		select {
		case <-p.surges:
			if err := p.surge(ctx, g); err != nil {
				return err
			}
		default:
		}
		due := int64(time.Since(begin).Seconds()*p.Rate) - taken
		for range min(max(due, 0), most) {
			if err := p.takeOne(ctx, g); err != nil {
				return errors.Join(err, p.flush())
			}
			taken++
		}
		if err := p.flush(); err != nil {
			return err
		}
		if due <= most {
			wait(ctx, pace)
		}
	}
	return nil
}

// surge takes all that is granted, up to ids that lie a whole window ahead of the
// clock: only then is there something that the next holder could mint again.
func (p *process) surge(ctx context.Context, g *uid.CachedGenerator) error {
	const longest, moment, moments = 100_000, 2 * time.Millisecond, 5
	ended, cancel := context.WithCancel(ctx)
	cancel() // a take shall not wait
	for n, empty := 0, 0; n < longest && empty < moments && ctx.Err() == nil; {
		id, err := g.GetUIDContext(ended)
		if err != nil {
			empty++ // or the ring is about to be filled
			wait(ctx, moment)
			continue
		}
		n, empty = n+1, 0
		p.buf = appendID(p.buf, id)
		if len(p.buf) >= most*idBytes {
			if err := p.flush(); err != nil {
				return err
			}
		}
	}
	defer p.tell(Event{Kind: Surged})
	return p.flush()
}

// leastGap is the shortest wait that is worth an event.
const leastGap = 10 * time.Millisecond

func (p *process) takeOne(ctx context.Context, g *uid.CachedGenerator) error {
	from := time.Now()
	id, err := g.GetUIDContext(ctx)
	if to := time.Now(); to.Sub(from) >= leastGap {
		p.tell(Event{Kind: Gap, From: from.UnixNano(), To: to.UnixNano()})
	}
	switch {
	case err == nil:
		p.buf = appendID(p.buf, id)
		return nil
	case ctx.Err() != nil:
		return nil
	case hopeless(err):
		return err
	}
	p.trouble(err)
	wait(ctx, leastGap)
	return nil
}

// flush writes what was taken to the log: the operating system has it then, and a
// killed process loses nothing.
func (p *process) flush() error {
	if len(p.buf) == 0 {
		return nil
	}
	if _, err := p.log.Write(p.buf); err != nil {
		return err
	}
	p.buf = p.buf[:0]
	if !p.ready {
		p.ready = true
		p.tell(Event{Kind: Ready})
	}
	return nil
}

// wait waits a while, or until ctx ends.
func wait(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
