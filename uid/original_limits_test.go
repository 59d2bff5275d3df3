package uid

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func plain(all []taken) (ids []any) {
	for _, k := range all {
		if k.err != nil {
			ids = append(ids, sentinel(k.err))
		} else {
			ids = append(ids, k.id)
		}
	}
	return ids
}

const ms = time.Millisecond

// at is a scenario at a tick of a preset.
func at(t *testing.T, preset string, worker, tick int64) scenario {
	return scenario{system(t, preset), worker, tick}
}

// Where an original repeats an id, or may for all that it knows, ours goes on with others
// for as long as there are any, and then refuses.
func TestWhereAnOriginalRepeatsAnID(t *testing.T) {
	const last = ID(1002 << 12)
	raindrop := system(t, "raindrop-min")
	raindrop.Layout.TimeBits, raindrop.Layout.SeqBits, raindrop.Layout.TailBits = 50, 3, 5
	rest := func(tick, turn, seq int64) ID { return ID(tick<<13 | 3<<9 | turn<<8 | seq<<5) }
	for name, r := range map[string]struct {
		scenario scenario
		script   []scriptLine
		gives    []any
	}{
		// Below tick 1 it begins again under the last tick, with the next number;
		// and then all four numbers of both ticks are used up.
		"yitter, below its first tick": {
			at(t, "yitter", 0, 3),
			[]scriptLine{{takes: 1}, {step: -2 * ms, takes: 9}},
			[]any{
				ID(3<<12 | 5),
				ID(2<<12 | 1), ID(1<<12 | 1), ID(2<<12 | 2), ID(1<<12 | 2),
				ID(2<<12 | 3), ID(1<<12 | 3), ID(2<<12 | 4), ID(1<<12 | 4), ErrClockBack,
			},
		},
		// The fifth step back takes the number of the first, down to where that began.
		"yitter, the fifth step back": {
			at(t, "yitter", 0, 1002),
			[]scriptLine{
				{takes: 1}, {step: -50 * ms, takes: 1}, {step: 50 * ms, takes: 1},
				{step: -50 * ms, takes: 1}, {step: 50 * ms, takes: 1},
				{step: -50 * ms, takes: 1}, {step: 50 * ms, takes: 1},
				{step: -50 * ms, takes: 1}, {step: 52 * ms, takes: 1}, {step: -50 * ms, takes: 3},
			},
			[]any{
				last | 5, ID(1001<<12 | 1), last | 6, ID(1001<<12 | 2), last | 7, ID(1001<<12 | 3), last | 8,
				ID(1001<<12 | 4), ID(1004<<12 | 5), ID(1003<<12 | 1), ID(1002<<12 | 1), ID(1003<<12 | 2),
			},
		},
		"raindrop, a second step back over the same time": {
			scenario{raindrop, 3, 100},
			[]scriptLine{{takes: 1}, {step: -3 * time.Minute, takes: 1}, {step: -1 * time.Minute, takes: 1}},
			[]any{rest(100, 0, 0), rest(97, 1, 0), ErrClockBack},
		},
		"raindrop, a second step back to the same minute": {
			scenario{raindrop, 3, 100},
			[]scriptLine{{takes: 1}, {step: -3 * time.Minute, takes: 1},
				{step: 5 * time.Minute, takes: 1}, {step: -2 * time.Minute, takes: 1}},
			[]any{rest(100, 0, 0), rest(97, 1, 0), rest(102, 1, 0), rest(100, 0, 1)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, r.gives, plain(r.scenario.ours(t, r.script)))
		})
	}
}

// Baidu's, Twitter's and Leaf's end: an error, where Twitter's and Leaf's (106,
// PR 105) turn negative. So do the others, which have no end of their own.
func TestPresetsEndWithAnError(t *testing.T) {
	for _, name := range presets.names() {
		t.Run(name, func(t *testing.T) {
			c := system(t, name)
			if c.Layout.End().Year() > 2200 {
				c.Layout.TimeBits = 10 // its own end is beyond what the fake clock can show
			}
			ours := scenario{c, 3, c.Layout.maxTick()}.ours(t,
				[]scriptLine{{takes: 2}, {pass: c.Layout.Unit, takes: 2}, {step: time.Hour, takes: 1}})
			assert.NoError(t, ours[1].err, "the last tick is one")
			assert.Positive(t, ours[1].id)
			for _, k := range ours[2:] {
				assert.ErrorIs(t, k.err, ErrTimeOver)
				assert.ErrorContains(t, k.err, "(the clock shows ")
				assert.Zero(t, k.id)
			}
		})
	}
}
