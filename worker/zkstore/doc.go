// Package zkstore keeps recycled worker ids in ZooKeeper.
//
//	conn, _, err := zk.Connect([]string{"zk-0:2181", "zk-1:2181", "zk-2:2181"}, 4*time.Second)
//	...
//	assigner := worker.Leased(zkstore.New(conn, zkstore.Options{}), worker.Claim{})
//
// Give the connection the addresses of one ensemble. With those of two, each process has one of
// them, and no server shows that: ids are equal.
//
// The caller owns the connection, and closes it. Use a short session timeout: nothing here is
// lost with a session, and the timeout decides how long the client stays with a server that
// hangs: two thirds of it when connected, nearly seven times as long while connecting. 4 s is
// the shortest that servers allow by default. The client does not support contexts: a call
// returns when its context ends, but what it has sent may still be applied.
//
// There is one node for each worker id, which contains JSON, and below it a node whose name is
// the nonce of the last write:
//
//	/ringuid/rows/LAYOUT/0000000000000000017        nonce, high, held, expires, renewed, ...
//	/ringuid/rows/LAYOUT/0000000000000000017/9f...  empty
//
// Nothing else may lie below /ringuid/rows. No node is ephemeral: a row itself says who holds
// it, and until when. One transaction replaces both the text and the node below it.
//
// A view shows everything that was acknowledged before, except from a leader that was paused while
// another was elected, until it notices: a write that builds on such a view is not applied.
//
// # Clocks
//
// A write to ZooKeeper cannot read a clock, but a client that changes a node is told the
// leader's time. So a Store writes /ringuid/rows, which stays empty, with each view, and before
// it opens a row. A process that may not do that writes no rows.
//
// # What it is worth
//
// The class is Fenced: a majority of servers has on disk what the ensemble has acknowledged, if
// forceSync is on, which is the default, and each server keeps its dataLogDir. Check can see
// neither. Replace one server at a time, and wait until it has caught up. Before a snapshot is
// restored, stop the processes, and run `ringuid worker quarantine` before they start.
package zkstore
