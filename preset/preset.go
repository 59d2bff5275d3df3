package preset

import (
	"fmt"
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
	return uid.Config{}, fmt.Errorf("%w: no preset %q, there are: %s", uid.ErrConfig, name, strings.Join(Names(), ", "))
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
	sonyflakeV2 := time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)
	raindrop := func(unit time.Duration) uid.Config { return Raindrop{Unit: unit}.withDefaults().config() }
	return []system{
		{"baidu", uid.Config{Layout: uid.BaiduLayout, ClockBack: policy.Refuse, TickFull: policy.WaitNext}},
		{"default", uid.Config{Layout: uid.DefaultLayout}},
		{"discord", discord()},
		{"hazelcast", hazelcast()},
		{"instagram", instagram()},
		{"js-safe", uid.Config{Layout: jsSafeLayout()}},
		{"leaf", Leaf{}.Config()},
		{"raindrop-d", raindrop(24 * time.Hour)},
		{"raindrop-h", raindrop(time.Hour)},
		{"raindrop-min", raindrop(time.Minute)},
		{"raindrop-ms", raindrop(time.Millisecond)},
		{"raindrop-s", raindrop(time.Second)},
		{"seata", seata()},
		{"snowflake", snowflake(snowflakeLayout())},
		{"snowflake-4-10", snowflake(snowflake410Layout())},
		{"sonyflake", Sonyflake{}.withDefaults().config()},
		{"sonyflake-v2", Sonyflake{StartTime: sonyflakeV2}.withDefaults().config()},
		{"tsid", tsid()},
		{"yitter", Yitter{}.withDefaults().config()},
		{"yitter-go", Yitter{BaseTime: time.UnixMilli(yitterGoEpoch)}.withDefaults().config()},
	}
}

// jsSafeLayout keeps every id below 2^53, the range in which JavaScript's
// numbers are exact: 64 workers with 64 ids a millisecond each, from
// 2026-01-01T00:00:00Z until 2095-09-07T15:47:35.552Z.
func jsSafeLayout() uid.Layout {
	return uid.Layout{
		Epoch:      time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC),
		Unit:       time.Millisecond,
		TimeBits:   41,
		WorkerBits: 6,
		SeqBits:    6,
	}
}

// idBits is what an id has without its sign.
const idBits = 63

// largest is the largest value of a field of so many bits.
func largest(bits int) int64 { return 1<<bits - 1 }

// option is one that an original has, and the range of its values.
type option struct {
	name        string
	v, min, max int64
}

func (o option) ok() bool { return o.min <= o.v && o.v <= o.max }

// timeString writes a time for errors.
func timeString(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
