// Package storetest checks a [store.Store]: each sentence of its contract is a test, and every
// store of this module passes them all against its real server. Run the same tests for a new
// store:
//
//	func TestStore(t *testing.T) {
//		db := startDatabase(t)
//		storetest.Run(t, func(t *testing.T) store.Store { return mystore.New(db) },
//			storetest.Options{})
//	}
//
// Give the suite a place of its own, such as a table or a prefix: each test begins by deleting
// all rows of the place.
//
// Run makes each call to the store and to a model of it: each operation on a row in each
// state. Both must give the same answer and show the same rows afterwards. Run lets many
// processes create rows at once; it lets processes mint while rows are deleted, and counts what
// they mint.
//
// Linearizable lets several clients read and write one row at once, while faults cut their
// connections, and looks for one order of all operations that explains every answer. A write
// whose answer was lost may have happened at any later time, or never.
//
// No such test can tell whether a store keeps what it acknowledged. To find out, kill its
// server and read the rows again.
package storetest
