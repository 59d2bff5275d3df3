package preset

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/uid"
)

// Named returns the settings of a known system, by one of the names that [Names]
// lists:
//
//   - "baidu": [uid.BaiduLayout], for reading old ids. Baidu's default generator
//     spins under its lock when a second is full, this one sleeps; its cached one
//     goes on with negative ids when the time is over, this one refuses.
//   - "default": [uid.DefaultLayout]
//   - "js-safe": 41 bits of milliseconds, 6 of worker id and 6 of sequence from
//     2026-01-01T00:00:00Z on, every id below 2^53
//   - "snowflake": Twitter's 41|10|12 in milliseconds. The worker id is a data centre and
//     a worker of 5 bits each: worker.Split{5, 5}. A clock set back is refused. Twitter's
//     ids turn negative after 2080-07-10, where these end.
//   - "snowflake-4-10": the published variant 41|4|10. The original swallows its own
//     error about a clock set back and repeats ids; this one refuses.
//   - "leaf": [Leaf]
//   - "yitter", "yitter-go": [Yitter] with the epochs of its C# and of its Go
//     version
//   - "raindrop-ms", "-s", "-min", "-h", "-d": [Raindrop] with ticks of a millisecond, a
//     second, a minute, an hour and a day
//   - "sonyflake", "sonyflake-v2": [Sonyflake] with the epochs of its versions 1 and 2. As
//     Sonyflake does, it continues in the last tick when the clock was set back.
//   - "hazelcast": Hazelcast's FlakeIdGenerator: 41 bits of milliseconds from 2018 on, 6 of
//     sequence, and below them 16 of node id. As there, it continues in the last tick when
//     the clock was set back, and up to 15 seconds into the future when ticks are full.
//     Hazelcast's node id is the version of its list of members, which split brains share.
//   - "seata": Seata's IdWorker since 1.4: 10 bits of worker id above 41 of milliseconds
//     from 2020-05-03 on and 12 of sequence, so that ids sort by worker. Seata counts from
//     the time of its start and sleeps 5 ms for each id that is ahead of the clock; this
//     follows the clock, and waits for it.
//   - "tsid": f4b6a3/tsid-creator with 1024 nodes: 41 bits of milliseconds from 2020 on, 10
//     of node id, 12 of counter. For its 256 or 4096 nodes set WorkerBits 8 and SeqBits
//     14, or 12 and 10. As there, it continues in the last millisecond when the clock was
//     set back, and in the next one when a millisecond is full, here as far ahead of the
//     clock as the worker id's lease grants. TSID begins a millisecond with a random
//     number, this with 0.
//   - "discord": Discord's 41|10|12 in milliseconds from 2015 on. The worker id is a worker
//     and a process of 5 bits each: worker.Split{5, 5}.
//   - "instagram": Instagram's 40|13|10 in milliseconds from 2011-08-24T21:07:01.721Z on;
//     the worker id is the shard, and the sequence is one of a tick, not of a table.
//
// All fields of the Config may be changed. An unknown name is an error that
// wraps [uid.ErrConfig] and lists the names.
func Named(name string) (uid.Config, error) {
	for _, p := range all() {
		if p.name == name {
			return p.config, nil
		}
	}
	return uid.Config{}, fmt.Errorf("%w: no preset %q, there are: %s",
		uid.ErrConfig, name, strings.Join(Names(), ", "))
}

// Names returns the names that [Named] knows, in alphabetical order.
func Names() []string {
	var names []string
	for _, p := range all() {
		names = append(names, p.name)
	}
	return names
}

type system struct {
	name   string
	config uid.Config
}

// all are the known systems in alphabetical order.
func all() []system {
	valid := func(c uid.Config, _ error) uid.Config { return c }
	goOn, wait := policy.GoOn, policy.WaitNext
	return []system{
		{"baidu", uid.Config{Layout: uid.BaiduLayout}},
		{"default", uid.Config{Layout: uid.DefaultLayout}},
		// Of Discord's 42 bits of time a positive int64 holds 41.
		{"discord", uid.Config{Layout: millis(1420070400000, 41, 10, 12)}},
		{"hazelcast", like(
			ordered(uid.TimeSequenceWorker, millis(1514764800000, 41, 16, 6)),
			goOn, policy.BorrowAhead(15_000))},
		// Of the 41 bits of time in Instagram's function a positive int64 holds 40.
		{"instagram", uid.Config{Layout: millis(1314220021721, 40, 13, 10)}},
		// 64 workers with 64 ids a millisecond each, from 2026-01-01T00:00:00Z until
		// 2095-09-07T15:47:35.552Z.
		{"js-safe", uid.Config{Layout: millis(1767225600000, 41, 6, 6)}},
		{"leaf", Leaf{}.Config()},
		{"raindrop-d", valid(Raindrop{Unit: 24 * time.Hour}.Config())},
		{"raindrop-h", valid(Raindrop{Unit: time.Hour}.Config())},
		{"raindrop-min", valid(Raindrop{Unit: time.Minute}.Config())},
		{"raindrop-ms", valid(Raindrop{Unit: time.Millisecond}.Config())},
		{"raindrop-s", valid(Raindrop{Unit: time.Second}.Config())},
		{"seata", like(
			ordered(uid.WorkerTimeSequence, millis(1588435200000, 41, 10, 12)), goOn, wait)},
		{"snowflake", uid.Config{Layout: twitter()}},
		{"snowflake-4-10", uid.Config{Layout: millis(1361753741828, 41, 4, 10)}},
		{"sonyflake", valid(Sonyflake{}.Config())},
		{"sonyflake-v2", valid(Sonyflake{
			StartTime: time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC),
		}.Config())},
		// Of TSID's 42 bits of time a positive int64 holds 41; it borrows without a bound.
		{"tsid", like(millis(1577836800000, 41, 10, 12), goOn, policy.BorrowAhead(math.MaxInt64))},
		{"yitter", valid(Yitter{}.Config())},
		{"yitter-go", valid(Yitter{BaseTime: time.UnixMilli(yitterGoEpoch)}.Config())},
	}
}

// like are settings with a layout and these policies.
func like(l uid.Layout, back policy.ClockBack, full policy.TickFull) uid.Config {
	return uid.Config{Layout: l, ClockBack: back, TickFull: full}
}

// millis is a layout of milliseconds since this Unix time in milliseconds.
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

// idBits is what an id has without its sign.
const idBits = 63

// largest is the largest value of a field of so many bits.
func largest(bits int) int64 { return 1<<bits - 1 }

// option is one that an original has, and the range of its values.
type option struct {
	name        string
	v, min, max int64
}

// check returns an error about the first option of a system, or sum of some, that is out of
// its range. with says what the range depends on, if on anything.
func check(system, with string, options ...option) error {
	for _, o := range options {
		if o.v < o.min || o.v > o.max {
			return fmt.Errorf("%w: %s's %s is %d: %sset it to %d to %d",
				uid.ErrConfig, system, o.name, o.v, with, o.min, o.max)
		}
	}
	return nil
}
