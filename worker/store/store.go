package store

import (
	"context"
	"time"
)

// Store keeps the rows of pools. It is a compare-and-set and nothing more: worker.Leased
// decides for all stores when to create and renew rows, and what an answer proves. Package
// storetest checks an implementation.
//
// A write returns true when the store has acknowledged it durably; false and no error when
// nothing was written, since a condition failed, the row changed meanwhile, or it is not
// there; and an error when the outcome is not known. Implementations never repeat a write,
// and never compare a number that may come again after a restore, such as a version.
type Store interface {
	// Check reads the server settings that decide the class of its leases, and reports whether
	// the server may lose acknowledged writes when it fails over: worker.FencedLossy, or else
	// worker.Fenced. Its error wraps worker.ErrStore if the server must not be used. It is the
	// first call of a process: a store that was made without a client says so here.
	Check(ctx context.Context) (lossy bool, err error)

	// View reads the rows of a pool of worker ids from first to last, and how far pools of
	// other layouts in the same place were granted. A pool without rows is an empty view,
	// also where the tables are missing. Without a layout it shows the Others alone.
	// The pool's rows are read before those of others, if not at one instant.
	View(ctx context.Context, p Pool, first, last int64) (View, error)

	// Now asks the server for its time, each time anew: never one that was read before. It
	// returns the latest time that the server's clock can show when the answer comes.
	Now(ctx context.Context) (time.Time, error)

	// Create creates rows that nobody may take yet, each with this nonce, which is new. A row
	// that exists stays as it is. Where tables are missing, it creates them first.
	//
	// A creation must not be sent twice, by a store, its client or anything on the way: the
	// second copy could create a row again, with its nonce, that was opened, used and deleted
	// meanwhile, and an opening that was late for the first would fit it.
	Create(ctx context.Context, p Pool, workers []int64, nonce Nonce) error

	// Open opens rows that were created. It changes only those of workers that are there, are
	// not open and have the nonce created. Each becomes open and free, with this nonce and
	// High, and with nothing else.
	//
	// High is a window and the slack above a time that Now told after a view had shown the
	// rows. Whatever was granted with an earlier row of such a worker id, one that was deleted
	// or lost, was granted before that view, so it ends below High.
	Open(ctx context.Context, p Pool, workers []int64, created, nonce Nonce, high int64) error

	// Write writes one row.
	Write(ctx context.Context, w Write) (applied bool, err error)

	// Delete removes all rows of a layout at one instant, or those of all layouts if it is
	// empty. It is safe at any time. Heads stay.
	Delete(ctx context.Context, layout string) error
}

// A Raiser is a Store that may lose acknowledged writes when its server fails over or
// restarts. It keeps a head for each pool, an epoch and a floor, and its views show the
// server's incarnation.
type Raiser interface {
	Store

	// Raise begins a new epoch of a pool, or makes its head. It is applied if at that instant
	// the pool's head has this epoch and floor, or there is none and both are zero, and the
	// server's incarnation differs from epoch; then
	//
	//	Epoch = the server's incarnation
	//	Floor = max(floor, tick of the store's now + ahead)
	Raise(ctx context.Context, p Pool, epoch string, floor, ahead int64) (applied bool, err error)
}
