package preset

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/uid"
)

// Named returns the settings of a known system for [uid.NewDefault], by one of the names
// that [Names] lists:
//
//   - "baidu" or "BaiduLayout": [uid.BaiduLayout], for reading old ids
//   - "default" or "DefaultLayout": [uid.DefaultLayout]
//   - "SnowflakeLayout": [uid.SnowflakeLayout], Twitter's bits from 2026-01-01T00:00:00Z on
//   - "js-safe": 41 bits of milliseconds, 6 of worker id and 6 of sequence from
//     2026-01-01T00:00:00Z on, every id below 2^53
//   - "twitter": Twitter's Snowflake, 41/10/12 in milliseconds from 2010-11-04 on. The worker
//     id is a data centre and a worker of 5 bits each: dataCentre<<5 | worker.
//   - "snowflake-4-10": the published variant 41/4/10
//   - "leaf": the layout of "twitter" with the policies of Meituan's Leaf: a clock that is
//     behind by at most 5 ms is waited for, and each millisecond begins at a random number
//     below 100
//   - "yitter", "yitter-go": Yitter's IdGenerator, with the epochs of its C# and of its Go
//     version: a Snowflake that drifts into the future when a tick is full, and gives ids of
//     past ticks when the clock was set back. Its WorkerIdBitLength is WorkerBits, a
//     data centre is the higher bits of a worker id, and TopOverCostCount is the number of
//     policy.BorrowAhead: 0 with ticks of a second. Method 2 has neither of the two
//     policies.
//   - "raindrop-ms", "-s", "-min", "-h", "-d": raindrop with ticks of a millisecond, a
//     second, a minute, an hour and a day. Its TimeBackBitValue is DefaultConfig.Turn, and its end
//     bits are the tail. When the clock is set back the turn bit flips. A full tick of a
//     millisecond or a second is waited out, and a longer one is an error.
//   - "sonyflake", "sonyflake-v2": Sonyflake with the epochs of its versions 1 and 2. The
//     machine id, below the sequence, is the worker id.
//   - "hazelcast": Hazelcast's FlakeIdGenerator: 41 bits of milliseconds from 2018 on, 6 of
//     sequence, and below them 16 of node id. It continues up to 15 seconds into the future
//     when ticks are full.
//   - "seata": Seata's IdWorker since 1.4: 10 bits of worker id above 41 of milliseconds
//     from 2020-05-03 on and 12 of sequence, so that ids sort by worker
//   - "tsid": f4b6a3/tsid-creator with 1024 nodes: 41 bits of milliseconds from 2020 on, 10
//     of node id, 12 of counter. For its 256 or 4096 nodes set WorkerBits 8 and SeqBits
//     14, or 12 and 10.
//   - "discord": Discord's 41/10/12 in milliseconds from 2015 on. The worker id is a worker
//     and a process of 5 bits each: worker<<5 | process.
//   - "instagram": Instagram's 40/13/10 in milliseconds from 2011-08-24T21:07:01.721Z on;
//     the worker id is the shard, and the sequence is one of a tick, not of a table
//
// Where an original repeats ids or makes ids that are negative, there is an error:
// docs/compatibility.md lists the differences.
//
// All fields of the DefaultConfig may be changed. Where you set other bits, keep their sum, as
// the originals do. An unknown name is an error that wraps [uid.ErrConfig] and lists the
// names. So is "snowflake", which could be "twitter" or "SnowflakeLayout".
func Named(name string) (uid.DefaultConfig, error) {
	if name == "BaiduLayout" || name == "DefaultLayout" { // as package uid calls them
		name = strings.ToLower(strings.TrimSuffix(name, "Layout"))
	}
	for _, p := range all() {
		if p.name == name {
			return p.config, nil
		}
	}
	if strings.EqualFold(name, "snowflake") {
		return uid.DefaultConfig{}, fmt.Errorf("%w: %q could be twitter, from 2010 on, or "+
			"SnowflakeLayout, from 2026 on: type which one", uid.ErrConfig, name)
	}
	return uid.DefaultConfig{}, fmt.Errorf("%w: no preset %q, there are: %s",
		uid.ErrConfig, name, strings.Join(Names(), ", "))
}

// Layout returns the layout of a known system alone, as [uid.New] takes it: the
// policies of the systems are settings of [uid.NewDefault].
func Layout(name string) (uid.Layout, error) {
	c, err := Named(name)
	return c.Layout, err
}

// Names returns the first names of what [Named] knows, in alphabetical order.
func Names() []string {
	var names []string
	for _, p := range all() {
		names = append(names, p.name)
	}
	return names
}

type system struct {
	name   string
	config uid.DefaultConfig
}

// all are the known systems in alphabetical order.
func all() []system {
	goOn, wait := policy.GoOn, policy.WaitNext
	return []system{
		{"baidu", uid.DefaultConfig{Layout: uid.BaiduLayout()}},
		{"default", uid.DefaultConfig{Layout: uid.DefaultLayout()}},
		// Of Discord's 42 bits of time a positive int64 holds 41.
		{"discord", uid.DefaultConfig{Layout: millis(1420070400000, 41, 10, 12)}},
		{"hazelcast", like(
			ordered(uid.TimeSequenceWorker, millis(1514764800000, 41, 16, 6)),
			goOn, policy.BorrowAhead(15_000))},
		// Of the 41 bits of time in Instagram's function a positive int64 holds 40.
		{"instagram", uid.DefaultConfig{Layout: millis(1314220021721, 40, 13, 10)}},
		// 64 workers with 64 ids a millisecond each, from 2026-01-01T00:00:00Z until
		// 2095-09-07T15:47:35.552Z.
		{"js-safe", uid.DefaultConfig{Layout: millis(1767225600000, 41, 6, 6)}},
		{"leaf", uid.DefaultConfig{Layout: twitter(), ClockBack: policy.WaitUpTo(5 * time.Millisecond),
			RandomSeq: 100}},
		{"raindrop-d", like(raindrop(24*time.Hour, 17), policy.Turn, policy.FailNow)},
		{"raindrop-h", like(raindrop(time.Hour, 21), policy.Turn, policy.FailNow)},
		{"raindrop-min", like(raindrop(time.Minute, 27), policy.Turn, policy.FailNow)},
		{"raindrop-ms", like(raindrop(time.Millisecond, 41), policy.Turn, wait)},
		{"raindrop-s", like(raindrop(time.Second, 33), policy.Turn, wait)},
		{"seata", like(
			ordered(uid.WorkerTimeSequence, millis(1588435200000, 41, 10, 12)), goOn, wait)},
		{"snowflake-4-10", uid.DefaultConfig{Layout: millis(1361753741828, 41, 4, 10)}},
		{"SnowflakeLayout", uid.DefaultConfig{Layout: uid.SnowflakeLayout()}},
		{"sonyflake", like(sonyflake(2014, time.September), goOn, wait)},
		{"sonyflake-v2", like(sonyflake(2025, time.January), goOn, wait)},
		// Of TSID's 42 bits of time a positive int64 holds 41; it borrows without a bound.
		{"tsid", like(millis(1577836800000, 41, 10, 12), goOn, policy.BorrowAhead(math.MaxInt64))},
		{"twitter", uid.DefaultConfig{Layout: twitter()}},
		{"yitter", yitter(1582165202020)},    // C#: 2020-02-20T02:20:02.020Z
		{"yitter-go", yitter(1582136402000)}, // Go, Java, C, Python and PHP, eight hours before
	}
}

// like returns settings with a layout and these policies.
func like(l uid.Layout, back policy.ClockBack, full policy.TickFull) uid.DefaultConfig {
	return uid.DefaultConfig{Layout: l, ClockBack: back, TickFull: full}
}

// millis returns a layout of milliseconds since this Unix time in milliseconds.
func millis(epoch int64, timeBits, workerBits, seqBits int) uid.Layout {
	return uid.Layout{
		Epoch:      time.UnixMilli(epoch).UTC(),
		Unit:       time.Millisecond,
		TimeBits:   timeBits,
		WorkerBits: workerBits,
		SeqBits:    seqBits,
	}
}

func ordered(o uid.Order, l uid.Layout) uid.Layout {
	l.Order = o
	return l
}

// twitter is the layout of Twitter's Snowflake, and of Leaf, until 2080-07-10T17:30:30.209Z.
func twitter() uid.Layout { return millis(1288834974657, 41, 10, 12) }

// raindrop leaves the rest of 63 bits to the sequence.
func raindrop(unit time.Duration, timeBits int) uid.Layout {
	return uid.Layout{
		Epoch:      time.Date(2023, time.January, 1, 0, 0, 0, 0, time.UTC),
		Unit:       unit,
		TimeBits:   timeBits,
		WorkerBits: 4,
		TurnBits:   1,
		SeqBits:    58 - timeBits,
	}
}

func sonyflake(year int, month time.Month) uid.Layout {
	return uid.Layout{
		Epoch:      time.Date(year, month, 1, 0, 0, 0, 0, time.UTC),
		Unit:       10 * time.Millisecond,
		TimeBits:   39,
		WorkerBits: 16,
		SeqBits:    8,
		Order:      uid.TimeSequenceWorker,
	}
}

// yitter begins ticks at 5: 1 to 4 are for a clock that is set back, 0 for Layout.Compose.
func yitter(epoch int64) uid.DefaultConfig {
	c := like(millis(epoch, 51, 6, 6), policy.Reserved{First: 1, Last: 4}, policy.BorrowAhead(2000))
	c.MinSeq = 5
	return c
}
