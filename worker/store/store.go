package store

import (
	"context"
	"time"
)

// Store keeps the rows of pools. It is a compare-and-set and nothing more: worker.Leased
// decides for all stores when to create and renew rows, and what an answer proves. Package
// storetest checks an implementation.
//
// A write returns true when the store has acknowledged it durably. It returns false and no error
// when nothing was written, because a condition failed, the row changed meanwhile, or it does not
// exist. It returns an error when the outcome is not known. Implementations never repeat a write,
// and never compare a number that may recur after a restore, such as a version.
type Store interface {
	// Check reads the server settings that decide the class of its leases, and reports whether
	// the server may lose acknowledged writes when it fails over: worker.FencedLossy, or else
	// worker.Fenced. Its error wraps worker.ErrStore if the server must not be used. It is the
	// first call of a process: a store that was made without a client says so here.
	Check(ctx context.Context) (lossy bool, err error)

	// View reads the rows of a pool of worker ids from first to last, and how far pools of other
	// layouts in the same place were granted. A pool without rows yields an empty view, even
	// where the tables are missing. Without a layout in p, it shows the Others alone. If not all
	// is read at one instant, the pool's rows are read before those of others.
	View(ctx context.Context, p Pool, first, last int64) (View, error)

	// Now asks the server for its time in each call, and never returns one that was read before.
	// A clock that shows steps may be up to one step further: Now returns the end of the step.
	Now(ctx context.Context) (time.Time, error)

	// Create creates rows that no process may take yet, each with this nonce, which is new. A row
	// that exists stays as it is. Where tables are missing, it creates them first.
	//
	// A creation must not be sent twice, whether by a store, its client or anything on the way.
	// If a row was opened, used and deleted meanwhile, the second copy could create it again with
	// the same nonce, and a late opening that was meant for the first creation would match it.
	Create(ctx context.Context, p Pool, workers []int64, nonce Nonce) error

	// Open opens rows that were created. It changes only those rows of workers that exist, are
	// not open and have the nonce created. Each becomes open and free, with the Nonce, High and
	// Slack of opened, and nothing else.
	//
	// High is a window and Slack above a time that Now returned after a view had shown the
	// rows. Whatever was granted with an earlier row of such a worker id, one that was deleted or
	// lost, was granted before that view, so it ends at or below High.
	Open(ctx context.Context, p Pool, workers []int64, created Nonce, opened Row) error

	// Write writes one row.
	Write(ctx context.Context, w Write) (applied bool, err error)

	// Delete removes all rows of a layout at one instant, or those of all layouts if layout is
	// empty, without reading them. It is safe at any time, as long as the store's clock has not
	// been set back. Heads stay. A View that is read later shows none of these rows: it decides
	// whether they were deleted.
	Delete(ctx context.Context, layout string) error
}

// A Raiser is a Store that may lose acknowledged writes when its server fails over or
// restarts. It keeps a head for each pool, and its views show the server's incarnation.
type Raiser interface {
	Store

	// Raise begins a new epoch of a pool, or makes its head, or changes the slack. It is applied
	// if, at that instant, the pool's head is was (or there is none, and was is zero). Then
	//
	//	Epoch = the server's incarnation
	//	Floor = max(was.Floor, tick of the store's now + ahead)
	//	Slack = slack
	Raise(ctx context.Context, p Pool, was Head, ahead int64, slack time.Duration) (applied bool,
		err error)

	// Forget deletes the heads of all layouts, without reading them, and reports whether there was
	// one.
	Forget(ctx context.Context) (forgot bool, err error)
}
