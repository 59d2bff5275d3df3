package uid

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// Epochs outside of these years are typing errors, and would make the
// arithmetic on ticks overflow.
const (
	firstEpoch = -62135596800 // 0001-01-01T00:00:00Z in Unix seconds
	lastEpoch  = 253402300799 // 9999-12-31T23:59:59Z
)

// Validate returns an error that says what is wrong with the layout, in which field, and what
// to do about it; nil when ids can be made with it. It does not read the clock: a layout whose
// time is over is valid, and parses old ids. Errors wrap ErrLayout.
func (l Layout) Validate() error {
	switch {
	case l.Unit < time.Millisecond || l.Unit > 24*time.Hour || l.Unit%time.Millisecond != 0:
		return fmt.Errorf("%w: Unit is %v: set it to whole milliseconds from 1ms to 24h, such as "+
			"time.Second", ErrLayout, l.Unit)
	case l.Epoch.IsZero():
		return fmt.Errorf("%w: Epoch is not set: set it to the day of the first id or some time before",
			ErrLayout)
	case l.Epoch.Unix() < firstEpoch || l.Epoch.Unix() > lastEpoch:
		return fmt.Errorf("%w: Epoch is in the year %d: set it to a time in the years 1 to 9999",
			ErrLayout, l.Epoch.Year())
	case l.Order >= orders:
		return fmt.Errorf("%w: Order is %d: set it to TimeWorkerSequence, TimeSequenceWorker or "+
			"WorkerTimeSequence", ErrLayout, l.Order)
	}
	return l.validateBits()
}

func (l Layout) validateBits() error {
	for _, f := range [...]struct {
		name           string
		bits, min, max int
	}{
		{"TimeBits", l.TimeBits, 1, idBits},
		{"WorkerBits", l.WorkerBits, 0, idBits - 1},
		{"TurnBits", l.TurnBits, 0, 1},
		{"SeqBits", l.SeqBits, 0, idBits - 1},
		{"TailBits", l.TailBits, 0, idBits - 1},
	} {
		if f.bits < f.min || f.bits > f.max {
			return fmt.Errorf("%w: %s is %d: set it to %d to %d", ErrLayout, f.name, f.bits, f.min, f.max)
		}
	}
	if n := l.fields().bits; n > idBits {
		return fmt.Errorf("%w: time %d + worker %d + turn %d + sequence %d + tail %d are %d bits: "+
			"take %d away, an id has %d",
			ErrLayout, l.TimeBits, l.WorkerBits, l.TurnBits, l.SeqBits, l.TailBits, n, n-idBits, idBits)
	}
	if !fits(l.Tail, l.TailBits) {
		return fmt.Errorf("%w: Tail is %d: with TailBits %d set it to 0 to %d", ErrLayout, l.Tail,
			l.TailBits, mask(l.TailBits))
	}
	return nil
}

// Compose makes the id of p's Tick, Worker, Turn and Seq; it ignores p.Time. A value that does
// not fit its field is an error that names the field and wraps ErrRange; it is never
// truncated. The error for an invalid layout wraps ErrLayout.
func (l Layout) Compose(p Parts) (ID, error) {
	if err := l.Validate(); err != nil {
		return 0, err
	}
	for _, f := range [...]struct {
		name  string
		value int64
		bits  int
	}{
		{"tick", p.Tick, l.TimeBits}, {"worker", p.Worker, l.WorkerBits},
		{"turn", p.Turn, l.TurnBits}, {"seq", p.Seq, l.SeqBits},
	} {
		if !fits(f.value, f.bits) {
			return 0, fmt.Errorf("%w: %s is %d: its %d-bit field holds 0 to %d", ErrRange, f.name,
				f.value, f.bits, mask(f.bits))
		}
	}
	f := l.fields()
	return f.compose(p), nil
}

// Parse takes an id apart. An id that this layout cannot have made (negative,
// longer than the layout, with another tail) is an error that wraps ErrForeign.
// The error for an invalid layout wraps ErrLayout.
//
// An id does not say which layout made it: an id of another layout, with the
// same tail or none, parses to nonsense.
func (l Layout) Parse(id ID) (Parts, error) {
	if err := l.Validate(); err != nil {
		return Parts{}, err
	}
	f, v := l.fields(), int64(id)
	switch {
	case v < 0:
		return Parts{}, fmt.Errorf("%w: %d is negative", ErrForeign, v)
	case !fits(v, f.bits):
		return Parts{}, fmt.Errorf("%w: %d has more than the %d bits of %v", ErrForeign, v, f.bits, l)
	case f.tail.of(id) != l.Tail:
		return Parts{}, fmt.Errorf("%w: %d has %d in its lowest %d bits, the layout's Tail is %d",
			ErrForeign, v, f.tail.of(id), l.TailBits, l.Tail)
	}
	tick := f.time.of(id)
	return Parts{Time: l.start(tick), Tick: tick, Worker: f.worker.of(id), Turn: f.turn.of(id),
		Seq: f.seq.of(id)}, nil
}

// MinID returns the smallest id, of any worker, of the tick that holds t: the lower bound
// of a range query. A time before the epoch's tick, or after the layout's end, is an
// error that wraps ErrRange. A layout with the worker id above the time has no such
// bound, and the error wraps errors.ErrUnsupported.
func (l Layout) MinID(t time.Time) (ID, error) { return l.bound(t, Parts{}) }

// MaxID returns the largest id, of any worker, of the tick that holds t: the upper bound,
// itself included, of a range query. Errors are those of MinID.
func (l Layout) MaxID(t time.Time) (ID, error) {
	return l.bound(t, Parts{Worker: l.MaxWorker(), Turn: mask(l.TurnBits), Seq: l.maxSeq()})
}

// bound returns the id of these parts in the tick that holds t, if a tick's ids are in one range.
func (l Layout) bound(t time.Time, p Parts) (ID, error) {
	if err := l.Validate(); err != nil {
		return 0, err
	}
	f, epoch, tick := l.fields(), l.epochTick(), l.unixTick(t)
	switch {
	case tick < epoch:
		return 0, fmt.Errorf("%w: %s is before the layout's epoch, %s", ErrRange, timeString(t),
			timeString(l.Epoch))
	// The difference may need 64 bits, which uint64 has.
	case tick == math.MaxInt64 || uint64(tick)-uint64(epoch) > uint64(l.maxTick()):
		return 0, fmt.Errorf("%w: %s is not before the layout's end, %s", ErrRange, timeString(t),
			timeString(l.End()))
	case !f.byTime():
		return 0, fmt.Errorf("uid: %w: %v has the worker id above the time, so that the ids of a time "+
			"are not in one range: make a range for each worker id with Compose",
			errors.ErrUnsupported, l)
	}
	p.Tick = tick - epoch
	return f.compose(p), nil
}

// End returns the first instant that the layout cannot hold, in UTC; the zero time when
// the layout is not valid. An end more than 292 million years from now is returned as
// about that.
func (l Layout) End() time.Time {
	if l.Validate() != nil {
		return time.Time{}
	}
	return l.start(l.maxTick()).Add(l.Unit)
}
