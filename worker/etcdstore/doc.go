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
// The client is the caller's, who closes it, and its zap logger too: it logs each
// failed dial.
//
// Give it the addresses of all members, and keep-alives. Without these it does not
// notice a member that hangs or fell off the network, and goes on asking each member
// in turn. A renewal is three requests, so of three members the same one gets the
// write each time: should it be that one, nothing is renewed until the connection
// breaks, which takes a quarter of an hour. A namespace's window is to be longer than
// twice the time that keep-alives need; gRPC sends them every 10 s at most.
//
// # What is kept
//
// One key for a namespace and one for each worker id, as JSON:
//
//	/ringuid/~space/FINGERPRINT                 which worker ids of a layout namespaces ever had, their longest window
//	/ringuid/default/namespace                  fingerprint, unit, range, window, floor, seal
//	/ringuid/default/rows/0000000000000000017   nonce, held, high, expires, renewed, owner
//
// No key has an etcd lease: a lease that ends deletes its keys, and with the row
// would go the mark up to which its worker id was granted. Who holds a row, and
// until when, is in the row.
//
// Each change reads the namespace and the row in one transaction, is decided here,
// and is written by another on the condition that neither has changed. A worker
// costs one such change each half window at a steady load and each third of the
// TTL when idle: one write that goes through the log of the cluster, and two
// linearizable reads. A role needs to read and write the keys of Options.Prefix.
//
// # Clocks
//
// etcd has no clock that a transaction could ask, but its members answer HTTP on the
// port of their clients, and say the time: a Store asks /version when it is checked and
// once a minute. The clock decides when a row may be taken over, and how far ahead it is
// granted, never whether two holders mint one tick. A process whose own clock is further
// off than a window is refused before it writes (worker.ErrClock).
//
// Where members want TLS, give Options.TLS what the client has. Where no member speaks
// HTTP (--listen-client-http-urls elsewhere, a proxy for gRPC alone), each process goes
// by its own clock; View.Clock and a line in the log say so. Then processes whose clocks
// differ by the TTL take each other's rows, and the loser is fenced, and a clock that is
// far ahead grants itself ticks of the future, and its row is passed over until they
// come.
//
// # What it is worth
//
// The class is Fenced: a majority of members has on disk what the cluster has
// acknowledged, and a fail-over loses none of it. Whoever holds a lease goes on
// when there is a leader again, without a stall.
//
//   - Run three members or more, or one of a version from 3.4.21 or 3.5.5: a
//     single older one may forget what it acknowledged (etcd issue 14370). Check
//     refuses it.
//   - Leave fsync on: nobody can see --unsafe-no-fsync from here.
//   - Restoring a backup, or forcing a new cluster out of one member, takes rows
//     back. Quarantine each namespace behind the highest tick in any copy or log
//     before holders write again. A Store that saw the cluster's revision before
//     notices that it sank, and refuses to go on until then (store.ErrStore); one
//     that is opened afterwards cannot know.
//   - Compaction and defragmentation do no harm.
package etcdstore
