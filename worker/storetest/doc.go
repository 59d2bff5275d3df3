// Package storetest checks a [store.Store]: each sentence of its contract is a test, and
// every store of this module passes them all against its real server. For a new store run
// the same:
//
//	func TestStore(t *testing.T) {
//		db := startDatabase(t)
//		storetest.Run(t, func(t *testing.T) store.Store { return mystore.New(db) })
//	}
//
// A store may be opened many times on one server: each test creates namespaces of its
// own, with random names beginning with "storetest-", and leaves them there.
//
// Run checks what a Write does when one of its conditions fails, one condition at a time;
// what is in the row when all hold; what Init, View, Raise and Quarantine do to a
// namespace that exists and to one that does not; that of several writers of one row
// exactly one wins; and that worker.Leased takes over a released and an expired row above
// the ticks of its last holder, who notices.
//
// Options say what a store cannot do: read a clock inside a write (WithoutClock), keep
// leases shorter than some time (WithTTL), show views that are never stale
// (WithStaleViews); and, for stores that may lose what they acknowledged, how to give its
// server a new incarnation (WithRestart).
//
// Linearizable lets several clients read and write one row at once, while faults cut
// their connections, and looks for one order of all operations that explains every
// answer. A write whose answer was lost may have happened at any later time, or never.
//
// No such test can tell whether a store keeps what it acknowledged. To find out, kill its
// server and read the rows again.
package storetest
