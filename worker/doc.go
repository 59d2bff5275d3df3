// Package worker gives each generator a worker id: the part of an id that keeps two
// processes from making the same one.
//
// Recycled worker ids, from a store that all processes share:
//
//	leases := sqlstore.Postgres(db).Leases()
//	gen, err := uid.NewCached(ctx, worker.Leased(leases, worker.Claim{}), uid.Config{})
//
// A new worker id at each start, from a table like Baidu's WORKER_NODE:
//
//	gen, err := uid.NewCached(ctx, worker.Disposable(sqlstore.Postgres(db)), uid.Config{})
//
// The tables are made once, with `uidbench worker init` or a store's Init.
//
// # Which assigner
//
// An [Assigner] returns a [Lease]: a worker id, the ticks that may be minted with it,
// and a [Class] that says what its uniqueness rests on.
//
//   - [Leased] takes a worker id that nobody holds, and gives it back at Close. It is
//     [Fenced] or [FencedLossy], as its store is. For fleets that start and stop often.
//   - [Disposable] takes a new worker id for each start, and none ever again. It is
//     [NeverReused]. Each start spends one: 22 worker bits are eleven years of a thousand
//     starts a day, and then Assign fails with [ErrRange].
//   - [Static], [Ordinal] and [FromEnv] take what they are told, and are [Unfenced]: the
//     caller vouches that no other process has the worker id at the same time.
//
// A generator may mint ids of seconds that have not come yet, so a process that starts
// again under its old worker id cannot know how far the last one went. A worker id that
// is new has nothing to repeat; one that is leased begins behind all that was granted.
//
// # Leases
//
// A lease that is only a worker id and an expiry gives ids twice: a process that is
// paused past the expiry wakes up, and mints the next holder's ids before it looks at any
// clock. A lease of this package is a worker id and a window of ticks that the store has
// durably granted. A generator mints inside granted windows alone, and whoever takes the
// worker id over starts behind the last tick that was ever granted with it. The paused
// process can finish what is its own, and nothing else. So expiry decides when a worker id
// is recycled, never whether ids are unique; and a store that is down is noticed only when
// the window ends.
//
// A store that may lose acknowledged writes in a fail-over is [FencedLossy]: there, ids
// also rest on the clocks of two servers differing by less than [Claim.Slack]. A store
// that went back in time, as from a backup that was restored beside live processes, is
// noticed by the first that renews its lease ([ErrRolledBack]).
//
// The rules, the stores, what may go wrong and the proofs are in docs/leases.md. Whoever
// writes a store finds what it has to do in package store.
package worker
