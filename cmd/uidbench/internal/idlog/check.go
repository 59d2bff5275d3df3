package idlog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/uid"
)

// Config says how Check reads and what it may take.
type Config struct {
	Layout  uid.Layout // of the ids
	Format  Format     // of the lines
	SkipBad bool       // count lines that do not have it, instead of ending there
	Memory  int64      // bytes for sorting
	Temp    string     // folder for what does not fit; "": the system's own

	Now      func() time.Time     // nil: time.Now
	Progress func(bench.Progress) // called about once a second; nil: nobody wants to know
}

var (
	// ErrDuplicate is wrapped by Report.Verdict when an id came twice.
	ErrDuplicate = errors.New("an id came twice")

	// ErrEmpty is wrapped by Check when there is no id to check.
	ErrEmpty = errors.New("there are no ids")
)

// Check reads inputs and compares all their ids. When ctx ends, the error is its cause,
// and the report has what was found until then: the ids that were read are still
// compared, unless comparing had already begun.
//
// Other errors wrap uid.ErrLayout, ErrFormat, ErrLine, ErrTemp or ErrEmpty, or say which
// input cannot be read.
func Check(ctx context.Context, c Config, inputs []Input) (Report, error) {
	if c.Now == nil {
		c.Now = time.Now
	}
	read, err := newReading(c.Layout)
	if err != nil {
		return Report{}, err
	}
	if err := c.Format.Validate(); err != nil {
		return Report{}, err
	}
	k := &check{
		Config: c, reading: read, inputs: inputs, began: time.Now(),
		sorter: NewSorter(c.Memory, c.Temp),
		known:  workers{all: map[int64]*worker{}},
	}
	stop := k.watch()
	err = k.run(ctx)
	stop()
	err = errors.Join(err, k.sorter.Close())
	if err == nil && k.found.IDs == 0 {
		err = fmt.Errorf("%w in %s", ErrEmpty, namesOf(inputs))
	}
	return k.report(ctx), err
}

// check is the state of a Check.
type check struct {
	Config
	reading
	inputs []Input
	starts []int64 // how many lines come before those of an input
	sorter *Sorter
	began  time.Time

	found       Report
	known       workers
	first, last int64 // ticks
	newestNow   int64 // the last that is not ahead of the clock

	// For the progress.
	bytes, ids, compared atomic.Int64
}

// run reads and compares.
func (k *check) run(ctx context.Context) error {
	for i, in := range k.inputs {
		k.starts = append(k.starts, k.found.Lines)
		err := k.read(ctx, i, in)
		if ctx.Err() != nil && (err == nil || errors.Is(err, context.Cause(ctx))) {
			return errors.Join(context.Cause(ctx), k.compare(context.WithoutCancel(ctx)))
		}
		if err != nil {
			return err
		}
	}
	return k.compare(ctx)
}

// read reads an input.
func (k *check) read(ctx context.Context, i int, in Input) error {
	s, err := openStream(ctx, in, &k.bytes)
	if err != nil {
		return err
	}
	defer s.close()
	defer func() { k.ids.Store(k.found.IDs) }()
	f := file{check: k, lines: newLineParser(k.Format), number: i, newestTick: -1, previous: -1}
	for lines, reads := newLines(s), 0; ; {
		line, err := lines.next()
		if s.reads > reads { // which may have taken its time
			reads = s.reads
			k.newestNow = k.newest(k.Now())
			k.ids.Store(k.found.IDs)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil && !errors.Is(err, ErrLine) {
			return k.readError(err)
		}
		k.found.Lines++
		if err == nil {
			err = f.take(line)
		}
		if err != nil {
			if err = k.badLine(err); err != nil {
				return err
			}
		}
	}
}

// readError says where the reading failed.
func (k *check) readError(err error) error {
	i := len(k.starts) - 1
	where := k.inputs[i].Name
	if n := k.found.Lines - k.starts[i]; n > 0 {
		where = fmt.Sprintf("%s, after line %d", where, n)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%s: the compressed data is cut off: %w", where, err)
	}
	return fmt.Errorf("%s: %w", where, err)
}

// badLine makes the line read last an error, or counts it.
func (k *check) badLine(err error) error {
	if errors.Is(err, ErrTemp) {
		return err
	}
	err = fmt.Errorf("%v: %w", k.place(k.found.Lines-1), err)
	if !k.SkipBad || !errors.Is(err, ErrLine) {
		return err
	}
	if k.found.BadLines++; k.found.BadLines == 1 {
		k.found.FirstBad = err.Error()
	}
	return nil
}

// compare finds the ids that came twice: in their order, equal ones are neighbours.
func (k *check) compare(ctx context.Context) error {
	last := Entry{ID: -1}
	n := int64(0)
	err := k.sorter.Each(ctx, func(e Entry) error {
		if e.ID == last.ID {
			k.duplicate(last, e)
		}
		last = e
		if n++; n%lookEvery == 0 {
			k.compared.Store(n)
		}
		return nil
	})
	k.compared.Store(n)
	return err
}

func (k *check) duplicate(one, other Entry) {
	k.found.Duplicates++
	if len(k.found.FirstDuplicates) < Examples {
		k.found.FirstDuplicates = append(k.found.FirstDuplicates, Duplicate{one.ID, [2]Place{k.place(one.At), k.place(other.At)}})
	}
	if _, id, ok := k.parse(one.ID); ok {
		if w := k.known.of(id); w != nil {
			w.duplicates++
		}
	}
}
