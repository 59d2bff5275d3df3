// Package storetest checks a [store.Store]: each sentence of its contract is a test, and
// every store of this module passes them all against its real server. For a new store run
// the same:
//
//	func TestStore(t *testing.T) {
//		db := startDatabase(t)
//		storetest.Run(t, func(t *testing.T) store.Store { return mystore.New(db) })
//	}
//
// Give the suite a place of its own, a table or a prefix: each test begins by deleting all
// rows of the place.
//
// Run checks what a Write does when one of its conditions fails, one condition at a time;
// what is in the row when all hold; what Create, Open, Delete and Raise do to rows that are
// there, that are not, or that were deleted and created again; that of several writers of one
// row exactly one wins; and that worker.Leased takes over an expired row above the ticks of
// its last holder, who notices. It deletes rows while processes mint, and counts what they
// mint. What package worker does by itself, whatever the store, is tested there.
//
// Options say what a store cannot do: keep leases shorter than some time (WithTTL), create
// rows fast (WithManyRows). Others add tests: of what people delete by hand (WithHands), and, for
// stores that may lose what they acknowledged, of a new incarnation of the server (WithRestart).
// For such a store Run makes heads with a negative Raise.Margin, so that no test has to wait until
// a floor is past.
//
// Linearizable lets several clients read and write one row at once, while faults cut
// their connections, and looks for one order of all operations that explains every
// answer. A write whose answer was lost may have happened at any later time, or never.
//
// No such test can tell whether a store keeps what it acknowledged. To find out, kill its
// server and read the rows again.
package storetest
