package uid

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/ringuid/ringuid/internal/epoch"
	"github.com/ringuid/ringuid/worker"
)

// Layout says what the bits of an id mean, from the sign down:
//
//	0 | time | worker | turn | sequence | tail
//
// or another Order of these. The time is a number of ticks. A tick's number is
//
//	floor(time / Unit) - floor(Epoch / Unit)
//
// with both counted from the Unix epoch, so that ticks begin at full seconds,
// minutes, or UTC days, whatever the Epoch is.
//
// A Layout is a value: copy it and change the copy. Its methods check it first, so a
// layout that Validate refuses returns errors and never an id. Compare layouts by String, not by
// ==, which is false for one Epoch in two zones.
type Layout struct {
	// Epoch lies in tick 0, in the years 1 to 9999. Times before that tick have no ids.
	Epoch time.Time

	// Unit is the length of a tick: 1 ms to 24 h, in whole milliseconds.
	Unit time.Duration

	// TimeBits is 1 to 63: ids end 2^TimeBits ticks after the Epoch, see End.
	TimeBits int

	// WorkerBits is 0 to 62. A layout without worker bits has one worker: 0.
	WorkerBits int

	// TurnBits is 0 or 1: a bit that changes when the clock is set back.
	TurnBits int

	// SeqBits is 0 to 62: a worker has 2^SeqBits ids in a tick.
	SeqBits int

	// TailBits is 0 to 62: the lowest bits, which hold Tail in every id.
	TailBits int

	// Tail is the constant in the tail bits: 0 to 2^TailBits-1.
	Tail int64

	// Order is the order of the fields. Zero: TimeWorkerSequence.
	Order Order
}

// DefaultLayout has Baidu's bits, 28 of seconds, 22 of worker id and 13 of sequence,
// counted from 2026-01-01T00:00:00Z: 8192 ids a second for each of 4194304 workers, until
// 2034-07-04T21:24:16Z.
func DefaultLayout() Layout {
	return Layout{
		Epoch: epoch.Default, Unit: time.Second, TimeBits: 28, WorkerBits: 22, SeqBits: 13,
	}
}

// SnowflakeLayout is the one to begin with: Twitter Snowflake's bits, 41 of milliseconds, 10
// of worker id and 12 of sequence, counted from 2026-01-01T00:00:00Z, until
// 2095-09-07T15:47:35.552Z. It holds 4096 ids a millisecond for each of 1024 worker ids, which
// [worker.Leased] recycles. With ticks of a millisecond, the ids of several processes are
// inserted nearly in order, which keeps a database's index dense.
func SnowflakeLayout() Layout {
	return Layout{
		Epoch:      time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC),
		Unit:       time.Millisecond,
		TimeBits:   41,
		WorkerBits: 10,
		SeqBits:    12,
	}
}

// BaiduLayout is the default of Baidu's UidGenerator, for reading its ids: the bits of
// [DefaultLayout], counted from 2016-05-20 at +08:00. Its time ended at
// 2024-11-20T13:24:16Z, and constructors refuse it.
func BaiduLayout() Layout {
	l := DefaultLayout()
	l.Epoch = time.Unix(1463673600, 0).UTC()
	return l
}

// idBits is the number of bits of an int64 without its sign.
const idBits = 63

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

// MaxWorker returns the largest worker id that the layout holds.
func (l Layout) MaxWorker() int64 { return mask(l.WorkerBits) }

// Need returns what the layout requires of its worker ids, for a [worker.Assigner] and
// for [worker.Init].
func (l Layout) Need() worker.Need {
	return worker.Need{Unit: l.Unit, MaxID: l.MaxWorker(), Fingerprint: l.fingerprint()}
}

func (l Layout) maxTick() int64 { return mask(l.TimeBits) }
func (l Layout) maxSeq() int64  { return mask(l.SeqBits) }

// mask returns the largest value of a field of this many bits.
func mask(bits int) int64 {
	if bits <= 0 {
		return 0
	}
	return math.MaxInt64 >> max(idBits-bits, 0)
}

// fits reports whether v is 0 or more and has at most this many bits.
func fits(v int64, bits int) bool { return v >= 0 && v <= mask(bits) }
