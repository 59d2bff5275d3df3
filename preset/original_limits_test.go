package preset

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/uid"
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
	return scenario{quiet(t, preset), worker, tick}
}

// Where an original repeats an id, or may for all that it knows, ours goes on with others
// for as long as there are any, and then refuses.
func TestWhereAnOriginalRepeatsAnID(t *testing.T) {
	id := func(tick, seq int64) uid.ID { return uid.ID(tick<<12 | seq) }
	raindrop := quiet(t, "raindrop-min")
	raindrop.Layout.TimeBits, raindrop.Layout.SeqBits, raindrop.Layout.TailBits = 50, 3, 5
	rest := func(tick, turn, seq int64) uid.ID { return uid.ID(tick<<13 | 3<<9 | turn<<8 | seq<<5) }
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
				id(3, 5),
				id(2, 1), id(1, 1), id(2, 2), id(1, 2),
				id(2, 3), id(1, 3), id(2, 4), id(1, 4), uid.ErrClockBack,
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
				id(1002, 5), id(1001, 1), id(1002, 6), id(1001, 2), id(1002, 7), id(1001, 3), id(1002, 8),
				id(1001, 4), id(1004, 5), id(1003, 1), id(1002, 1), id(1003, 2),
			},
		},
		"raindrop, a second step back over the same time": {
			scenario{raindrop, 3, 100},
			[]scriptLine{{takes: 1}, {step: -3 * time.Minute, takes: 1}, {step: -1 * time.Minute, takes: 1}},
			[]any{rest(100, 0, 0), rest(97, 1, 0), uid.ErrClockBack},
		},
		"raindrop, a second step back to the same minute": {
			scenario{raindrop, 3, 100},
			[]scriptLine{{takes: 1}, {step: -3 * time.Minute, takes: 1},
				{step: 5 * time.Minute, takes: 1}, {step: -2 * time.Minute, takes: 1}},
			[]any{rest(100, 0, 0), rest(97, 1, 0), rest(102, 1, 0), rest(100, 0, 1)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, r.gives, plain(r.scenario.ours(t, r.script, false)))
		})
	}
}

// Baidu's, Twitter's and Leaf's end: an error, where Twitter's and Leaf's (106,
// PR 105) turn negative. So do the others, which have no end of their own.
func TestPresetsEndWithAnError(t *testing.T) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			c := quiet(t, name)
			if c.Layout.End().Year() > 2200 {
				c.Layout.TimeBits = 10 // its own end is beyond what the fake clock can show
			}
			ours := scenario{c, 3, 1<<c.Layout.TimeBits - 1}.ours(t,
				[]scriptLine{{takes: 2}, {pass: c.Layout.Unit, takes: 2}, {step: time.Hour, takes: 1}}, false)
			assert.NoError(t, ours[1].err, "the last tick is one")
			assert.Positive(t, ours[1].id)
			for _, k := range ours[2:] {
				assert.ErrorIs(t, k.err, uid.ErrTimeOver)
				assert.ErrorContains(t, k.err, "(the clock shows ")
				assert.Zero(t, k.id)
			}
		})
	}
}
