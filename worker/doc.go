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
//     but the caller knows whether another process has it too, or had it a
//     moment ago and borrowed ids from the future.
//   - Disposable registers the process in a store, and the key of the new row is
//     the worker id: one row per start, never changed, never given out again.
//     Its class is NeverReused. The idea and the table are those of WORKER_NODE
//     in Baidu's UidGenerator, whose Java processes may share the table.
//
// Why a new id for each start? A generator may mint ids of seconds that have not
// come yet. A process that starts again under its old id cannot know how far the
// last one went, and repeats it. Under a new id there is nothing to repeat, and
// no clock to trust.
//
// # What it costs
//
// Each start spends an id. 22 worker bits are 4,194,303 starts: eleven years of a
// thousand a day. Then Assign fails with ErrRange; it never wraps around.
//
// # What a store must keep
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
package worker
