package storetest

import (
	"testing"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// An Option says what is special about a store.
type Option func(*settings)

type settings struct {
	ttl     time.Duration
	many    int64
	restart func(t *testing.T)
	hands   func(t *testing.T, s store.Store) Hands
}

// WithTTL is for a store whose leases cannot be shorter than this. The default is
// 50 ms. Tests wait several times that long.
func WithTTL(shortest time.Duration) Option { return func(s *settings) { s.ttl = shortest } }

// WithManyRows is for a store that creates rows slowly, and shows fewer than this many of
// them in an answer: this is the number of rows where a test needs many. The default is 3000.
func WithManyRows(n int64) Option { return func(s *settings) { s.many = n } }

// WithRestart is for a store that shows the incarnation of its server: restart gives it a
// new one. Such a store is a store.Raiser. Without it there are no tests of heads and
// fail-overs: a store that keeps what it acknowledged needs none.
func WithRestart(restart func(t *testing.T)) Option {
	return func(s *settings) { s.restart = restart }
}

// Hands changes what a store keeps as people do by hand, in ways that no method of a
// Store offers. Each function fails the test when it cannot.
type Hands struct {
	DeleteRow  func(layout string, worker int64)
	DeleteHead func(layout string) // nil: the store has no heads
	DeleteAll  func()              // the store's tables, or all under its prefix
}

// WithHands is for a store that people can change by hand: it adds tests of what they may
// delete.
func WithHands(hands func(t *testing.T, s store.Store) Hands) Option {
	return func(s *settings) { s.hands = hands }
}

func settle(options []Option) settings {
	s := settings{ttl: 50 * time.Millisecond, many: 3000}
	for _, o := range options {
		o(&s)
	}
	return s
}

// Run checks the store that open returns. It opens one for each test and closes none:
// open may register a cleanup with its t, or always return the same store. Each test begins
// by deleting all rows of the place.
func Run(t *testing.T, open func(t *testing.T) store.Store, options ...Option) {
	s := settle(options)
	for _, c := range s.suite() {
		t.Run(c.name, func(t *testing.T) { c.test(newFixture(t, open(t), s)) })
	}
}

type testCase struct {
	name string
	test func(*fixture)
}

func (s settings) suite() []testCase {
	suite := []testCase{
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
		{"many processes start in an empty place", testStarters},
		{"takeover after an expiry, and a fence", testTakeover},
		{"rows are deleted under their holders", testDeletingUnderHolders},
	}
	if s.restart != nil { // the last: connections are left dead
		suite = append(suite, testCase{"heads", testHeads})
		if s.hands != nil {
			suite = append(suite, testCase{"a head is deleted under the holders", testHeadByHand})
		}
	}
	return suite
}
