package preset

import (
	"cmp"
	"time"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/uid"
)

// Sonyflake has the settings of sony/sonyflake. Zero fields mean the original's
// default.
type Sonyflake struct {
	// StartTime is the epoch. Zero: that of version 1, 2014-09-01T00:00:00Z.
	// Version 2 has 2025-01-01T00:00:00Z.
	StartTime time.Time

	// Unit is the length of a tick, whole milliseconds. Zero: 10 ms.
	Unit time.Duration

	// SeqBits and MachineBits are 1 to 30 each, and 31 at most together. Zero: 8 and 16.
	// The time has the rest of 63 bits.
	SeqBits, MachineBits int
}

// Config returns the layout and the policies with which a generator makes the ids of
// sony/sonyflake, bit for bit: the machine id, below the sequence, is the worker id.
// Errors wrap [uid.ErrConfig] and name the option and its range, or [uid.ErrLayout].
//
// The original's own machine id, the lower two bytes of a private IPv4 address or what a
// function returns, is for worker.Static; any other assigner sees to it that no two
// processes have the same one at a time.
func (o Sonyflake) Config() (uid.Config, error) {
	o.SeqBits, o.MachineBits = cmp.Or(o.SeqBits, 8), cmp.Or(o.MachineBits, 16)
	if o.StartTime.IsZero() {
		o.StartTime = time.Date(2014, time.September, 1, 0, 0, 0, 0, time.UTC)
	}
	if err := check("Sonyflake", "",
		option{"SeqBits", int64(o.SeqBits), 1, 30},
		option{"MachineBits", int64(o.MachineBits), 1, 30},
		option{"SeqBits + MachineBits", int64(o.SeqBits + o.MachineBits), 2, 31},
	); err != nil {
		return uid.Config{}, err
	}
	c := like(uid.Layout{
		Epoch:      o.StartTime.UTC(),
		Unit:       cmp.Or(o.Unit, 10*time.Millisecond),
		TimeBits:   idBits - o.SeqBits - o.MachineBits,
		WorkerBits: o.MachineBits,
		SeqBits:    o.SeqBits,
		Order:      uid.TimeSequenceWorker,
	}, policy.GoOn, policy.WaitNext)
	return c, c.Layout.Validate()
}
