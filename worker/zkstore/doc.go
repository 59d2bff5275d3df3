// Package zkstore keeps recycled worker ids in ZooKeeper.
//
//	conn, _, err := zk.Connect([]string{"zk-0:2181", "zk-1:2181", "zk-2:2181"}, 4*time.Second)
//	...
//	store := zkstore.New(conn, zkstore.Options{})
//	assigner := worker.Leased(store, worker.Claim{})
//
// The caller owns the connection, and closes it. Use a short session timeout: nothing
// here is lost with a session, and the timeout decides how long the client stays with a
// server that hangs: two thirds of it when connected, nearly seven times as long while
// connecting. Make a namespace's window longer than fourteen times the timeout. 4 s is
// the shortest that servers allow by default. Calls to a server that is only busy, and
// takes longer than two thirds to answer, fail: a holder tries again, Init does not.
//
// # What is kept
//
// Nodes with JSON in them, below Options.Root:
//
//	/ringuid/~space/FINGERPRINT   which worker ids of a layout namespaces ever had, their longest
//	window
//	/ringuid/default/namespace    fingerprint, unit, range, window, floor, seal
//	/ringuid/default/rows/17      nonce, held, high, expires, renewed, owner, unit
//	/ringuid/default/owners/17    ephemeral: whose session holds the row
//
// Rows are persistent and never deleted: a row that is created again would count its
// versions from 0. They outlive a namespace that is removed, and say in which unit they
// count, so that one of the same name for other ticks begins behind the same time. The
// owners are for people to read, and show at once that a process is gone; nothing is
// decided by them. When a session ends while its process is still alive, the owner is
// deleted, and the next write creates it again.
//
// For each change the client reads the namespace and the row, decides, and writes in one
// multi on the condition that neither version has changed. Each worker makes one such
// change per half window at a steady load, and per third of the TTL when idle: one write
// of the ensemble, one sync, and five reads that one server answers. Versions have 32
// bits, so a row can be written two thousand million times, which takes decades at the
// fastest rate of a holder.
//
// # Reads
//
// A view shows everything that was acknowledged before, even from a server that lags,
// with one exception: a leader that was paused while another was elected believes for a
// moment that it still leads, and shows an older state. That does no harm: it cannot
// write, so whatever builds on such a view is not applied.
//
// # Contexts
//
// The client knows no contexts. A call returns when its context ends, but what it has
// sent may still be applied: the next view shows it.
//
// # Clocks
//
// A write to ZooKeeper cannot read a clock, but its answer has the leader's time. So
// every write of a row reads the leader's clock; before the first, and after a minute
// without one, a view writes to owners, which changes nothing there. The clock decides
// when a row may be taken over, and how far ahead it is granted, never whether two
// holders mint the same tick. A process whose own clock is off by more than a window is
// refused before it writes a row (worker.ErrClock). A process that may not write to
// owners uses its own clock, and View.Clock says so.
//
// # What it is worth
//
// The class is Fenced: a majority of servers has on disk what the ensemble has
// acknowledged, and a fail-over loses none of it. Holders of leases continue as soon as
// there is a leader again. Check cannot read the settings that this rests on, so check
// them yourself:
//
//   - forceSync must not be off (zookeeper.forceSync=no), and each server must keep its
//     dataLogDir.
//   - A server that lost its disk comes back empty, yet as a member: replace one at a
//     time, and wait until it has caught up.
//   - Restoring a snapshot takes rows back. Before holders write again, quarantine each
//     namespace above the highest tick in any copy or log. Servers refuse, for ever and
//     without saying why, every connection that has seen a later state than theirs; the
//     store's error names the reason. Restart the process to get a new connection. An
//     ensemble that has elected nobody since the snapshot refuses no one, as its next leader
//     begins a later epoch: then a holder notices by its row, when it renews
//     (store.ErrRolledBack).
//   - The default ACL lets anybody change the nodes: restrict it with Options.ACL.
package zkstore
