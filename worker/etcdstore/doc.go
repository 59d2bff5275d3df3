// Package etcdstore keeps recycled worker ids in etcd.
//
//	client, err := clientv3.New(clientv3.Config{
//		Endpoints:            []string{"etcd-0:2379", "etcd-1:2379", "etcd-2:2379"},
//		DialKeepAliveTime:    10 * time.Second,
//		DialKeepAliveTimeout: 3 * time.Second,
//	})
//	...
//	assigner := worker.Leased(etcdstore.New(client, etcdstore.Options{}), worker.Claim{})
//
// The caller owns the client, closes it, and chooses its zap logger, which gets a line
// for each failed dial. Give it the addresses of all members, and keep-alives: without them
// it notices a member that hangs only when the connection breaks, after a quarter of an hour.
//
// There is one key for each worker id, with JSON as its value:
//
//	/ringuid/rows/LAYOUT/0000000000000000017   nonce, high, held, expires, renewed, owner, ...
//
// Nothing else may lie below /ringuid/rows. No key has an etcd lease: a row says itself who
// holds it, and until when. A write reads the row, decides, and puts it on the condition that
// its value is still the one that was read. A worker id is written once per half window at a
// steady load, and once per third of the TTL when idle. The role of the client's user must be
// able to read and write the keys below Options.Prefix.
//
// # Clocks
//
// A transaction of etcd cannot read a clock, but members answer HTTP on their client port, and
// each answer has the time: a Store asks for /version once a minute, and before it opens a
// row. If the members require TLS, set Options.TLS to what the client uses. A process that
// cannot read the time (--listen-client-http-urls on another port, or a proxy that speaks only
// gRPC), or whose own clock is off by more than two seconds (worker.ErrClock), writes nothing.
//
// # What it is worth
//
// The class is Fenced: a majority of members has on disk what the cluster has
// acknowledged, and a fail-over loses none of it. Holders of leases continue as soon as
// there is a leader again. Clocks of members may differ by a second, with the default
// Claim.Slack.
//
//   - Run three members or more, or one of a version from 3.4.21 or 3.5.5: Check refuses a
//     single older one, which may forget what it acknowledged (etcd issue 14370).
//   - Leave fsync on: Check cannot see --unsafe-no-fsync.
//   - Deleting keys, or all of them, is safe at any time.
//   - Restoring a backup, or forcing a new cluster from one member, takes rows back. Holders
//     that live notice it when they renew, and delete the rows (worker.ErrRolledBack); that may
//     be too late for what is started meanwhile. So stop the processes, restore, run `uidbench
//     worker quarantine`, and start them.
//   - A member may be replaced by an empty one, as etcd's manual says: remove the one, add
//     the other.
package etcdstore
