package preset

import (
	"cmp"
	"fmt"
	"time"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/uid"
)

// Yitter has the options of yitter/IdGenerator, a Snowflake that drifts into the future
// when a tick is full. Zero fields mean the original's default. The worker id, with the
// data centre in front of it, comes from the worker.Assigner.
type Yitter struct {
	// Method is 1, drift and turn back, or 2, the classic Snowflake: it waits
	// when a tick is full and refuses a clock set back. Zero: 1.
	Method int

	// BaseTime is the epoch. Zero: that of the C# version, 2020-02-20T02:20:02.020Z. The Go,
	// Java, C, Python and PHP versions have time.UnixMilli(1582136402000), eight hours before.
	BaseTime time.Time

	// Unit is the length of a tick: time.Millisecond, or time.Second (C# alone).
	// Zero: a millisecond.
	Unit time.Duration

	// DatacenterBits, 0 to 15 (C# alone), and WorkerBits, 1 to 15, make up the
	// worker field together: worker.Split{DatacenterBits, WorkerBits} joins the
	// two. Zero: no datacenter, 6 bits of worker.
	DatacenterBits, WorkerBits int

	// SeqBits is 3 to 21. Zero: 6. All three fields have at most 22 bits together, 31
	// with a Unit of a second; the time has the rest of 63 bits.
	SeqBits int

	// MinSeq is the first number of a tick, 5 or more: 1 to 4 are for a clock
	// that is set back, 0 is for uid.Layout.Compose. Zero: 5.
	MinSeq int64

	// MaxSeq is the last number of a tick, MinSeq to 2^SeqBits-1. Zero: that.
	MaxSeq int64

	// TopOverCost is how many ticks may be borrowed in a row, 1 to 10000, or -1 for none.
	// Zero: 2000, but none with a Unit of a second or with Method 2.
	TopOverCost int64
}

// The epochs of Yitter's versions, in Unix milliseconds.
const (
	yitterCSharpEpoch = 1582165202020
	yitterGoEpoch     = 1582136402000
)

// Config returns the layout and the policies of Yitter's IdGenerator. Errors wrap
// [uid.ErrConfig] and name the option and its range, or [uid.ErrLayout]. A BaseTime
// that is still ahead is refused by the constructors.
//
// This differs where the original is wrong: the fifth step back over the same time is
// refused, where Yitter uses the numbers of the first again and repeats ids; a worker id
// keeps all of its bits, where the Go version truncates it; the data centre lies above
// the worker, where C# shifts it too little; a sequence never overflows into the worker;
// Method 2 refuses a clock set back, where Go prints a line and repeats ids. Ticks of a
// second begin at full seconds, 20 ms before those of C#. As in the original, a clock
// that goes back during a drift is waited out.
func (o Yitter) Config() (uid.Config, error) {
	if err := o.validate(); err != nil {
		return uid.Config{}, err
	}
	o = o.withDefaults()
	if err := o.validateSums(); err != nil {
		return uid.Config{}, err
	}
	c := like(uid.Layout{
		Epoch:      o.BaseTime.UTC(),
		Unit:       o.Unit,
		TimeBits:   idBits - o.DatacenterBits - o.WorkerBits - o.SeqBits,
		WorkerBits: o.DatacenterBits + o.WorkerBits,
		SeqBits:    o.SeqBits,
	}, policy.Reserved{First: 1, Last: 4}, policy.BorrowAhead(o.TopOverCost))
	if o.Method == 2 {
		c.ClockBack, c.TickFull = policy.Refuse, policy.WaitNext
	}
	c.MinSeq, c.MaxSeq = o.MinSeq, o.MaxSeq
	return c, c.Layout.Validate()
}

// validate looks at each option by itself.
func (o Yitter) validate() error {
	switch {
	case o.Unit != 0 && o.Unit != time.Millisecond && o.Unit != time.Second:
		return fmt.Errorf("%w: Yitter's Unit is %v: set it to time.Millisecond or time.Second",
			uid.ErrConfig, o.Unit)
	case 0 < o.TopOverCost && o.TopOverCost <= 10_000 && (o.Unit == time.Second || o.Method == 2):
		return fmt.Errorf("%w: Yitter's TopOverCost is %d: leave it 0, ticks of a second and "+
			"Method 2 do not drift", uid.ErrConfig, o.TopOverCost)
	}
	return check("Yitter", "",
		option{"Method", int64(o.Method), 0, 2},
		option{"DatacenterBits", int64(o.DatacenterBits), 0, 15},
		option{"WorkerBits", int64(cmp.Or(o.WorkerBits, 1)), 1, 15},
		option{"SeqBits", int64(cmp.Or(o.SeqBits, 3)), 3, 21},
		option{"TopOverCost", o.TopOverCost, -1, 10_000},
	)
}

// validateSums looks at what the options, with their defaults, are together.
func (o Yitter) validateSums() error {
	limit := 22
	if o.Unit == time.Second {
		limit = 31
	}
	bits, last := o.DatacenterBits+o.WorkerBits+o.SeqBits, largest(o.SeqBits)
	return check("Yitter", fmt.Sprintf("with ticks of %v and SeqBits %d ", o.Unit, o.SeqBits),
		option{"DatacenterBits + WorkerBits + SeqBits", int64(bits), 4, int64(limit)},
		option{"MinSeq", o.MinSeq, 5, last},
		option{"MaxSeq", o.MaxSeq, o.MinSeq, last},
	)
}

func (o Yitter) withDefaults() Yitter {
	o.Method = cmp.Or(o.Method, 1)
	o.Unit = cmp.Or(o.Unit, time.Millisecond)
	o.WorkerBits = cmp.Or(o.WorkerBits, 6)
	o.SeqBits = cmp.Or(o.SeqBits, 6)
	o.MinSeq = cmp.Or(o.MinSeq, 5)
	o.MaxSeq = cmp.Or(o.MaxSeq, largest(o.SeqBits))
	if o.BaseTime.IsZero() {
		o.BaseTime = time.UnixMilli(yitterCSharpEpoch)
	}
	switch {
	case o.TopOverCost < 0 || o.Unit == time.Second:
		o.TopOverCost = 0
	case o.TopOverCost == 0:
		o.TopOverCost = 2000
	}
	return o
}
