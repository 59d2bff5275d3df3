// Package etcdstore keeps recycled worker ids in etcd.
//
// The caller owns the client, closes it, and chooses its zap logger, which gets a line for each
// failed dial. Give the client the addresses of all members, and keep-alives, as the example
// does: without keep-alives it notices a member that hangs only when the connection breaks,
// after a quarter of an hour.
//
// With etcd 3.4, use certificates, not a user and a password: when a member has restarted, it no
// longer knows the client's token, and the client never gets another from that version. Ids end a
// minute later, until the process is restarted. From etcd 3.5 on, the client logs in again.
//
// There is one key for each worker id, with JSON as its value:
//
//	/ringuid/rows/LAYOUT/0000000000000000017   nonce, high, held, expires, renewed, owner, ...
//
// Nothing else may lie below /ringuid/rows. No key has an etcd lease: the row itself says who
// holds it, and until when. A write starts from the row's value, decides, and puts another
// value on the condition that the first has not changed.
//
// # Clocks
//
// A transaction of etcd cannot read a clock, but members answer HTTP on their client port, and
// each answer shows the time. So a Store requests /version with each view, and before it opens
// a row. If the members require TLS, set Options.TLS to what the client uses. A process that
// cannot read the time (--listen-client-http-urls on another port, a proxy that supports only
// gRPC) writes nothing.
//
// # What it is worth
//
// The class is Fenced: a majority of members has on disk what the cluster has acknowledged, if
// fsync is on. Check cannot see --unsafe-no-fsync. It refuses a single member of a version
// before 3.4.21 or 3.5.5. Before a backup is restored, or a new cluster is forced from one member,
// stop the processes, and run `ringuid worker quarantine` before they start.
package etcdstore
