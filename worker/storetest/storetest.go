package storetest

import (
	"cmp"
	"testing"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// Options say what is special about a store. The zero value is for a store that is quick,
// keeps what it acknowledged, and is not changed by hand.
type Options struct {
	// TTL is the shortest that a lease can be; 0 means 50 ms. Tests wait several times that long.
	TTL time.Duration

	// ManyRows is the number of rows where a test needs many, for a store that creates rows
	// slowly, and shows fewer than this many of them in an answer. 0 means 3000.
	ManyRows int64

	// Restart gives the server a new incarnation, which the store shows. Such a store is a
	// store.Raiser. A store that keeps what it acknowledged needs neither Restart nor the tests
	// of heads and fail-overs.
	Restart func(t *testing.T)

	// Hands adds tests of what people may delete by hand.
	Hands func(t *testing.T, s store.Store) Hands
}

// Hands changes what a store keeps as people do by hand, in ways that no method of a
// Store offers. Each function fails the test when it cannot.
type Hands struct {
	DeleteRow  func(layout string, worker int64)
	DeleteHead func(layout string) // nil: the store has no heads
	DeleteAll  func()              // the store's tables, or all under its prefix
}

// Run checks the store that open returns. It opens one for each test and closes none:
// open may register a cleanup with its t, or always return the same store. Each test begins
// by deleting all rows of the place.
func Run(t *testing.T, open func(t *testing.T) store.Store, o Options) {
	o.TTL, o.ManyRows = cmp.Or(o.TTL, 50*time.Millisecond), cmp.Or(o.ManyRows, 3000)
	tests := suite{
		{"Check", testCheck},
		{"each operation on a row in each state", testOperations},
		{"ticks, owners and nonces are exact", testExact},
		{"many rows", testManyRows},
		{"many Create and Open at once", testMakersAtOnce},
		{"View shows the rows asked for", testViewRange},
		{"Others", testOthers},
		{"layouts are apart", testLayoutsApart},
		{"another unit", testAnotherUnit},
		{"Delete", testDelete},
		{"a context that has ended", testContextEnded},
		{"linearizable", func(f *fixture) { linearizable(f, nil) }},
		{"the time is asked for each time", testNow},
		{"rows are deleted under their holders", testDeletingUnderHolders},
	}
	if o.Restart != nil { // last, since it leaves dead connections
		tests = append(tests, suite{{"heads", testHeads}}...)
	}
	if o.Restart != nil && o.Hands != nil {
		tests = append(tests, suite{{"a head is deleted under the holders", testHeadByHand}}...)
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) { c.test(newFixture(t, open(t), o)) })
	}
}

type suite []struct {
	name string
	test func(*fixture)
}
