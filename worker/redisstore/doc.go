// Package redisstore keeps recycled worker ids in Redis, on a server, behind
// sentinels, or in a cluster.
//
//	client := redis.NewClient(&redis.Options{Addr: "redis:6379"})
//	store := redisstore.New(client, redisstore.Options{})
//	assigner := worker.Leased(store, worker.Claim{})
//
// The client is the caller's, who closes it. Redis 5 or later.
//
// # What is kept
//
// One hash for a namespace and one for each worker id, and for each layout a text that
// Init reads and writes: which worker ids its namespaces ever had, and their longest
// window. None has a time to live. All have the prefix as their hash tag, so that they
// lie in one slot of a cluster:
//
//	{ringuid}:namespace:default   fingerprint unit first last window epoch floor seal
//	{ringuid}:worker:default:17   nonce held high expires renewed owner call
//	{ringuid}:layout:FINGERPRINT
//
// Each change is one Lua script: it reads the server's clock, compares, and
// writes. Numbers are decimal text, times milliseconds since the Unix epoch, and
// what a script reckons with lies below 2^53, where its doubles are exact. The
// field call tells a script that go-redis sends a second time, for want of an
// answer, from somebody else's. A user needs +eval +evalsha +time +info +hget
// +hmget +hset +exists, +config|get for Check, +scan +get +set for Init, and with
// MinReplicas +wait +waitaof.
//
// A worker costs two commands (a view and a write) each half window at a steady
// load, and each third of the TTL when idle; the write is one HSET.
//
// # What the server must be set to
//
// Check asks for these, and refuses the server otherwise (store.ErrStore; with
// Claim.AllowUnfenced the lease is Unfenced):
//
//	appendonly yes
//	appendfsync always
//	maxmemory-policy noeviction
//	min-replicas-to-write 1     # or more, when there are replicas
//	min-replicas-max-lag 3      # or less, then; 0 switches the rule off
//
// Set the replicas likewise: one of them is the next primary. Where CONFIG is
// forbidden, as with most providers, Options.AssertDurable takes your word.
//
// # What it is worth
//
// The class is FencedLossy. Redis acknowledges before it replicates, so a
// fail-over may forget writes. A script compares the server's run_id and
// master_replid with those that the namespace's floor was set for; after a restart
// or a fail-over they differ, and nothing is granted before the floor has been
// raised above all that the lost writes may have granted. So new grants begin
// about a window and Claim.Slack later, and nothing is minted twice as long as the
// two servers' clocks differ by less than that. (The replication id also changes
// when a first replica comes or the last has been gone for an hour; that costs the
// same stall.) Options.MinReplicas makes losses rarer: a write counts when so many
// replicas have it.
//
// Two primaries that serve at the same time are the one thing that no script can
// see: min-replicas-to-write makes an old one stop that lost its replicas. It does so
// min-replicas-max-lag seconds later, and one more; until then a new one must not grant
// what it grants, which Claim.Slack sees to as long as it is longer.
package redisstore
