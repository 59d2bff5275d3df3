package uid

import (
	"fmt"
	"strings"
	"time"

	"github.com/ringuid/ringuid/policy"
)

// DefaultLayout is Baidu's split, 28 bits of seconds, 22 of worker id and 13 of
// sequence, from 2026-01-01T00:00:00Z on: 8192 ids a second for each of 4194304
// workers, until 2034-07-04T21:24:16Z. It is not to be modified.
var DefaultLayout = Layout{
	Epoch:      time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC),
	Unit:       time.Second,
	TimeBits:   28,
	WorkerBits: 22,
	SeqBits:    13,
}

// BaiduLayout is the default of Baidu's UidGenerator, for reading its ids: the
// split of DefaultLayout from 2016-05-20 at +08:00 on. Its time ended at
// 2024-11-20T13:24:16Z, and constructors refuse it. It is not to be modified.
var BaiduLayout = Layout{
	Epoch:      time.Unix(1463673600, 0).UTC(),
	Unit:       time.Second,
	TimeBits:   28,
	WorkerBits: 22,
	SeqBits:    13,
}

// Preset returns the layout and the policies of a known system, by one of the
// names that Presets lists:
//
//   - "baidu": BaiduLayout, for reading old ids. Baidu's default generator spins
//     under its lock when a second is full, this one sleeps; its cached one goes
//     on with negative ids when the time is over, this one refuses.
//   - "default": DefaultLayout
//   - "js-safe": 41 bits of milliseconds, 6 of worker id and 6 of sequence from
//     2026-01-01T00:00:00Z on, every id below 2^53
//   - "snowflake": Twitter's 41|10|12 in milliseconds. The worker id is a
//     datacenter and a worker of 5 bits each: worker.Split{5, 5}. A clock set
//     back is refused. Twitter's id turns negative after 2080-07-10, this one
//     ends there.
//   - "snowflake-4-10": the published variant 41|4|10. The original swallows its
//     own error about a clock set back and repeats ids, this one refuses.
//   - "leaf": Meituan's Leaf, the layout of "snowflake". It waits for a clock that
//     went back by at most 5 ms, once, and begins each millisecond at random
//     below 100. Leaf spins without end when the clock goes back meanwhile and
//     turns negative at the end; this one does neither.
//   - "yitter", "yitter-go": Yitter(YitterOptions{}) with the epochs of its C# and
//     of its Go version
//   - "raindrop-ms", "-s", "-min", "-h", "-d": Raindrop with ticks of so long and
//     the other options left zero
//   - "sonyflake": Sonyflake's ticks of 10 ms, 39 bits of them from
//     2014-09-01T00:00:00Z on, with 16 bits of worker id from an assigner and 8 of
//     sequence; as Sonyflake does, it goes on in the last tick when the clock went
//     back. Sonyflake has the sequence above the machine id: its own ids, for a
//     machine id that the caller vouches for, are those of Sonyflake.
//
// All fields of the Config may be changed. An unknown name is an error that
// wraps ErrConfig and lists the names.
func Preset(name string) (Config, error) {
	for _, p := range presets() {
		if p.name == name {
			return p.config, nil
		}
	}
	return Config{}, fmt.Errorf("%w: no preset %q, there are: %s", ErrConfig, name, strings.Join(Presets(), ", "))
}

// Presets returns the names that Preset knows, in alphabetical order.
func Presets() []string {
	var names []string
	for _, p := range presets() {
		names = append(names, p.name)
	}
	return names
}

type preset struct {
	name   string
	config Config
}

// presets lists the known systems in alphabetical order.
func presets() []preset {
	return []preset{
		{"baidu", Config{Layout: BaiduLayout, ClockBack: policy.Refuse, TickFull: policy.WaitNext}},
		{"default", Config{Layout: DefaultLayout}},
		{"js-safe", Config{Layout: jsSafeLayout()}},
		{"leaf", Config{
			Layout:    snowflakeLayout(),
			RandomSeq: 100,
			ClockBack: policy.WaitUpTo(5 * time.Millisecond),
			TickFull:  policy.WaitNext,
		}},
		{"raindrop-d", RaindropOptions{Unit: 24 * time.Hour}.withDefaults().config()},
		{"raindrop-h", RaindropOptions{Unit: time.Hour}.withDefaults().config()},
		{"raindrop-min", RaindropOptions{Unit: time.Minute}.withDefaults().config()},
		{"raindrop-ms", RaindropOptions{Unit: time.Millisecond}.withDefaults().config()},
		{"raindrop-s", RaindropOptions{Unit: time.Second}.withDefaults().config()},
		{"snowflake", Config{Layout: snowflakeLayout(), ClockBack: policy.Refuse, TickFull: policy.WaitNext}},
		{"snowflake-4-10", Config{Layout: snowflake410Layout(), ClockBack: policy.Refuse, TickFull: policy.WaitNext}},
		{"sonyflake", Config{Layout: sonyflakeLayout(), ClockBack: policy.GoOn, TickFull: policy.WaitNext}},
		{"yitter", YitterOptions{}.withDefaults().config()},
		{"yitter-go", YitterOptions{BaseTime: time.UnixMilli(yitterGoEpoch)}.withDefaults().config()},
	}
}

// jsSafeLayout keeps every id below 2^53, the range in which JavaScript's
// numbers are exact: 64 workers with 64 ids a millisecond each, from
// 2026-01-01T00:00:00Z until 2095-09-07T15:47:35.552Z.
func jsSafeLayout() Layout {
	return Layout{
		Epoch:      time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC),
		Unit:       time.Millisecond,
		TimeBits:   41,
		WorkerBits: 6,
		SeqBits:    6,
	}
}

// snowflakeLayout is Twitter's, and Leaf's, until 2080-07-10T17:30:30.209Z.
func snowflakeLayout() Layout {
	return Layout{
		Epoch:      time.UnixMilli(1288834974657).UTC(),
		Unit:       time.Millisecond,
		TimeBits:   41,
		WorkerBits: 10,
		SeqBits:    12,
	}
}

func snowflake410Layout() Layout {
	return Layout{
		Epoch:      time.UnixMilli(1361753741828).UTC(),
		Unit:       time.Millisecond,
		TimeBits:   41,
		WorkerBits: 4,
		SeqBits:    10,
	}
}

func sonyflakeLayout() Layout {
	return Layout{
		Epoch:      time.Date(2014, time.September, 1, 0, 0, 0, 0, time.UTC),
		Unit:       10 * time.Millisecond,
		TimeBits:   39,
		WorkerBits: 16,
		SeqBits:    8,
	}
}
