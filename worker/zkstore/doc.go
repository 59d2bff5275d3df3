// Package zkstore keeps recycled worker ids in ZooKeeper.
//
//	conn, _, err := zk.Connect([]string{"zk-0:2181", "zk-1:2181", "zk-2:2181"}, 4*time.Second)
//	...
//	assigner := worker.Leased(zkstore.New(conn, zkstore.Options{}), worker.Claim{})
//
// The caller owns the connection, and closes it. Use a short session timeout: nothing
// here is lost with a session, and the timeout decides how long the client stays with a
// server that hangs: two thirds of it when connected, nearly seven times as long while
// connecting. 4 s is the shortest that servers allow by default; with more than that, a
// server that hangs may stop a holder until the client gives it up. Calls that a busy server
// answers later than two thirds of the timeout fail, and a holder tries again.
//
// # What is kept
//
// There is one node for each worker id, with JSON in it, and below it a node whose name is the
// nonce of its last write:
//
//	/ringuid/rows/LAYOUT/0000000000000000017        nonce, high, held, expires, renewed, ...
//	/ringuid/rows/LAYOUT/0000000000000000017/9f...  empty
//	/ringuid/clock                                  empty: see below
//
// Nothing else may lie below /ringuid/rows. No node is ephemeral: a row says itself who holds
// it, and until when. A write reads the row, decides, and then in one transaction deletes the
// node of the nonce that was read, creates that of the new one, and sets the text. Versions
// are not compared, since those of a node that is deleted and created again begin at 0 again.
// A worker id is written once per half window at a steady load, and once per third of the TTL
// when idle.
//
// The rows of a layout are deleted in one transaction, of up to 700 kB: some 3,500 rows. More
// are deleted in several.
//
// A view shows everything that was acknowledged before, even from a server that lags,
// with one exception: a leader that was paused while another was elected believes for a
// moment that it still leads, and shows an older state. That does no harm: it cannot
// write, so whatever builds on such a view is not applied.
//
// The client knows no contexts. A call returns when its context ends, but what it has
// sent may still be applied: the next view shows it.
//
// # Clocks
//
// A write to ZooKeeper cannot read a clock, but whoever changes a node is told the leader's
// time: a Store writes /ringuid/clock once a minute, and before it opens a row. A process that
// may not write it, or whose own clock is off by more than two seconds (worker.ErrClock),
// writes no rows.
//
// # What it is worth
//
// The class is Fenced: a majority of servers has on disk what the ensemble has
// acknowledged, and a fail-over loses none of it. Holders of leases continue as soon as
// there is a leader again. Clocks of servers may differ by a second, with the default
// Claim.Slack. Check cannot read the settings that this rests on, so check them yourself:
//
//   - forceSync must not be off (zookeeper.forceSync=no), and each server must keep its
//     dataLogDir.
//   - A server that lost its disk comes back empty, yet as a member: replace one at a
//     time, and wait until it has caught up.
//   - Deleting nodes, or all of them, is safe at any time.
//   - Restoring a snapshot takes rows back. So stop the processes, restore, run `uidbench
//     worker quarantine`, and start them. Servers refuse, for ever and without saying why,
//     every connection that has seen a later state than theirs; the store's error names the
//     reason. An ensemble that has elected nobody since the snapshot refuses no one: then
//     holders that live notice it when they renew, and delete the rows
//     (worker.ErrRolledBack), which may be too late for what is started meanwhile.
//   - The default ACL lets anybody change the nodes: restrict it with Options.ACL.
package zkstore
