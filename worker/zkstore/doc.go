// Package zkstore keeps recycled worker ids in ZooKeeper.
//
//	conn, _, err := zk.Connect([]string{"zk-0:2181", "zk-1:2181", "zk-2:2181"}, 4*time.Second)
//	...
//	store := zkstore.New(conn, zkstore.Options{})
//	assigner := worker.Leased(store, worker.Claim{})
//
// The connection is the caller's, who closes it. Let its session be short: nothing
// here is lost with a session, and its timeout is also how long the client clings to
// a server that hangs, two thirds of it when connected, nearly seven times as long
// while connecting. A namespace's window is to be longer than fourteen times it. 4 s
// is the shortest that servers grant by default.
//
// # What is kept
//
// Nodes with JSON in them, below Options.Root:
//
//	/ringuid/~space/FINGERPRINT   which worker ids of a layout namespaces ever had, their longest window
//	/ringuid/default/namespace    fingerprint, unit, range, window, floor, seal
//	/ringuid/default/rows/17      nonce, held, high, expires, renewed, owner
//	/ringuid/default/owners/17    ephemeral: whose session holds the row
//
// Rows are persistent and never deleted: one made anew would count its versions
// from 0 again. The owners are for people who look, and say at once that a process
// is gone; nothing is decided by them. A session that ends with its process still
// alive deletes the owner, and the next write makes it again.
//
// Each change reads the namespace and the row, is decided here, and is written in
// one multi on the condition that neither version has changed. A worker costs one
// such change each half window at a steady load and each third of the TTL when
// idle: one write of the ensemble, one sync, and five reads that one server
// answers. Versions are 32 bits, so a row bears two thousand million writes, which
// are decades at the fastest that a holder writes.
//
// # Reads
//
// A view shows all that was acknowledged before, also from a server that lagged
// behind, with one exception: a leader that slept through the election of another
// believes for a moment that it still leads, and shows what it remembers. That does
// no harm. It cannot write, so whatever builds on such a view is not applied.
//
// # Contexts
//
// The client has none. A call whose context ends returns, and what it has sent may
// still be applied: the next view shows it.
//
// # Clocks
//
// ZooKeeper has no clock that a write could ask, but each change has the leader's
// time, and whoever makes one is told. So every write of a row reads the leader's
// clock, and before the first, or when there was none for a minute, a view writes to
// owners, which changes nothing. The clock decides when a row may be taken over, and
// how far ahead it is granted, never whether two holders mint one tick. A process whose
// own clock is further off than a window is refused before it writes a row
// (worker.ErrClock). Who may not write owners goes by his own clock, and View.Clock
// says so.
//
// # What it is worth
//
// The class is Fenced: a majority of servers has on disk what the ensemble has
// acknowledged, and a fail-over loses none of it. Holders go on when there is a
// leader again, without a stall. Check cannot read the settings that this rests
// on, so look for yourself:
//
//   - forceSync must not be off (zookeeper.forceSync=no), and each server keeps
//     its dataLogDir.
//   - A server whose disk was lost comes back empty, and as a member: replace one
//     at a time, and wait until it has caught up.
//   - Restoring a snapshot takes rows back. Quarantine each namespace above the
//     highest tick in any copy or log before holders write again. Servers refuse
//     every connection that has seen a later state than theirs, for ever and without
//     saying why; the store's errors name it. Make a new one: start the process again.
//   - With Options.ACL only those who may write can do harm; the default lets
//     anybody.
package zkstore
