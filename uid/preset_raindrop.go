package uid

import (
	"cmp"
	"fmt"
	"time"

	"github.com/ringuid/ringuid/policy"
)

// RaindropOptions are those of raindrop's ids. Zero fields mean the default that
// raindrop documents. The worker id, and the range of worker ids that one
// datacenter may use, are the worker.Assigner's.
type RaindropOptions struct {
	// Unit is the length of a tick: a millisecond, a second, a minute, an hour or
	// 24 hours. Zero: a second.
	Unit time.Duration

	// TimeBits is 41 to 55 in milliseconds, 31 to 55 in seconds, 25 to 50 in
	// minutes, 19 to 45 in hours, 15 to 40 in days. Zero: 41, 33, 27, 21, 17.
	// 50 in milliseconds, and 40 in seconds, keep ids below 2^53, exact in
	// JavaScript, for more than 34 years.
	TimeBits int

	// WorkerBits is 3 to 10. Zero: 4. The sequence has what is left of 62 bits,
	// at least one.
	WorkerBits int

	// Turn is the value of the turn bit until the clock is set back: 0 or 1.
	Turn int64

	// TailBits is 0 to 5: the lowest bits, which hold Tail in every id, 0 to
	// 2^TailBits-1. Raindrop calls them end bits.
	TailBits int
	Tail     int64

	// Start is the epoch. Zero: 2023-01-01T00:00:00Z.
	Start time.Time
}

// raindropUnit is a unit with the range of its time bits.
type raindropUnit struct {
	unit              time.Duration
	least, most, take int
}

func raindropUnits() []raindropUnit {
	return []raindropUnit{
		{time.Millisecond, 41, 55, 41},
		{time.Second, 31, 55, 33},
		{time.Minute, 25, 50, 27},
		{time.Hour, 19, 45, 21},
		{24 * time.Hour, 15, 40, 17},
	}
}

// Raindrop returns the layout and the policies of raindrop. Errors wrap ErrConfig
// and name the option and its range, or ErrLayout. A Start that is still ahead is
// refused by the constructors.
//
// When the clock is set back the turn bit flips. A second step back over the
// same time is refused, where raindrop repeats ids. A full tick is waited for in
// milliseconds and seconds and an error in longer units, as there, but nobody
// spins. Raindrop reads a clock that lags by up to a tick of its ticker, this one
// does not; raindrop has no end to its time, negative ids for a negative tail
// and a start of year 1, and panics on some options: here these are errors.
func Raindrop(o RaindropOptions) (Config, error) {
	o = o.withDefaults()
	if err := o.validate(); err != nil {
		return Config{}, err
	}
	c := o.config()
	return c, c.Layout.Validate()
}

func (o RaindropOptions) withDefaults() RaindropOptions {
	o.Unit = cmp.Or(o.Unit, time.Second)
	o.WorkerBits = cmp.Or(o.WorkerBits, 4)
	if o.Start.IsZero() {
		o.Start = time.Date(2023, time.January, 1, 0, 0, 0, 0, time.UTC)
	}
	for _, u := range raindropUnits() {
		if u.unit == o.Unit {
			o.TimeBits = cmp.Or(o.TimeBits, u.take)
		}
	}
	return o
}

func (o RaindropOptions) validate() error {
	var unit raindropUnit
	for _, u := range raindropUnits() {
		if u.unit == o.Unit {
			unit = u
		}
	}
	if unit.unit == 0 {
		return fmt.Errorf("%w: raindrop's Unit is %v: set it to 1ms, 1s, 1m, 1h or 24h", ErrConfig, o.Unit)
	}
	for _, f := range [...]struct {
		option      string
		v, min, max int64
	}{
		{"TimeBits", int64(o.TimeBits), int64(unit.least), int64(unit.most)},
		{"WorkerBits", int64(o.WorkerBits), 3, 10},
		{"Turn", o.Turn, 0, 1},
		{"TailBits", int64(o.TailBits), 0, 5},
		{"Tail", o.Tail, 0, mask(o.TailBits)},
	} {
		if f.v < f.min || f.v > f.max {
			return fmt.Errorf("%w: raindrop's %s is %d: with ticks of %s set it to %d to %d", ErrConfig, f.option, f.v, unitString(o.Unit), f.min, f.max)
		}
	}
	if o.seqBits() < 1 {
		return fmt.Errorf("%w: raindrop's TimeBits %d + WorkerBits %d + TailBits %d leave no bit for the sequence: set them to %d or less together",
			ErrConfig, o.TimeBits, o.WorkerBits, o.TailBits, idBits-2)
	}
	return nil
}

func (o RaindropOptions) seqBits() int {
	return idBits - 1 - o.TimeBits - o.WorkerBits - o.TailBits
}

func (o RaindropOptions) config() Config {
	c := Config{
		Layout: Layout{
			Epoch:      o.Start.UTC(),
			Unit:       o.Unit,
			TimeBits:   o.TimeBits,
			WorkerBits: o.WorkerBits,
			TurnBits:   1,
			SeqBits:    o.seqBits(),
			TailBits:   o.TailBits,
			Tail:       o.Tail,
		},
		Turn:      o.Turn,
		ClockBack: policy.Turn,
		TickFull:  policy.WaitNext,
	}
	if o.Unit >= time.Minute {
		c.TickFull = policy.FailNow
	}
	return c
}
