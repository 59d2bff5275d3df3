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

// ZooKeeperGroup is a Snowflake whose worker ids are ephemeral nodes below a group node
// in ZooKeeper.
type ZooKeeperGroup struct{}

// Config returns the settings of the preset "snowflake".
func (ZooKeeperGroup) Config() uid.Config { return snowflake(snowflakeLayout()) }

// Claim chooses as such nodes do: the lowest free number of the namespace. After a lost
// session a process continues as far as it was granted ticks, and no further; with
// ephemeral nodes the next process takes the number while the last one is still making
// ids.
func (ZooKeeperGroup) Claim(c worker.Claim) worker.Claim {
	c.Order = worker.LowestFree
	return c
}
