package uid

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is known of the originals from running them: a script and the ids that it
// gave. Our generator must give them, and so must the model of the original, or
// the models would prove nothing.

// trace is a script with what it gives. An error stands as itself.
type trace struct {
	scenario scenario
	open     opener
	script   []scriptLine
	gives    []any // ID or error
	theirs   []any // what the original gives in place of the last ones of gives
}

func (r trace) check(t *testing.T) {
	ours := r.scenario.ours(t, r.script)
	theirs, _ := r.scenario.theirs(t, r.script, r.open, ours)
	require.Equal(t, r.gives, plain(ours), "ours")
	same := len(r.gives) - len(r.theirs)
	require.Equal(t, append(r.gives[:same:same], r.theirs...), plain(theirs),
		"the model of the original")
}

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

func TestTraceOfTwitter(t *testing.T) {
	for name, r := range map[string]trace{
		"clock 1, 1, 0, 1": {
			scenario: at(t, "snowflake", 0, 1),
			script:   []scriptLine{{takes: 2}, {step: -1 * ms, takes: 1}, {step: 1 * ms, takes: 1}},
			gives:    []any{ID(4194304), ID(4194305), ErrClockBack, ID(4194306)},
		},
		"datacenter 1, worker 10": {
			scenario: at(t, "snowflake", 42, 0),
			script:   []scriptLine{{takes: 1}},
			gives:    []any{ID(1<<17 | 10<<12)},
		},
	} {
		r.open = openTwitter
		t.Run(name, r.check)
	}
}

func TestTraceOfYitter(t *testing.T) {
	for name, r := range map[string]trace{
		"tick 0": {scenario: at(t, "yitter-go", 0, 0), script: []scriptLine{{takes: 1}},
			gives: []any{ID(5)}},
		"tick 1": {scenario: at(t, "yitter", 0, 1), script: []scriptLine{{takes: 1}},
			gives: []any{ID(4101)}},
		"tick 1000": {scenario: at(t, "yitter-go", 1, 1000), script: []scriptLine{{takes: 3}},
			gives: []any{ID(4096069), ID(4096070), ID(4096071)}},
		"turn back": {scenario: at(t, "yitter", 1, 1002),
			script: []scriptLine{{takes: 1}, {step: -102 * ms, takes: 3}},
			gives:  []any{ID(1002<<12 | 1<<6 | 5), ID(4100161), ID(4096065), ID(4091969)}},
		"back again": {scenario: at(t, "yitter", 0, 1002),
			script: []scriptLine{{takes: 1}, {step: -9 * ms, takes: 1}, {step: 9 * ms, takes: 1},
				{step: -1 * ms, takes: 2}}, gives: []any{ID(1002<<12 | 5), ID(1001<<12 | 1), ID(1002<<12 | 6),
				ID(1001<<12 | 2), ID(1000<<12 | 2)}},
		// Below tick 1 it begins again under the last tick, with the next number;
		// and then all four numbers of both ticks are used up.
		"down to tick 1": {
			scenario: at(t, "yitter", 0, 3),
			script:   []scriptLine{{takes: 1}, {step: -2 * ms, takes: 9}},
			gives: []any{
				ID(3<<12 | 5),
				ID(2<<12 | 1), ID(1<<12 | 1), ID(2<<12 | 2), ID(1<<12 | 2),
				ID(2<<12 | 3), ID(1<<12 | 3), ID(2<<12 | 4), ID(1<<12 | 4), ErrClockBack,
			},
			theirs: []any{ID(2<<12 | 1)},
		},
	} {
		r.open = openYitter(2000)
		t.Run(name, r.check)
	}
}

// The fifth step back over the same time takes the number of the first, which
// gives ids again. Here it goes no further down than where that began.
func TestTraceOfYittersFifthStepBack(t *testing.T) {
	const last = ID(1002 << 12)
	script := []scriptLine{{takes: 1}}
	gives := []any{last | 5}
	for n := range ID(4) {
		script = append(script, scriptLine{step: -50 * ms, takes: 1}, scriptLine{step: 50 * ms, takes: 1})
		gives = append(gives, ID(1001<<12)|(n+1), last|(6+n))
	}
	script = append(script, scriptLine{step: -50 * ms, takes: 1})
	trace{
		scenario: at(t, "yitter", 0, 1002), open: openYitter(2000), script: script,
		gives:  append(gives, ErrClockBack),
		theirs: []any{ID(1001<<12 | 1)}, // which it gave at the first
	}.check(t)

	// Where time went on in between, the number serves again down to there.
	script[len(script)-1] = scriptLine{step: 2 * ms, takes: 1}
	script = append(script, scriptLine{step: -50 * ms, takes: 3})
	const later = 1004 << 12
	trace{
		scenario: at(t, "yitter", 0, 1002), open: openYitter(2000), script: script,
		gives:  append(gives, ID(later|5), ID(1003<<12|1), ID(1002<<12|1), ID(1003<<12|2)),
		theirs: []any{ID(1001<<12 | 1)},
	}.check(t)
}

// A full tick is followed by those of the future: the 60th id of tick 1000 is the
// first of tick 1001, and 118,001 ids come before the first wait.
func TestTraceOfYittersDrift(t *testing.T) {
	s, script := at(t, "yitter-go", 1, 1000), []scriptLine{{takes: 118_101}}
	ours := s.ours(t, script)
	theirs, right := s.theirs(t, script, openYitter(2000), ours)
	compare(t, script, ours, theirs, right)
	assert.Len(t, theirs, right)

	assert.Equal(t, ID(4100165), ours[59].id)
	assert.Zero(t, ours[118_000].at, "no wait before")
	wait := ours[118_001].waited
	assert.Equal(t, 2001*ms, wait, "until the clock has passed the last borrowed tick")
}

func TestTraceOfRaindrop(t *testing.T) {
	eight := system(t, "raindrop-min") // ids in a minute
	eight.Layout.TimeBits, eight.Layout.SeqBits, eight.Layout.TailBits = 50, 3, 5
	rest := func(tick, turn, seq int64) ID { return ID(tick<<13 | 3<<9 | turn<<8 | seq<<5) }
	for name, r := range map[string]trace{
		"a full minute is an error": {
			script: []scriptLine{{takes: 9}, {pass: time.Minute, takes: 1}},
			gives: []any{
				rest(100, 0, 0), rest(100, 0, 1), rest(100, 0, 2), rest(100, 0, 3),
				rest(100, 0, 4), rest(100, 0, 5), rest(100, 0, 6), rest(100, 0, 7), ErrTickFull,
				rest(101, 0, 0),
			},
		},
		"the bit turns on a step back and is kept": {
			script: []scriptLine{{takes: 2}, {step: -3 * time.Minute, takes: 2},
				{step: 9 * time.Minute, takes: 1}},
			gives: []any{rest(100, 0, 0), rest(100, 0, 1), rest(97, 1, 0), rest(97, 1, 1), rest(106, 1, 0)},
		},
		"and turns again after what was given": {
			script: []scriptLine{{takes: 1}, {step: -3 * time.Minute, takes: 1},
				{step: 9 * time.Minute, takes: 1}, {step: -2 * time.Minute, takes: 1}},
			gives: []any{rest(100, 0, 0), rest(97, 1, 0), rest(106, 1, 0), rest(104, 0, 0)},
		},
		"a second step back over the same time": {
			script: []scriptLine{{takes: 1}, {step: -3 * time.Minute, takes: 1},
				{step: -1 * time.Minute, takes: 1}},
			gives:  []any{rest(100, 0, 0), rest(97, 1, 0), ErrClockBack},
			theirs: []any{rest(96, 0, 0)}, // of which it does not know whether it was given
		},
		"a second step back to the same minute": {
			script: []scriptLine{{takes: 1}, {step: -3 * time.Minute, takes: 1},
				{step: 5 * time.Minute, takes: 1}, {step: -2 * time.Minute, takes: 1}},
			gives:  []any{rest(100, 0, 0), rest(97, 1, 0), rest(102, 1, 0), rest(100, 0, 1)},
			theirs: []any{rest(100, 0, 0)}, // again
		},
	} {
		r.scenario, r.open = scenario{eight, 3, 100}, openRaindrop
		t.Run(name, r.check)
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
				assert.Zero(t, k.id)
			}
		})
	}
}
