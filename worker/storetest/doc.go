// Package storetest checks a [store.Store]: each sentence of its contract is a
// test, and every store of this module passes them all against its real server.
// Whoever writes another store runs the same:
//
//	func TestStore(t *testing.T) {
//		db := startDatabase(t)
//		storetest.Run(t, func(t *testing.T) store.Store { return mystore.New(db) })
//	}
//
// A store may be opened many times on one server: each test makes namespaces of
// its own, with random names beginning with "storetest-", and leaves them behind.
//
// Run asks what a Write does when one of its conditions fails, one condition at a
// time; what is in the row when all hold; what Init, View, Raise and Quarantine do
// to a namespace that is there and to one that is not; that of several writers of
// one row exactly one wins; and that worker.Leased on top takes over a released
// and an expired row above the last holder, who notices.
//
// Options say what a store may do without: a clock inside a write (WithoutClock),
// leases shorter than so much (WithTTL), views that are never stale
// (WithStaleViews); and how to make its server another incarnation (WithRestart),
// for stores that may lose what they acknowledged.
//
// Linearizable lets several clients read and write one row at once, while faults
// cut their connections, and looks for an order of all that happened that explains
// every answer. Writes whose answers were lost may have happened, at any later
// time, or not.
//
// What no such test can tell is whether a store keeps what it acknowledged. Kill
// its server for that, and look.
package storetest
