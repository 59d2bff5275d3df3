package uid

import (
	"math"
	"time"

	"github.com/ringuid/ringuid/internal/epoch"
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

// MaxWorker returns the largest worker id that the layout holds.
func (l Layout) MaxWorker() int64 { return mask(l.WorkerBits) }

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

// Order is the order of a layout's fields, from the sign down. In every order the tail is the
// lowest, and the turn bit lies above the sequence.
type Order uint8

const (
	// TimeWorkerSequence is Snowflake's: ids sort by time, and those of one tick by
	// worker.
	TimeWorkerSequence Order = iota

	// TimeSequenceWorker is Sonyflake's: ids sort by time, and those of one tick by
	// their number within it, so that workers take turns.
	TimeSequenceWorker

	// WorkerTimeSequence is Seata's: ids sort by worker, and only those of one worker by time.
	// Each worker fills its own pages, at one place in a database's index. The ids of a time are
	// not in one range, so MinID and MaxID return an error, and the ids of a worker id that a
	// generator acquires after it lost one may be smaller.
	WorkerTimeSequence

	orders // how many there are
)

// letters are the first letters of the fields' names, from the sign down; s is the turn and
// the sequence, side by side. All that depends on the order uses them. An Order that is not
// valid has those of one that is.
func (o Order) letters() string {
	return [...]string{"tws", "tsw", "wts"}[o%orders]
}
