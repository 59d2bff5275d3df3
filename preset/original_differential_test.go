package preset

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/internal/race"
	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/uid"
)

// narrow leaves a layout so few numbers in a tick that scripts use them up.
func narrow(c uid.DefaultConfig, seqBits int) uid.DefaultConfig {
	c.Layout.SeqBits = seqBits
	return c
}

// comparison is a preset, made narrow, with the model it is held against.
type comparison struct {
	config uid.DefaultConfig
	open   opener
	sees   tally // 1 for each thing that must come up, 0 for those that cannot
}

func comparisons(t *testing.T) map[string]comparison {
	preset := func(name string, seqBits int) uid.DefaultConfig {
		return narrow(quiet(t, name), seqBits)
	}
	yitter := preset("yitter-go", 4)
	yitter.TickFull = policy.BorrowAhead(2) // short enough that scripts see the end of a drift
	tail := preset("raindrop-ms", 4)
	tail.Layout.TailBits, tail.Layout.Tail, tail.Turn = 5, 21, 1
	return map[string]comparison{
		"baidu":     {preset("baidu", 4), openTwitter, tally{ids: 1, back: 1, waits: 1}},
		"twitter":   {preset("twitter", 4), openTwitter, tally{ids: 1, back: 1, waits: 1}},
		"leaf":      {preset("leaf", 7), openLeaf, tally{ids: 1, back: 1, waits: 1}},
		"sonyflake": {preset("sonyflake", 8), openSony, tally{ids: 1, waits: 1}},
		"yitter":    {yitter, openYitter(2), tally{ids: 1, waits: 1, faults: 1}},
		"tsid":      {preset("tsid", 4), openTSID, tally{ids: 1}},
		"raindrop":  {tail, openRaindrop, tally{ids: 1, waits: 1, faults: 1}},
		"raindrop's long ticks": {preset("raindrop-h", 4), openRaindrop,
			tally{ids: 1, full: 1, faults: 1}},
	}
}

// Each system against a model of its own, over random clocks, and over one that nobody sets:
// the same ids and errors at the same time for as long as the original is right, and never an
// id twice.
func TestPresetsGiveWhatTheirOriginalsGive(t *testing.T) {
	for name, r := range comparisons(t) {
		t.Run(name, func(t *testing.T) {
			var seen tally
			tickIDs := 1<<r.config.Layout.SeqBits - r.config.MinSeq
			for _, seed := range seeds() {
				t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
					random := randomScript(seed, r.config.Layout.Unit, tickIDs)
					for _, script := range [][]scriptLine{random, forward(random)} {
						scenario := aYearOn(r.config)
						ours := scenario.ours(t, script, false)
						theirs, right := scenario.theirs(t, script, r.open, ours)
						compare(t, script, ours, theirs, right)
						if r.config.RandomSeq < 2 { // else each run has other ids
							assert.Equal(t, plain(ours), plain(scenario.ours(t, script, true)))
						}
						seen.add(theirs, right)
					}
				})
			}
			if !t.Failed() && !race.Enabled { // which runs a few
				seen.covers(t, r.sees)
			}
		})
	}
}

// seeds are fixed ones and a few that no run had before; a failure has its seed
// in its name.
func seeds() (all []uint64) {
	fixed := 60
	if race.Enabled { // a script is one goroutine's
		fixed = 2
	}
	for i := range fixed {
		all = append(all, uint64(i))
	}
	for range fixed / 6 {
		all = append(all, rand.Uint64())
	}
	return all
}

// tally is what a comparison has seen, so that none passes that looked at
// nothing.
type tally struct{ ids, back, full, waits, faults int }

func (n *tally) add(all []taken, right int) {
	for _, k := range all[:right] {
		switch sentinel(k.err) {
		case nil:
			n.ids++
		case uid.ErrClockBack:
			n.back++
		case uid.ErrTickFull:
			n.full++
		}
		if k.waited > 0 {
			n.waits++
		}
	}
	if right < len(all) {
		n.faults++
	}
}

// covers requires that everything was seen that must be, and nothing else.
func (n tally) covers(t *testing.T, must tally) {
	t.Helper()
	for what, c := range map[string][2]int{
		"ids": {n.ids, must.ids}, "clock set back": {n.back, must.back}, "tick full": {n.full, must.full},
		"waits": {n.waits, must.waits}, "faults of the original": {n.faults, must.faults},
	} {
		assert.Equal(t, c[1] > 0, c[0] > 0, "%s: %d", what, c[0])
	}
}
