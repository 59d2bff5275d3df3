package uid

import (
	"fmt"
	"strings"
	"time"
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

// presets lists the known systems in alphabetical order.
func presets() []preset {
	return []preset{
		{"baidu", Config{Layout: BaiduLayout}},
		{"default", Config{Layout: DefaultLayout}},
		{"js-safe", Config{Layout: jsSafeLayout()}},
	}
}

type preset struct {
	name   string
	config Config
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

// Preset returns the layout and the policies of a known system, by one of the
// names that Presets lists:
//
//   - "baidu": BaiduLayout, for reading old ids
//   - "default": DefaultLayout
//   - "js-safe": 41 bits of milliseconds, 6 of worker id and 6 of sequence from
//     2026-01-01T00:00:00Z on, every id below 2^53
//
// An unknown name is an error that wraps ErrConfig and lists the names.
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
