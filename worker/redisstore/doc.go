// Package redisstore keeps recycled worker ids in Redis or Valkey, on a server, behind
// sentinels, or in a cluster.
//
//	client := redis.NewClient(&redis.Options{Addr: "redis:6379"})
//	assigner := worker.Leased(redisstore.New(client, redisstore.Options{}), worker.Claim{})
//
// Redis 5 or later is required.
//
// # What is kept
//
//	{ringuid}:layouts       a set: the layouts that have rows
//	{ringuid}:rows:LAYOUT   a hash: each worker id and its row, as rowText describes it
//	{ringuid}:head:LAYOUT   a hash: epoch and floor
//	{ringuid}:view          with replicas: the time of the latest view
//
// No key expires. The prefix is the hash tag, so that all keys lie in one slot of a cluster.
// Deleting any of them, or all, is safe at any time. Services with one layout and one prefix
// share its worker ids; give services whose ids never meet different prefixes.
//
// Each change is one Lua script: it reads the server's clock, compares, and writes. A script
// that writes is sent once. The user needs +eval +evalsha +time +info +hget +hmget +hgetall
// +hset +hsetnx +sismember +smembers +sadd +srem +del and +config|get, with replicas +set +wait,
// with MinReplicas +waitaof, in a cluster +cluster|info.
//
// # What the server must be set to
//
// Check refuses settings with which it forgets what it acknowledged, or continues alone
// (worker.ErrStore): docs/stores.md has them. Give the replicas the same. Check counts only the
// replicas that are connected: count those that are down, too.
//
// # What it is worth
//
// The class is FencedLossy: Redis acknowledges before it replicates, so a fail-over may lose
// writes. Each script compares the server's run_id and master_replid, in a cluster also the
// node's config epoch, with those for which the floor was set. After a restart, a fail-over, a
// restored backup or a move of the slot they differ, and the floor has to be raised
// (docs/leases.md). Options.MinReplicas makes losses rarer; with Options.AssertAllReplicas there
// are none, and the class is Fenced.
//
// No script can detect that there are two primaries. min-replicas-to-write stops the old one two
// seconds after min-replicas-max-lag at the latest, once it has fewer than half of its replicas.
// All that time is added to the slack, so that the new one does not grant the same ticks. One that
// was paused continues for that time when it runs again. So as many replicas have to confirm what
// it writes and shows. With Options.AssertDurable the time is taken for five seconds, and the
// number for half of the most replicas that INFO showed to the process. INFO has to show that there
// is such a rule, but not its number: if that is too small, an old primary that is cut off with a
// few replicas grants what the new one does to a process that starts there. On Amazon's INFO need
// not show it: there, without the rule and MinReplicas, who was paused may grant what another did.
package redisstore
