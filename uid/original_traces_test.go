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
	require.Equal(t, append(r.gives[:same:same], r.theirs...), plain(theirs), "the model of the original")
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

// The 4097th id of a millisecond is the first of the next, after one wait.
func TestTraceOfTwittersWrap(t *testing.T) {
	s, script := at(t, "snowflake", 0, 2), []scriptLine{{takes: 4097}}
	ours := s.ours(t, script)
	theirs, _ := s.theirs(t, script, openTwitter, ours)
	compare(t, script, ours, theirs, len(theirs))
	assert.Equal(t, ID(2<<22|4095), ours[4095].id)
	assert.Equal(t, ID(3<<22), ours[4096].id)
	for i, k := range ours {
		assert.Equal(t, i == 4096, k.waited == ms, "only the last one waits")
	}
}

func TestTraceOfYitter(t *testing.T) {
	for name, r := range map[string]trace{
		"tick 0":     {scenario: at(t, "yitter-go", 0, 0), script: []scriptLine{{takes: 1}}, gives: []any{ID(5)}},
		"tick 1":     {scenario: at(t, "yitter", 0, 1), script: []scriptLine{{takes: 1}}, gives: []any{ID(4101)}},
		"tick 1000":  {scenario: at(t, "yitter-go", 1, 1000), script: []scriptLine{{takes: 3}}, gives: []any{ID(4096069), ID(4096070), ID(4096071)}},
		"turn back":  {scenario: at(t, "yitter", 1, 1002), script: []scriptLine{{takes: 1}, {step: -102 * ms, takes: 3}}, gives: []any{ID(1002<<12 | 1<<6 | 5), ID(4100161), ID(4096065), ID(4091969)}},
		"back again": {scenario: at(t, "yitter", 0, 1002), script: []scriptLine{{takes: 1}, {step: -9 * ms, takes: 1}, {step: 9 * ms, takes: 1}, {step: -1 * ms, takes: 2}}, gives: []any{ID(1002<<12 | 5), ID(1001<<12 | 1), ID(1002<<12 | 6), ID(1001<<12 | 2), ID(1000<<12 | 2)}},
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
// first of tick 1001. With the defaults 118,001 ids come before the first wait,
// and without a drift 60.
func TestTraceOfYittersDrift(t *testing.T) {
	for name, c := range map[string]struct {
		top  int
		ids  int
		wait time.Duration
	}{
		"the default, 2000": {2000, 118_001, 2001 * ms},
		"3":                 {3, 59*3 + 1, 4 * ms},
		"1":                 {1, 60, 2 * ms},
		"none":              {0, 60, 2 * ms},
	} {
		t.Run(name, func(t *testing.T) {
			s, script := at(t, "yitter-go", 1, 1000), []scriptLine{{takes: c.ids + 100}}
			if c.top != 2000 {
				s.config = drifting(s.config, int64(c.top))
			}
			ours := s.ours(t, script)
			theirs, right := s.theirs(t, script, openYitter(c.top), ours)
			compare(t, script, ours, theirs, right)
			assert.Len(t, theirs, right)

			assert.Equal(t, ID(4100165), ours[59].id)
			assert.Zero(t, ours[c.ids-1].at, "no wait before")
			assert.Equal(t, c.wait, ours[c.ids].waited, "until the clock has passed the last borrowed tick")
		})
	}
}

// A clock set back during the drift is not noticed: ids go on, and then wait out
// the whole step.
func TestTraceOfYittersStepBackInTheDrift(t *testing.T) {
	s := at(t, "yitter", 1, 1000)
	s.config = drifting(s.config, 2)
	script := []scriptLine{{takes: 60}, {step: -90 * ms, takes: 60}}
	ours := s.ours(t, script)
	theirs, right := s.theirs(t, script, openYitter(2), ours)
	compare(t, script, ours, theirs, right)
	assert.Equal(t, ID(1001<<12|1<<6|6), ours[60].id)
	assert.Equal(t, ID(1003<<12|1<<6|5), ours[119].id)
	assert.Equal(t, 93*ms, ours[119].waited)
}

func TestTraceOfLeaf(t *testing.T) {
	l := system(t, "leaf").Layout
	for name, c := range map[string]struct {
		script []scriptLine
		err    error
		waited time.Duration
	}{
		"back 5 ms":                      {[]scriptLine{{takes: 1}, {step: -5 * ms, takes: 1}}, nil, 10 * ms},
		"back 1 ms":                      {[]scriptLine{{takes: 1}, {step: -1 * ms, takes: 1}}, nil, 2 * ms},
		"back 6 ms":                      {[]scriptLine{{takes: 1}, {step: -6 * ms, takes: 1}}, ErrClockBack, 0},
		"back 6 ms, until it caught up":  {[]scriptLine{{takes: 1}, {step: -6 * ms, takes: 1}, {pass: 7 * ms, takes: 1}}, nil, 0},
		"back 5 ms, while it is refused": {[]scriptLine{{takes: 1}, {step: -6 * ms, takes: 1}, {pass: 1 * ms, takes: 1}}, nil, 10 * ms},
	} {
		t.Run(name, func(t *testing.T) {
			s := at(t, "leaf", 7, 1000)
			ours := s.ours(t, c.script)
			theirs, right := s.theirs(t, c.script, openLeaf, ours)
			compare(t, c.script, ours, theirs, right)
			last := ours[len(ours)-1]
			assert.Equal(t, c.waited, last.waited)
			if c.err != nil {
				assert.ErrorIs(t, last.err, c.err)
				return
			}
			require.NoError(t, last.err)
			p, err := l.Parse(last.id)
			require.NoError(t, err)
			assert.Less(t, p.Seq, int64(100))
		})
	}
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
				rest(100, 0, 4), rest(100, 0, 5), rest(100, 0, 6), rest(100, 0, 7), ErrTickFull, rest(101, 0, 0),
			},
		},
		"the bit turns on a step back and is kept": {
			script: []scriptLine{{takes: 2}, {step: -3 * time.Minute, takes: 2}, {step: 9 * time.Minute, takes: 1}},
			gives:  []any{rest(100, 0, 0), rest(100, 0, 1), rest(97, 1, 0), rest(97, 1, 1), rest(106, 1, 0)},
		},
		"and turns again after what was given": {
			script: []scriptLine{{takes: 1}, {step: -3 * time.Minute, takes: 1}, {step: 9 * time.Minute, takes: 1}, {step: -2 * time.Minute, takes: 1}},
			gives:  []any{rest(100, 0, 0), rest(97, 1, 0), rest(106, 1, 0), rest(104, 0, 0)},
		},
		"a second step back over the same time": {
			script: []scriptLine{{takes: 1}, {step: -3 * time.Minute, takes: 1}, {step: -1 * time.Minute, takes: 1}},
			gives:  []any{rest(100, 0, 0), rest(97, 1, 0), ErrClockBack},
			theirs: []any{rest(96, 0, 0)}, // of which it does not know whether it was given
		},
		"a second step back to the same minute": {
			script: []scriptLine{{takes: 1}, {step: -3 * time.Minute, takes: 1}, {step: 5 * time.Minute, takes: 1}, {step: -2 * time.Minute, takes: 1}},
			gives:  []any{rest(100, 0, 0), rest(97, 1, 0), rest(102, 1, 0), rest(100, 0, 1)},
			theirs: []any{rest(100, 0, 0)}, // again
		},
	} {
		r.scenario, r.open = scenario{eight, 3, 100}, openRaindrop
		t.Run(name, r.check)
	}
}

// The first ids that raindrop's own code gave, for each layout that it was run
// with. Ours are the same, from a generator and not by composing them.
func TestTraceOfRaindropsLayouts(t *testing.T) {
	for name, v := range readVectors(t) {
		if v.Layout.TurnBits == 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			c := testConfig()
			c.Layout = v.layout()
			c.ClockBack, c.Turn = system(t, "raindrop-s").ClockBack, v.Cases[0].Turn
			r := trace{scenario: scenario{c, v.Cases[0].Worker, v.Cases[0].Tick}, open: openRaindrop, script: []scriptLine{{takes: len(v.Cases)}}}
			for _, id := range v.Cases {
				r.gives = append(r.gives, id.ID)
			}
			r.check(t)
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
			ours := scenario{c, 3, c.Layout.maxTick()}.ours(t, []scriptLine{{takes: 2}, {pass: c.Layout.Unit, takes: 2}, {step: time.Hour, takes: 1}})
			assert.NoError(t, ours[1].err, "the last tick is one")
			assert.Positive(t, ours[1].id)
			for _, k := range ours[2:] {
				assert.ErrorIs(t, k.err, ErrTimeOver)
				assert.Zero(t, k.id)
			}
		})
	}
}
