// Package worker gives each generator a worker id: the part of an id that keeps
// two processes from minting the same one.
//
// # How a worker id comes to be
//
// A generator asks an Assigner once when it starts, and says what its layout
// Needs. The answer is a Lease: an id, the ticks that may be minted with it, and
// a Class that says what its uniqueness rests on.
//
//   - Static gives an id that the caller chose. Its class is Unfenced: nobody
//     but the caller knows whether another process has it too. What it minted
//     before a restart is not minted again as long as the clock is not set back:
//     generators see to that.
//   - Disposable registers the process in a store, and the key of the new row is
//     the worker id: one row per start, never changed, never given out again.
//     Its class is NeverReused. The idea and the table are those of WORKER_NODE
//     in Baidu's UidGenerator, whose Java processes may share the table.
//   - Leased takes a worker id that nobody holds, together with a window of time,
//     and gives it back. Its class is Fenced or FencedLossy, as the Store is.
//
// Why a new id for each start? A generator may mint ids of seconds that have not
// come yet. A process that starts again under its old id cannot know how far the
// last one went, and repeats it. Under a new id there is nothing to repeat, and
// no clock to trust.
//
// # What a new id per start costs
//
// Each start spends an id. 22 worker bits are 4,194,303 starts: eleven years of a
// thousand a day. Then Assign fails with ErrRange; it never wraps around.
//
// # What a registrar must keep
//
// NeverReused is as true as the store is durable. A Registrar answers with a key
// only when the row is safe from a crash, and no key comes twice:
//
//   - An acknowledged row that a crash or a fail-over loses gives its id away
//     again. Package sqlstore lists the settings that prevent it.
//   - Rows are never deleted, the table is neither truncated nor made anew: some
//     stores go on counting from the highest row that is left.
//   - The key comes from the insert itself. Asked for afterwards, on another
//     connection of a pool, it is somebody else's or 0; a Registrar that answers
//     0 is refused for that reason.
//   - A registration whose answer got lost may have spent an id. Registering
//     again is always safe: it gets the next one.
//
// # Leases
//
// A lease that is only a worker id and an expiry gives ids twice: a process that is
// paused past the expiry wakes up and mints the next holder's ids before it looks
// at any clock. So a lease here is a worker id and a window of ticks that the store
// has durably granted, the way TiDB's placement driver saves the end of its
// timestamps ahead of time. A generator mints inside granted windows alone, and
// whoever takes a row over starts behind the last tick that the row was ever
// granted: its High. The sleeper can finish what is its own, and nothing else.
//
//	         acquire: one compare-and-set         another's nonce, and a write misses
//	(none) ───────────────────────────────▶ held ───────────────────────────────▶ fenced:
//	  ▲                                     │  ▲                        what was granted is dropped
//	  │ release: High sinks to              │  │
//	  │ the last tick minted                ▼  │ extend, at half a window
//	  └──────────────────────────────── used up: the store is down, or the lease
//	                                    expired; it goes on by itself
//
// A row is (nonce, held, High, expires), a namespace (window, epoch, floor). Each
// write is a compare-and-set on the nonce and installs a new random one, so that an
// equal nonce is an equal row. What holds at any time, for all holders of a row:
//
//	a minted tick lies in a span [lo, hi] that was acknowledged to its minter
//	spans of one row, whoever has them, do not overlap
//	hi <= High, or hi < floor of the present epoch
//	High <= the store's now + window, when it was written
//	a holder's ticks grow, over all the worker ids it ever has
//
// Why two holders never mint one tick: within an epoch the compare-and-sets of a
// row stand in one order. A takeover reads High with the nonce that it compares;
// if it succeeds, the old nonce is dead, and nothing that still travels under it
// will be applied. So old hi <= High < new lo. A store that may lose acknowledged
// writes begins a new epoch with each incarnation of its server, and
//
//	old hi <= old clock + window <= new clock + slack + window < floor <= new lo
//
// Only there does a clock matter, and only by Claim.Slack; and only one primary may
// serve at a time. A store that goes back in time without that, as when a backup is
// restored beside live holders, shows one of them less than it had acknowledged to it:
// that one lifts the floor in the same way, and what is granted above it never comes
// twice (ErrRolledBack). Expiry decides when a row may be taken, never whether that is
// safe. The rules one by one, the stores, the holes and the proofs are in
// docs/leases.md.
package worker
