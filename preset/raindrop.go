package preset

import (
	"cmp"
	"fmt"
	"time"

	"github.com/ringuid/ringuid/internal/machine"
	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// Raindrop has the options of treeyh/raindrop. Zero fields mean the default that raindrop
// documents. The range of worker ids that one data centre may use is set with First and
// Last of the [worker.Claim].
type Raindrop struct {
	// Unit is the length of a tick: a millisecond, a second, a minute, an hour or
	// 24 hours. Zero: a second.
	Unit time.Duration

	// TimeBits is 41 to 55 in milliseconds, 31 to 55 in seconds, 25 to 50 in
	// minutes, 19 to 45 in hours, 15 to 40 in days. Zero: 41, 33, 27, 21, 17.
	// 50 in milliseconds, and 40 in seconds, keep ids below 2^53, exact in
	// JavaScript, for more than 34 years.
	TimeBits int

	// WorkerBits is 3 to 10. Zero: 4. The sequence has the rest of 62 bits, at least one.
	WorkerBits int

	// Turn is the value of the turn bit until the clock is set back: 0 or 1.
	Turn int64

	// TailBits is 0 to 5: the lowest bits, which hold Tail in every id, 0 to
	// 2^TailBits-1. Raindrop calls them end bits.
	TailBits int
	Tail     int64

	// Start is the epoch. Zero: 2023-01-01T00:00:00Z.
	Start time.Time

	// Port is that of the service, a part of the code by which raindrop identifies the
	// holder of a worker id.
	Port int

	// PriorityEqualCodeWorkID prefers the worker id that was last held with this
	// process's code, which is made of address, port, unit and hardware address. As in
	// raindrop, ticks of a minute and longer ignore it.
	PriorityEqualCodeWorkID bool
}

// timeBits are the least, the most and the usual number of time bits with this unit; zero
// with one that raindrop does not have.
func (o Raindrop) timeBits() (least, most, usual int64) {
	switch o.Unit {
	case time.Millisecond:
		return 41, 55, 41
	case time.Second:
		return 31, 55, 33
	case time.Minute:
		return 25, 50, 27
	case time.Hour:
		return 19, 45, 21
	case 24 * time.Hour:
		return 15, 40, 17
	}
	return 0, 0, 0
}

// Config returns the layout and the policies of raindrop. Errors wrap
// [uid.ErrConfig] and name the option and its range, or [uid.ErrLayout]. A Start
// that is still ahead is refused by the constructors.
//
// When the clock is set back the turn bit flips. A second step back over the same time is
// refused, where raindrop repeats ids. As in raindrop, a full tick of a millisecond or a
// second is waited out, and a longer one is an error; but nothing spins. Raindrop reads a
// clock that lags by up to one interval of its ticker; this does not. Raindrop does not
// notice the end of its time, makes negative ids for a negative tail or a start in year
// 1, and panics on some options: here these are errors.
func (o Raindrop) Config() (uid.Config, error) {
	o = o.withDefaults()
	if err := o.validate(); err != nil {
		return uid.Config{}, err
	}
	c := like(uid.Layout{
		Epoch:      o.Start.UTC(),
		Unit:       o.Unit,
		TimeBits:   o.TimeBits,
		WorkerBits: o.WorkerBits,
		TurnBits:   1,
		SeqBits:    idBits - 1 - o.TimeBits - o.WorkerBits - o.TailBits,
		TailBits:   o.TailBits,
		Tail:       o.Tail,
	}, policy.Turn, policy.WaitNext)
	c.Turn = o.Turn
	if o.Unit >= time.Minute {
		c.TickFull = policy.FailNow
	}
	return c, c.Layout.Validate()
}

// Claim chooses as raindrop does: the row that was renewed longest ago, at least two
// minutes ago; with ticks of a minute three minutes, of an hour an hour and two minutes,
// of a day a day and two minutes. Raindrop takes the row with its own code even from a
// live process; this does not.
func (o Raindrop) Claim(c worker.Claim) worker.Claim {
	o = o.withDefaults()
	c.Owner = fmt.Sprintf("%s#%d#%v#%s", machine.This.Host(), o.Port, o.Unit, machine.Hardware())
	c.Order, c.TTL = worker.OldestHeartbeat, 2*time.Minute
	switch {
	case o.Unit >= time.Minute:
		c.TTL += o.Unit
	case o.PriorityEqualCodeWorkID:
		c.Order = worker.OwnerOrOldest
	}
	return c
}

func (o Raindrop) withDefaults() Raindrop {
	o.Unit = cmp.Or(o.Unit, time.Second)
	o.WorkerBits = cmp.Or(o.WorkerBits, 4)
	if o.Start.IsZero() {
		o.Start = time.Date(2023, time.January, 1, 0, 0, 0, 0, time.UTC)
	}
	_, _, usual := o.timeBits()
	o.TimeBits = cmp.Or(o.TimeBits, int(usual))
	return o
}

func (o Raindrop) validate() error {
	least, most, _ := o.timeBits()
	if most == 0 {
		return fmt.Errorf("%w: raindrop's Unit is %v: set it to 1ms, 1s, 1m, 1h or 24h",
			uid.ErrConfig, o.Unit)
	}
	return check("raindrop", fmt.Sprintf("with ticks of %v ", o.Unit),
		option{"TimeBits", int64(o.TimeBits), least, most},
		option{"WorkerBits", int64(o.WorkerBits), 3, 10},
		option{"Turn", o.Turn, 0, 1},
		option{"TailBits", int64(o.TailBits), 0, 5},
		option{"Tail", o.Tail, 0, largest(min(max(o.TailBits, 0), 5))},
		// One of the bits is for the turn, and one at least for the sequence.
		option{"TimeBits + WorkerBits + TailBits", int64(o.TimeBits + o.WorkerBits + o.TailBits), 18,
			idBits - 2},
	)
}
