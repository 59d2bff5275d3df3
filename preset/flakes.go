package preset

import (
	"math"
	"time"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/uid"
)

// hazelcast is the FlakeIdGenerator of Hazelcast with its defaults. When the clock is set
// back, or a millisecond is full, it goes on where it was, up to 15 seconds into the
// future.
func hazelcast() uid.Config {
	return uid.Config{
		Layout: uid.Layout{
			Epoch:      time.UnixMilli(1514764800000).UTC(),
			Unit:       time.Millisecond,
			TimeBits:   41,
			WorkerBits: 16,
			SeqBits:    6,
			Order:      uid.TimeSequenceWorker,
		},
		ClockBack: policy.GoOn,
		TickFull:  policy.BorrowAhead(15_000),
	}
}

// seata is the IdWorker of Seata 1.4 and later, whose ids sort by worker. It looks at the
// clock when it starts, and then counts.
func seata() uid.Config {
	return uid.Config{
		Layout: uid.Layout{
			Epoch:      time.UnixMilli(1588435200000).UTC(),
			Unit:       time.Millisecond,
			TimeBits:   41,
			WorkerBits: 10,
			SeqBits:    12,
			Order:      uid.WorkerTimeSequence,
		},
		ClockBack: policy.GoOn,
		TickFull:  policy.WaitNext,
	}
}

// tsid is f4b6a3/tsid-creator with 1024 nodes. Of its 42 bits of time a positive int64
// holds 41. When the clock is set back, or a millisecond is full, it goes on where it was,
// without a bound of its own.
func tsid() uid.Config {
	return uid.Config{
		Layout: uid.Layout{
			Epoch:      time.Date(2020, time.January, 1, 0, 0, 0, 0, time.UTC),
			Unit:       time.Millisecond,
			TimeBits:   41,
			WorkerBits: 10,
			SeqBits:    12,
		},
		ClockBack: policy.GoOn,
		TickFull:  policy.BorrowAhead(math.MaxInt64),
	}
}

// discord has Discord's bits, of whose 42 of time a positive int64 holds 41.
func discord() uid.Config {
	return snowflake(uid.Layout{
		Epoch:      time.UnixMilli(1420070400000).UTC(),
		Unit:       time.Millisecond,
		TimeBits:   41,
		WorkerBits: 10,
		SeqBits:    12,
	})
}

// instagram has the bits of Instagram's function in PostgreSQL, of whose 41 of time a
// positive int64 holds 40.
func instagram() uid.Config {
	return snowflake(uid.Layout{
		Epoch:      time.UnixMilli(1314220021721).UTC(),
		Unit:       time.Millisecond,
		TimeBits:   40,
		WorkerBits: 13,
		SeqBits:    10,
	})
}
