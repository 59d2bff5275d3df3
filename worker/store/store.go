package store

import (
	"context"
	"time"
)

// Store keeps namespaces and their rows. It is a compare-and-set and nothing
// more: worker.Leased decides for all stores when to renew and what an answer
// proves. Package storetest checks an implementation.
//
// A write returns true when the store has acknowledged it durably; false and no
// error when nothing was written, since a condition failed or the row changed
// meanwhile; and an error when the outcome is not known. Implementations never repeat a
// write.
type Store interface {
	// Check reads the server settings that decide the class of its leases: Fenced,
	// FencedLossy or Unfenced, or an error that wraps ErrStore.
	Check(ctx context.Context) (Class, error)

	// Init creates a namespace with a free row for each worker id from First to
	// Last, all at High = Floor-1, above everything that was granted with these
	// ids. Call the function Init with the store's Catalog, so that all stores
	// decide alike.
	//
	// Within one layout a worker id belongs to one namespace; the error wraps
	// ErrOverlap and names the owner of one that is taken. For a namespace that
	// exists with the same settings, Init creates what is missing, and new worker
	// ids: their rows begin above everything that may have been granted with them.
	// Another layout, unit or window, or fewer worker ids, is ErrNamespace.
	Init(ctx context.Context, n Namespace, o InitOptions) error

	// View reads the namespace and its rows of worker ids from first to last. The
	// error wraps ErrNoNamespace when the namespace is not there. A store that
	// notices by itself that it went back in time returns the view together with an
	// error that wraps ErrRolledBack, until Quarantine has raised the floor above
	// that of the view.
	View(ctx context.Context, namespace string, first, last int64) (View, error)

	// Write writes one row.
	Write(ctx context.Context, w Write) (applied bool, err error)

	// Raise begins a new epoch. Stores whose View never shows a Server other
	// than Epoch need not apply it.
	Raise(ctx context.Context, r Raise) (applied bool, err error)

	// Quarantine raises the floor to this tick, after a restore. It never lowers it.
	Quarantine(ctx context.Context, namespace string, floor int64) error
}

// InitOptions are the choices of whoever creates a namespace.
type InitOptions struct {
	// Fresh says that this store has never granted ids of this layout, so the first
	// ids may carry the present time. It is ignored where the record of the layout
	// shows the opposite.
	//
	// Without it the first ids lie after the longest window that any namespace of
	// the layout has had; where there is no record, after Earlier or MaxWindow.
	Fresh bool

	// Earlier is the longest window that any namespace of this layout has had in
	// this store, for an operator who knows it. Zero: what the record says, or
	// MaxWindow where there is none.
	Earlier time.Duration

	// RequireRecord asks for ErrUnknownPast where there is no record and neither
	// Fresh nor Earlier is set. Without it Init creates worker ids that grant
	// nothing for MaxWindow.
	RequireRecord bool

	// Apart says that ids made with these worker ids never meet the ids of others
	// that have the same ones, because they are kept in separate tables, for example.
	Apart bool

	// MaxID is the largest worker id of the layout, so that ErrOverlap suggests none
	// above it. Zero: not known.
	MaxID int64

	// Slack bounds how far two clocks of the store may differ. Unlike that of a
	// worker.Claim, zero is none: then a clock that a fail-over sets back can bring
	// ids twice. worker.MakeNamespace and the command pass worker.DefaultSlack; so
	// should whoever calls Init on a store that is FencedLossy.
	Slack time.Duration
}
