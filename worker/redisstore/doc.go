// Package redisstore keeps recycled worker ids in Redis, on a server, behind
// sentinels, or in a cluster.
//
//	client := redis.NewClient(&redis.Options{Addr: "redis:6379"})
//	store := redisstore.New(client, redisstore.Options{})
//	assigner := worker.Leased(store, worker.Claim{})
//
// The caller owns the client, and closes it. Redis 5 or later.
//
// # What is kept
//
// There is one hash for each namespace and one for each worker id, and for each layout a
// text that Init reads and writes: which worker ids its namespaces have ever had, and
// their longest window. No key expires. All have the prefix as their hash tag, so that
// they lie in one slot of a cluster:
//
//	{ringuid}:namespace:default   fingerprint unit first last window epoch floor seal
//	{ringuid}:worker:default:17   nonce held high expires renewed owner call
//	{ringuid}:layout:FINGERPRINT
//
// Each change is one Lua script: it reads the server's clock, compares, and writes.
// Numbers are decimal text, and times are milliseconds since the Unix epoch; all numbers
// that a script calculates with are below 2^53, where its doubles are exact. The field
// call lets a script recognise that go-redis has sent it a second time because the answer
// was lost. A Redis user needs +eval +evalsha +time +info +hget +hmget +hset +exists,
// +config|get for Check, +scan +get +set for Init, and with MinReplicas +wait +waitaof.
//
// Each worker sends two commands, a view and a write, per half window at a steady load,
// and per third of the TTL when idle. The write is one HSET.
//
// # What the server must be set to
//
// Check requires these settings, and refuses the server otherwise (store.ErrStore; with
// Claim.AllowUnfenced the lease is Unfenced):
//
//	appendonly yes
//	appendfsync always
//	maxmemory-policy noeviction
//	min-replicas-to-write 1     # or more, when there are replicas
//	min-replicas-max-lag 3      # or less, then; 0 switches the rule off
//
// Give the replicas the same settings: one of them is the next primary. Where CONFIG is
// forbidden, as with most providers, set Options.AssertDurable to vouch for them
// yourself.
//
// # What it is worth
//
// The class is FencedLossy. Redis acknowledges before it replicates, so a fail-over may
// lose writes. Each script compares the server's run_id and master_replid with those that
// the namespace's floor was set for. After a restart or a fail-over they differ, and
// nothing is granted until the floor has been raised above everything that the lost
// writes may have granted. So new grants begin about a window and Claim.Slack later, and
// nothing is minted twice as long as the two servers' clocks differ by less than
// Claim.Slack. (The replication id also changes when the first replica connects, or the
// last one has been gone for an hour; that costs the same stall.) Options.MinReplicas
// makes losses rarer: a write counts only when that many replicas have it.
//
// Two primaries at the same time are the one thing that no script can notice.
// min-replicas-to-write makes an old primary stop within min-replicas-max-lag seconds,
// and one more, after it has lost its replicas. Claim.Slack keeps the new primary from
// granting the same ticks until then, as long as it is longer.
package redisstore
