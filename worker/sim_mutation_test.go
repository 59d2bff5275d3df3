package worker

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/race"
)

// mutation is a rule that is switched off.
type mutation string

const (
	none             mutation = ""
	sameNonce        mutation = "I2: a nonce is the same each time"
	oneNonce         mutation = "I2: a keeper writes with one nonce"
	anyNonce         mutation = "I3: a write does not compare the nonce"
	lowerHigh        mutation = "I4: a write sets High to the end of the window, whatever it was"
	mintWhileLeaving mutation = "I4: a generator goes on minting while it releases"
	releaseCopy      mutation = "I4: a release after a restore lowers High"
	releaseEarly     mutation = "I4: a release gives back the last tick, too"
	ignoreHigh       mutation = "I5: an acquired grant begins at now, not above High"
	ignoreRestore    mutation = "I5: a clone goes on with its grant"
	ignoreGap        mutation = "I5: a machine that slept goes on with its grant"
	showRestored     mutation = "I5: a lease shows what it gave up until it is renewed"
	forgetWrites     mutation = "I5: a clone forgets the writes under way"
	contest          mutation = "I5: a copy that was told so goes on with its row"
	anyHorizon       mutation = "I6: the writer's clock decides how far a grant reaches"
	sameServer       mutation = "I7: a server that lost writes looks like the one before"
	ignoreFloor      mutation = "I7: a grant of a new epoch begins below its floor"
	floorUnseen      mutation = "I7: a write does not compare the epoch and the floor that it knows"
	floorAtHigh      mutation = "I7: a new floor is the last tick that may be lost, not the one " +
		"above it"
	floorAtStart mutation = "I7: a floor follows from when the server started"
	keepOwnRow   mutation = "I7: a row that is as its holder wrote it, and has not expired, is " +
		"renewed below the floor"
	timeoutGrants mutation = "I8: a timeout counts as granted"
	adoptForeign  mutation = "I8: a foreign nonce is taken for the own"
	fenceAtOnce   mutation = "I8: a view that shows another's nonce fences, however old it is"
	forgetOlder   mutation = "I8: of the writes without an answer, only the last is remembered"
	keepFenced    mutation = "I8: a fenced holder uses its grant up"
	madeAgain     mutation = "I8: a row that nobody ever held was made again, however low its High is"
	forgetOrder   mutation = "I11: after a reacquire a generator begins at now"
	forgetPast    mutation = "I12: who was shown less than was acknowledged takes another row " +
		"at once"
	freeFloor     mutation = "an operator's new floor is the last tick that may be lost"
	freeHigh      mutation = "an operator frees a row as if its holder had minted until now"
	openedAtOnce  mutation = "a row is opened when it is created"
	timeBeforeRow mutation = "a row is opened by a time that was asked before it was read"
	keptTime      mutation = "a row is opened by a time that was asked once, and reckoned on"
	openAny       mutation = "a row is opened without comparing its creation"
	sameCreation  mutation = "rows are created with one nonce each time"
	noWindow      mutation = "a row is opened at now, without the window"
	noSlack       mutation = "a row is opened without slack"
	headAtNow     mutation = "a head that was missing begins now"
	anyLayout     mutation = "a process does not look for rows of other layouts"
	ownClock      mutation = "where writes have no clock, the writer's own decides"
	anyClock      mutation = "where writes have no clock, a writer is taken whose own is far off"
	storeClock    mutation = "I6: a renewal goes by the store's clock alone"
	deleteAhead   mutation = "a quarantine deletes rows that were granted further ahead than new " +
		"ones are"
	ownSlack      mutation = "I13: a process goes by the slack of its own claim"
	noAlone       mutation = "I13: nothing is added for a server that grants alone"
	noMade        mutation = "documents do not remember which creations were done"
	firstWithRows mutation = "the first save of a document has rows"
	countedTags   mutation = "the tag of a document is a counter that a restore sets back"
	keptRow       mutation = "(no rule) the store keeps a row that it was told to delete"
	believeGone   mutation = "such a row is believed to be gone"
	giveUp        mutation = "a keeper ends when a renewal has failed"
	leaveFloor    mutation = "who sees another server leaves the floor to others"
	neverWake     mutation = "a keeper that waits is woken by its generator alone"
)

// gate says within how many worlds each rule that is switched off must bring
// duplicates back, or break the order: ten times as many as it takes on average. Its world is the
// first one that does, until worlds change.
//
// Some are looked for by what they break instead. A floor on the last tick that may be
// lost takes more than 10,000 worlds until both sides of a fail-over mint that tick.
// What comes twice between a restore and its quarantine is excused, so that the two
// rules about that are not seen by duplicates. And a fenced holder that uses its grant
// up brings back none at all, in 90,000 worlds and by the proof: what was granted to it
// was granted to it alone. Dropping the grant serves clones that nobody told: it ends
// what they repeat. Where writes have no clock, no id rests on one either.
//
// That a live row waits for its expiry is no rule of safety (I10): worlds take rows
// by force, and nothing is found.
type gate struct {
	off       mutation
	world     uint64 // one that shows it
	within    uint64
	breach    bool     // of a rule; else a duplicate, or broken order
	documents bool     // are its store
	beside    mutation // what else differs, with which nothing is wrong
}

var gates = []gate{
	{off: sameNonce, world: 9, within: 180},                    // one in 18
	{off: oneNonce, world: 115, within: 750},                   // one in 75
	{off: anyNonce, world: 1, within: 40},                      // one in 4
	{off: lowerHigh, world: 257, within: 7500},                 // one in 750
	{off: mintWhileLeaving, world: 123, within: 2500},          // one in 250
	{off: releaseCopy, world: 8006, within: 60000},             // one in 6000
	{off: releaseEarly, world: 45, within: 1100},               // one in 110
	{off: ignoreHigh, world: 1, within: 220},                   // one in 22
	{off: ignoreRestore, world: 39, within: 310},               // one in 31
	{off: ignoreGap, world: 39, within: 1100},                  // one in 110
	{off: showRestored, world: 361, within: 620},               // one in 62
	{off: forgetWrites, world: 7948, within: 45000},            // one in 4500
	{off: contest, world: 1, within: 20, breach: true},         // one in 2
	{off: anyHorizon, world: 123, within: 2100},                // one in 210
	{off: sameServer, world: 27, within: 400},                  // one in 40
	{off: ignoreFloor, world: 353, within: 1400},               // one in 140
	{off: floorUnseen, world: 11635, within: 50000},            // one in 705
	{off: floorAtHigh, world: 675, within: 2780, breach: true}, // one in 278
	// Both would keep ids close to the clock after a restart that lost nothing. The first fails where
	// a primary was restarted while another served, and is the primary again; the second where rows
	// were deleted, and the deletion is lost.
	{off: floorAtStart, world: 27, within: 25000},            // one in 2500
	{off: keepOwnRow, world: 15597, within: 110000},          // one in 11,000
	{off: timeoutGrants, world: 1, within: 30},               // one in 3
	{off: adoptForeign, world: 12, within: 50},               // one in 5
	{off: keepFenced, world: 199, within: 420, breach: true}, // one in 42
	{off: madeAgain, world: 705, within: 5000, breach: true}, // one in 500
	{off: fenceAtOnce, world: 220, within: 30000, breach: true},
	{off: forgetOlder, world: 4615, within: 30000, breach: true},
	{off: forgetOrder, world: 45, within: 2420},               // one in 242
	{off: forgetPast, world: 214, within: 1000, breach: true}, // one in 100
	{off: freeFloor, world: 986, within: 3670, breach: true},  // one in 367
	{off: freeHigh, world: 22, within: 3000},                  // one in 300
	{off: openedAtOnce, world: 4274, within: 30000, breach: true},
	{off: timeBeforeRow, world: 72, within: 17000}, // one in 1700
	{off: keptTime, world: 6972, within: 40000},    // one in 4000
	{off: openAny, world: 7770, within: 30000, breach: true},
	{off: sameCreation, world: 7770, within: 30000, breach: true},
	{off: noWindow, world: 72, within: 25000},    // one in 2500
	{off: noSlack, world: 569, within: 100000},   // one in 10,000
	{off: headAtNow, world: 3548, within: 30000}, // one in 3000
	{off: anyLayout, world: 10, within: 3000},
	{off: ownClock, world: 24, within: 70, breach: true}, // one in 7
	{off: anyClock, world: 4, within: 60, breach: true},  // one in 6
	{off: storeClock, world: 1, within: 1000, breach: true},
	{off: deleteAhead, world: 39, within: 30000},
	{off: ownSlack, world: 38942, within: 100000},
	{off: noAlone, world: 422, within: 100000},
	{off: believeGone, beside: keptRow, world: 306, within: 14000, breach: true}, // one in 1400
	// What docs/stores.md says of documents.
	{off: noMade, world: 135, within: 2000, breach: true, documents: true},
	{off: firstWithRows, world: 384, within: 4000, breach: true, documents: true},
	{off: countedTags, world: 46, within: 1000, breach: true, documents: true},
}

func TestEachRuleIsNeeded(t *testing.T) {
	if testing.Short() {
		t.Skip("simulated worlds")
	}
	race.Skip(t)
	leaveGarbage(t)
	for _, g := range gates {
		t.Run(string(g.off), func(t *testing.T) {
			t.Parallel()
			g.test(t)
		})
	}
}

// test looks first at the world that showed it last. If the worlds have changed since, it looks at
// the others. With UID_SIM_SEEDS, it does so anyway.
func (g gate) test(t *testing.T) {
	breaks := func(off mutation, seed uint64) error {
		w := newWorldOn(seed, off, !g.breach, false, g.documents)
		defer w.close()
		return w.run()
	}
	if os.Getenv("UID_SIM_SEEDS") == "" && breaks(g.off, g.world) != nil {
		require.NoError(t, breaks(g.beside, g.world))
		return
	}
	for seed := uint64(1); seed <= g.within; seed++ {
		if err := breaks(g.off, seed); err != nil {
			t.Logf("%q: world %d shows it: %v", g.off, seed, err)
			return
		}
	}
	t.Errorf("switched off, and nothing is wrong in %d worlds", g.within)
}
