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
// +config|get for Check, +scan +get +set for Init, +get +set +del for Remove, with MinReplicas
// +wait +waitaof, with
// AssertAllReplicas +set, and in a cluster +cluster|info.
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
//	no-appendfsync-on-rewrite no
//	maxmemory-policy noeviction
//	min-replicas-to-write 1     # half of the replicas, rounded up, when there are any
//	min-replicas-max-lag 3      # or less, then; 0 switches the rule off
//
// Give the replicas the same settings: one of them is the next primary. Where CONFIG is
// forbidden, as with most providers, set Options.AssertDurable to vouch for them
// yourself. Check counts the replicas that are connected: count those that are down, too.
//
// # What it is worth
//
// The class is FencedLossy, unless Options.AssertAllReplicas is set. Redis acknowledges
// before it replicates, so a fail-over may lose writes. Each script compares the server's
// run_id and master_replid with those that the namespace's floor was set for, in a cluster
// also the node's config epoch, which a slot raises that comes to it. After a restart, a
// fail-over or a move of the slot they differ, and nothing is granted until the floor has
// been raised above everything that the lost writes may have granted. So nothing
// is granted for Claim.Slack and a tick, then times in ids jump by a window, and nothing
// is minted twice as long as the two servers' clocks differ by less than Claim.Slack. (The
// replication id also changes when
// the first replica connects, or the last one has been gone for an hour; that costs the
// same stall.) Options.MinReplicas makes losses rarer: a write counts only when that many
// replicas have it.
//
// How many have it does not say which. Sentinels, and the nodes of a cluster, promote the
// best replica that they reach, and that may be one that lagged while others confirmed. So
// a lease is Fenced only if *every* server that can take the primary's place confirms each
// grant. Nothing in Redis knows which these are: a replica that is down is not in INFO.
// Options.AssertAllReplicas says that MinReplicas is their number. From then on a write
// counts, and a view is believed, only when WAITAOF says that the primary and so many
// replicas have it on disk. Check refuses what contradicts it: more replicas, a server
// without WAITAOF (before Redis 7.2), a cluster, where a slot that moves waits for nobody.
// The price is that nothing is granted while one of them is missing, so after each
// fail-over until the old primary is back as a replica: holders use up their windows. With
// MinReplicas 0 it says that no server ever takes the primary's place, and costs nothing.
//
// Two primaries at the same time are the one thing that no script can notice. (Where all
// replicas confirm, the old one has lost a replica, and what it writes does not count.)
// min-replicas-to-write makes an old primary stop within min-replicas-max-lag seconds,
// and one more, once it has fewer than half of its replicas: of three, a cut may leave it
// one, and the new primary has one, too, so that both would go on with a setting of 1.
// Claim.Slack keeps the new primary from granting the same ticks until then, as long as it
// is longer.
package redisstore
