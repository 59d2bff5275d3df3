package storetest

import (
	"testing"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// An Option says what is special about a store.
type Option func(*settings)

type settings struct {
	noClock  bool
	stale    bool
	ttl      time.Duration
	many     int64
	separate bool
	rowwise  bool
	restart  func(t *testing.T)
	hands    func(t *testing.T, s store.Store) Hands
}

// WithoutClock is for a store that has no clock inside a write, and uses Write.Now
// instead.
func WithoutClock() Option { return func(s *settings) { s.noClock = true } }

// WithTTL is for a store whose leases cannot be shorter than this. The default is
// 50 ms. Tests wait several times that long.
func WithTTL(shortest time.Duration) Option { return func(s *settings) { s.ttl = shortest } }

// WithManyRows is for a store that makes rows slowly, and shows less than this many of them in
// an answer: as many are made where many are. The default is 3000.
func WithManyRows(n int64) Option { return func(s *settings) { s.many = n } }

// WithStaleViews is for a store whose View may show a moment that has passed. It matters
// only to Linearizable: elsewhere one client reads what it wrote itself, which even such
// a store shows at once.
func WithStaleViews() Option { return func(s *settings) { s.stale = true } }

// WithNamespaceApart is for a store whose Write reads its row alone: a lease goes on when
// its namespace is deleted and its row is left.
func WithNamespaceApart() Option { return func(s *settings) { s.separate = true } }

// WithRowsFirst is for a store whose Init makes rows before the namespace, in requests of
// their own: others may do something in between.
func WithRowsFirst() Option { return func(s *settings) { s.rowwise = true } }

// WithRestart is for a store that shows the incarnation of its server: restart gives it a
// new one. Without it the tests of a fail-over are skipped: a store that keeps what it
// acknowledged needs none.
func WithRestart(restart func(t *testing.T)) Option {
	return func(s *settings) { s.restart = restart }
}

// Hands changes what a store keeps as people do by hand, in ways that no method of a
// Store offers. Each function fails the test when it cannot.
type Hands struct {
	DropNamespace func(name string)               // and leaves its rows
	DropRow       func(name string, id int64)     // of a worker id
	DropSpace     func(fingerprint string)        // the record of a layout's worker ids
	SetWindow     func(name string, window int64) // of a namespace, in ticks
	Catalog       store.Catalog                   // what the store's Init calls
}

// WithHands is for a store that people can change by hand: it adds tests of what Init
// does then.
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
// open may register a cleanup with its t, or always return the same store.
func Run(t *testing.T, open func(t *testing.T) store.Store, options ...Option) {
	s := settle(options)
	suite := []testCase{
		{"Check", testCheck},
		{"Init makes free rows", testInit},
		{"Init sets the floor", testInitFloor},
		{"Init again leaves all as it is", testInitAgain},
		{"Init with other settings", testInitOther},
		{"many Init at once", testInitAtOnce},
		{"Init with more worker ids", testInitWider},
		{"Init without a record", testInitUnknownPast},
		{"Init with the worker ids of another", testInitOverlap},
		{"Init of one range by two", testInitOverlapAtOnce},
		{"Init of many rows", testManyRows},
		{"namespaces are apart", testNamespacesApart},
		{"no namespace", testNoNamespace},
		{"View shows the rows asked for", testViewRange},
		{"conditions of a write", testConditions},
		{"a second expected nonce", testSecondNonce},
		{"nonces are exact", testNoncesExact},
		{"a held row", testHeld},
		{"an expired row", testExpired},
		{"the window is exact", testWindowLimit},
		{"what an acquiring write leaves", testAcquire},
		{"what an extending write leaves", testExtend},
		{"only a release lowers High", testRelease},
		{"owners are exact", testOwners},
		{"far ticks", testFarTicks},
		{"Quarantine raises the floor", testQuarantine},
		{"Raise of an epoch that stands", testRaiseInVain},
		{"a context that has ended", testContextEnded},
		{"one of many writers wins", testOneWriterWins},
		{"as many starters as rows", testStarters},
		{"takeover after a release", testTakeoverAfterRelease},
		{"a clean restart mints at once", testCleanRestart},
		{"takeover after an expiry, and a fence", testTakeoverAfterExpiry},
		{"a worker id is freed, and stolen", testFree},
		{"a namespace is removed", testRemove},
		{"a removed namespace is remembered", testRemoveRemembers},
		{"a removed namespace is made for other ticks", testRemoveForOtherTicks},
		{"a namespace is removed and made beside its holders", testRemoveBeside},
		{"a store that went back in time", testWentBack},
		{"a store that went back in time while nobody looked", testRestoredUnseen},
		{"linearizable", func(f *fixture) { linearizable(f.t, f.store, f.settings, nil) }},
	}
	if s.noClock {
		suite = append(suite, testCase{"the writer's clock", testWritersClock})
	} else {
		suite = append(suite, testCase{"the writer's clock is not asked", testWritersClockIgnored})
		suite = append(suite, testCase{"a process whose clock is an hour ahead", testClockAhead})
	}
	if s.hands != nil {
		suite = append(suite, byHand...)
		if s.rowwise {
			suite = append(suite, testCase{"an Init that makes its rows late", testRowsLate})
		}
	}
	if s.restart != nil { // the last: connections are left dead
		suite = append(suite, testCase{"another incarnation", testRestart})
		suite = append(suite, testCase{"a lease outlives an incarnation", testLeaseOverRestart})
		suite = append(suite, testCase{"a worker id is freed in another incarnation",
			testFreeAfterRestart})
	}
	for _, c := range suite {
		t.Run(c.name, func(t *testing.T) { c.test(newFixture(t, open(t), s)) })
	}
}

type testCase struct {
	name string
	test func(*fixture)
}
