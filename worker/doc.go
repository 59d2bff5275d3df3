// Package worker gives each generator its worker id: the part of an id that keeps two
// processes from making the same one.
//
// To recycle worker ids, from a store that all processes share:
//
//	store, err := sqlstore.Open("pgx", dsn)
//	...
//	gen, err := uid.New(ctx, worker.Leased(store, worker.Claim{}), uid.Config{})
//
// To take a new worker id at each start, from a table like Baidu's WORKER_NODE, for a layout
// with many worker ids:
//
//	gen, err := uid.NewCached(ctx, worker.Disposable(store), uid.CachedConfig{})
//
// Leased creates what it needs when it starts. The table for Disposable is created once, with
// `ringuid worker init`, or in code with the CreateTable method of package sqlstore's Store.
//
// # Which assigner
//
// An [Assigner] returns a [Lease]: a worker id, the ticks that may be used with it,
// and a [Class] that says what its uniqueness depends on.
//
//   - [Leased] takes a worker id that no process holds, and gives it back at Close. It is
//     meant for fleets that start and stop often. Its class is [Fenced] or [FencedLossy],
//     depending on the store.
//   - [Disposable] takes a new worker id at each start, and never uses one again
//     ([NeverReused]). 22 worker bits last eleven years at a thousand starts a day; after
//     that, Assign fails with [ErrIDRange].
//   - [Static], [Ordinal] and [FromEnv] use the number that they are given. They are
//     [Unfenced]: the caller guarantees that no other process has the same worker id at
//     the same time.
//
// A program that needs a number for something else, such as a broker or a shard, calls Assign
// itself: the example of Leased shows how, and what to do when the lease ends.
//
// # Leases
//
// A lease is a worker id and a window of ticks that the store has durably granted to it. A
// generator makes ids only inside granted windows, and the next holder of the worker id starts
// above the last tick that was ever granted with it. So a process that was paused past its
// lease can use up its own window, and nothing else. Expiry decides when a worker id is
// recycled, never whether ids are unique, and an outage of the store matters only when the
// window ends.
//
// docs/leases.md has the rules, what may go wrong, and the proofs; docs/stores.md has the settings
// of each store. Package store is for authors of a new store: its [store.Store] is what Leased
// takes.
package worker
