// Package etcdstore keeps recycled worker ids in etcd.
//
//	client, err := clientv3.New(clientv3.Config{
//		Endpoints:            []string{"etcd-0:2379", "etcd-1:2379", "etcd-2:2379"},
//		DialKeepAliveTime:    10 * time.Second,
//		DialKeepAliveTimeout: 3 * time.Second,
//	})
//	...
//	store := etcdstore.New(client, etcdstore.Options{})
//	assigner := worker.Leased(store, worker.Claim{})
//
// The caller owns the client, closes it, and chooses its zap logger, which gets a line
// for each failed dial.
//
// Give it the addresses of all members, and keep-alives. Without keep-alives it does not
// notice a member that hangs or is cut off, and goes on asking each member in turn. A
// renewal is three requests, so with three members the same one gets the write each time;
// if that one hangs, nothing is renewed until the connection breaks, which takes a
// quarter of an hour. Make a namespace's window longer than twice the time that
// keep-alives need to notice; gRPC sends them every 10 s at most.
//
// # What is kept
//
// There is one key for each layout, each namespace and each worker id, with JSON as its
// value:
//
//	/ringuid/~space/FINGERPRINT                 which worker ids of a layout namespaces ever had,
//	their longest window
//	/ringuid/default/namespace                  fingerprint, unit, range, window, floor, seal
//	/ringuid/default/rows/0000000000000000017   nonce, held, high, expires, renewed, owner
//
// No key has an etcd lease: when a lease ends its keys are deleted, and with the row, how
// far its worker id was granted. Who holds a row, and until when, is in the row itself.
//
// For each change the client reads the namespace and the row in one transaction, decides,
// and writes in another on the condition that neither has changed. Each worker makes one
// such change per half window at a steady load, and per third of the TTL when idle: one
// write through the cluster's log, and two linearizable reads. Its role must be able to
// read and write the keys below Options.Prefix.
//
// # Clocks
//
// A transaction of etcd cannot read a clock, but the members answer HTTP on their client
// port, and each answer has the time: a Store asks for /version in Check and once a
// minute. The clock decides when a row may be taken over, and how far ahead it is
// granted, never whether two holders mint the same tick. A process whose own clock is off
// by more than a window is refused before it writes (worker.ErrClock).
//
// If the members require TLS, set Options.TLS to what the client uses. Where no member
// speaks HTTP (--listen-client-http-urls on another port, or a proxy that speaks only
// gRPC), each process uses its own clock; View.Clock and a line in the log say so. Then
// processes whose clocks differ by the TTL take each other's rows, and the loser is
// fenced; and a process whose clock is far ahead grants itself ticks of the future, so
// that its row is passed over until they come.
//
// # What it is worth
//
// The class is Fenced: a majority of members has on disk what the cluster has
// acknowledged, and a fail-over loses none of it. Holders of leases continue as soon as
// there is a leader again.
//
//   - Run three members or more, or one of a version from 3.4.21 or 3.5.5: a
//     single older one may forget what it acknowledged (etcd issue 14370). Check
//     refuses it.
//   - Leave fsync on: Check cannot see --unsafe-no-fsync.
//   - Restoring a backup, or forcing a new cluster from one member, takes rows back.
//     Before holders write again, quarantine each namespace above the highest tick in any
//     copy or log. A Store that has seen the cluster's revision before notices that it
//     decreased, and refuses to serve until then (store.ErrRolledBack). A revision that was
//     bumped on restoring hides that; then a holder notices by its row, when it renews. Who
//     is opened afterwards cannot know.
//   - A member may be replaced by an empty one, as etcd's manual says: remove the one, add
//     the other.
//   - Compaction and defragmentation do no harm.
package etcdstore
