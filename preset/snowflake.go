package preset

import (
	"time"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// snowflake are the policies of Twitter's Snowflake, which begins a tick at 0.
func snowflake(l uid.Layout) uid.Config {
	return uid.Config{Layout: l, ClockBack: policy.Refuse, TickFull: policy.WaitNext}
}

// snowflakeLayout is Twitter's, and Leaf's, until 2080-07-10T17:30:30.209Z.
func snowflakeLayout() uid.Layout {
	return uid.Layout{
		Epoch:      time.UnixMilli(1288834974657).UTC(),
		Unit:       time.Millisecond,
		TimeBits:   41,
		WorkerBits: 10,
		SeqBits:    12,
	}
}

func snowflake410Layout() uid.Layout {
	return uid.Layout{
		Epoch:      time.UnixMilli(1361753741828).UTC(),
		Unit:       time.Millisecond,
		TimeBits:   41,
		WorkerBits: 4,
		SeqBits:    10,
	}
}

// ZooKeeperGroup is a Snowflake whose worker ids are ephemeral nodes under a group
// in ZooKeeper.
type ZooKeeperGroup struct{}

// Config returns the settings of the preset "snowflake".
func (ZooKeeperGroup) Config() uid.Config { return snowflake(snowflakeLayout()) }

// Claim chooses as the ephemeral nodes are: the lowest free number of the
// namespace. After a lost session ids go on as far as they were granted, and no
// further; there the number is taken by the next while the last one still
// generates.
func (ZooKeeperGroup) Claim(c worker.Claim) worker.Claim {
	c.Order = worker.LowestFree
	return c
}
