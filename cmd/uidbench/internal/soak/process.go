package soak

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"time"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/subprocess"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// A job is what a process is told first.
type job struct {
	Log    string          `json:"log"`              // the file to write ids to
	Behind time.Duration   `json:"behind,omitempty"` // that its clock is set back
	Spec   json.RawMessage `json:"spec"`             // Config.Spec of the supervisor
}

// Open makes of Config.Spec what a process of the soak runs: how it gets a worker
// id, and the settings of its generator.
type Open func(spec json.RawMessage) (worker.Assigner, uid.Config, error)

// Process is one process of a soak. It takes ids until its supervisor ends it, and then
// releases its worker id. It returns an error when it cannot continue.
func Process(ctx context.Context, stdin io.Reader, stdout io.Writer, open Open) error {
	p := process{reporter: reporter{subprocess.Attach(stdin, stdout)}}
	if err := p.Job(&p.job); err != nil {
		return err
	}
	ctx, p.drains = p.Follow(ctx)
	if err := p.run(ctx, open); err != nil {
		p.failed(err)
		return err
	}
	return nil
}

type process struct {
	job
	reporter
	drains <-chan struct{} // signals to take all that is granted
	log    *os.File
	buf    []byte // ids that are not in the log yet
	ready  bool
	worker int64 // the worker id at the start
}

func (p *process) run(ctx context.Context, open Open) (err error) {
	assigner, config, err := open(p.Spec)
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
	p.worker = g.Stats().WorkerID
	err = p.take(ctx, g)
	if failed := g.Close(); failed != nil {
		p.failed(failed) // a store that is gone just now, say: the lease runs out
	}
	return err
}

// generator asks for a worker id until there is one. Nil and no error: ctx ended
// before.
func (p *process) generator(ctx context.Context, a worker.Assigner,
	c uid.Config) (*uid.CachedGenerator, error) {
	const pause = 50 * time.Millisecond
	for said := ""; ; {
		g, err := uid.NewCached(ctx, a, c)
		switch {
		case err == nil:
			return g, nil
		case ctx.Err() != nil:
			return nil, nil
		case permanent(err):
			return nil, err
		case !errors.Is(err, worker.ErrAllHeld) && err.Error() != said: // that one is what is waited for
			said = err.Error()
			p.failed(err)
		}
		wait(ctx, pause)
	}
}

// permanent errors do not go away.
func permanent(err error) bool {
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

// rate is how many ids a process takes in a second, beside all that is granted at once before
// a fault.
const rate = 2000

// take takes ids at that rate until ctx ends, and all that is granted when it is
// told to. What it could not take while it waited, or was paused, it makes up for at once, as
// a server does whose requests queued up meanwhile.
func (p *process) take(ctx context.Context, g *uid.CachedGenerator) error {
	const pace = 2 * time.Millisecond
	begin, taken := time.Now(), int64(0)
	for ctx.Err() == nil {
		select {
		case <-p.drains:
			if err := p.drain(ctx, g); err != nil {
				return err
			}
		default:
		}
		due := int64(time.Since(begin).Seconds()*rate) - taken
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

// drain takes all that is granted, up to ids that lie a whole window ahead of the
// clock: only then is there something that the next holder could mint again.
func (p *process) drain(ctx context.Context, g *uid.CachedGenerator) error {
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
		if len(p.buf) >= most*lineBytes {
			if err := p.flush(); err != nil {
				return err
			}
		}
	}
	defer p.tell(event{Kind: drained})
	return p.flush()
}

func (p *process) takeOne(ctx context.Context, g *uid.CachedGenerator) error {
	id, err := g.GetUIDContext(ctx)
	switch {
	case err == nil:
		p.buf = appendID(p.buf, id)
		return nil
	case ctx.Err() != nil:
		return nil
	case permanent(err):
		return err
	}
	p.failed(err)
	wait(ctx, 10*time.Millisecond)
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
		p.tell(event{Kind: ready, Worker: p.worker})
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
