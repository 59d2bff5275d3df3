package idlog

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/internal/idset"
	"github.com/ringuid/ringuid/uid"
)

// Config says how Check reads and what it may take.
type Config struct {
	Layout  uid.Layout // of the ids
	Format  Format     // of the lines
	SkipBad bool       // count lines that do not have it, instead of ending there
	Memory  int64      // bytes to keep ids in

	Now      func() time.Time     // nil: time.Now
	Progress func(bench.Progress) // called about once a second; nil: nobody wants to know
}

var (
	// ErrDuplicate is wrapped by Report.Verdict when an id came twice.
	ErrDuplicate = errors.New("an id came twice")

	// ErrEmpty is wrapped by Check when there is no id to check.
	ErrEmpty = errors.New("there are no ids")

	// ErrMemory is wrapped by Check when ids do not fit in Config.Memory.
	ErrMemory = errors.New("too many ids")
)

// Check reads inputs and compares all their ids. The error wraps uid.ErrLayout, ErrFormat,
// ErrLine or ErrEmpty, or says which input cannot be read. When it wraps ErrMemory or is
// ctx's cause, the report, which is Interrupted then, has what was found until then.
func Check(ctx context.Context, c Config, inputs []Input) (Report, error) {
	if c.Now == nil {
		c.Now = time.Now
	}
	if err := errors.Join(c.Layout.Validate(), c.Format.Validate()); err != nil {
		return Report{}, err
	}
	k := &check{
		Config: c, inputs: inputs, set: idset.New(c.Layout), began: time.Now(), now: c.Now(),
		workers: map[int64]*worker{},
	}
	err := k.readAll(ctx)
	switch {
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case err == nil && k.found.IDs == 0:
		err = fmt.Errorf("%w in %s", ErrEmpty, namesOf(inputs))
	case err == nil || errors.Is(err, ErrMemory):
		k.findFirstPlaces(ctx)
	}
	r := k.report()
	r.Interrupted = ctx.Err() != nil || errors.Is(err, ErrMemory)
	return r, err
}

// check is the state of a Check.
type check struct {
	Config
	inputs []Input
	set    *idset.Set

	began, looked time.Time // looked is when progress was told of last
	had           int64     // ids, then
	now           time.Time // not long ago
	bytes         atomic.Int64

	found       Report
	first, last uid.Parts // of the least and the largest tick
	workers     map[int64]*worker

	// Of the input that is being read.
	parser   *parser
	place    Place // the line
	number   int
	previous uid.ID
}

func (k *check) readAll(ctx context.Context) error {
	for i, in := range k.inputs {
		k.parser, k.place, k.number, k.previous = newParser(k.Format), Place{File: in.Name}, i, -1
		if err := in.eachLine(ctx, &k.bytes, k.line); err != nil {
			return err
		}
	}
	return nil
}

func (k *check) line(line []byte) error {
	k.found.Lines++
	k.place.Line++
	k.tell()
	id, ok, err := k.parser.parse(line)
	if err != nil {
		err = fmt.Errorf("%v: %w", k.place, err)
		if !k.SkipBad || !errors.Is(err, ErrLine) {
			return err
		}
		if k.found.BadLines++; k.found.BadLines == 1 {
			k.found.FirstBad = err.Error()
		}
		return nil
	}
	if !ok {
		return nil
	}
	again := k.set.Add(id)
	k.count(id, again)
	if again {
		k.duplicate(id)
	}
	if need := k.set.Bytes(); need > k.Memory {
		return fmt.Errorf("%w: the %s until %v take more than the %s of memory allowed",
			ErrMemory, humanize.Comma(k.found.IDs), k.place, humanize.IBytes(uint64(k.Memory)))
	}
	return nil
}

// count takes in an id.
func (k *check) count(id uid.ID, again bool) {
	k.found.IDs++
	if id <= k.previous {
		k.found.OutOfOrder++
	}
	k.previous = id
	p, err := k.Layout.Parse(id)
	if err != nil {
		if k.found.Foreign++; k.found.Foreign == 1 {
			k.found.FirstForeign = fmt.Sprintf("%v: %v", k.place, err)
		}
		return
	}
	if p.Time.After(k.now) {
		if k.now = k.Now(); p.Time.After(k.now) {
			k.found.AheadOfNow++
		}
	}
	none := k.found.IDs-k.found.Foreign == 1
	if none || p.Tick < k.first.Tick {
		k.first = p
	}
	if none || p.Tick > k.last.Tick {
		k.last = p
	}
	w := k.worker(p.Worker)
	if w == nil {
		k.found.OfOtherWorkers++
		return
	}
	if !w.add(id, p, k.number) {
		k.found.OutOfOrderOfWorker++
	}
	if again {
		w.Duplicates++
	}
}

func (k *check) duplicate(id uid.ID) {
	k.found.Duplicates++
	if len(k.found.FirstDuplicates) < Examples {
		k.found.FirstDuplicates = append(k.found.FirstDuplicates, Duplicate{id, []Place{k.place}})
	}
}

var errFound = errors.New("all were found")

// findFirstPlaces reads inputs once more, for where the duplicates to be named were first.
// An input that cannot be read now, or again, leaves that open.
func (k *check) findFirstPlaces(ctx context.Context) {
	wanted := map[uid.ID][]*Duplicate{} // an id that came three times is there twice
	for i := range k.found.FirstDuplicates {
		d := &k.found.FirstDuplicates[i]
		wanted[d.ID] = append(wanted[d.ID], d)
	}
	for _, in := range k.inputs {
		if in.Once || len(wanted) == 0 {
			continue
		}
		lines, at := newParser(k.Format), Place{File: in.Name}
		_ = in.eachLine(ctx, new(atomic.Int64), func(line []byte) error {
			at.Line++
			id, ok, _ := lines.parse(line)
			if !ok {
				return nil
			}
			for _, d := range wanted[id] {
				if at != d.Places[0] { // else it was first in an input that cannot be read again
					d.Places = []Place{at, d.Places[0]}
				}
			}
			if delete(wanted, id); len(wanted) == 0 {
				return errFound
			}
			return nil
		})
	}
}

// tell tells of the progress, about once a second. The Part is 0 when it is not known.
func (k *check) tell() {
	const lookEvery = 1 << 12
	if k.found.Lines%lookEvery != 0 || k.Progress == nil {
		return
	}
	now := time.Now()
	since := now.Sub(k.looked)
	if k.looked.IsZero() {
		since = now.Sub(k.began)
	}
	if since < time.Second {
		return
	}
	p := bench.Progress{IDs: k.found.IDs, Rate: float64(k.found.IDs-k.had) / since.Seconds()}
	if total := k.size(); total > 0 {
		p.Part = min(float64(k.bytes.Load())/float64(total), 1)
		p.Left = time.Duration(float64(now.Sub(k.began)) * (1 - p.Part) / p.Part)
	}
	k.Progress(p)
	k.looked, k.had = now, k.found.IDs
}

// size is that of all inputs, or 0.
func (k *check) size() (total int64) {
	for _, in := range k.inputs {
		if in.Size == 0 {
			return 0
		}
		total += in.Size
	}
	return total
}
