package store

import (
	"context"
	"time"
)

// Store keeps namespaces and their rows. It is a compare-and-set and nothing
// more: when to renew, what to believe, and whom to obey is decided by
// worker.Leased, once for all stores. Package storetest checks an implementation.
//
// A write returns applied when the store has acknowledged it durably, false and
// no error when a condition failed and nothing was written, and an error when
// that is not known. Implementations never repeat a write.
type Store interface {
	// Check asks the server for the settings that decide what a lease is worth:
	// Fenced, FencedLossy or Unfenced, or an error that wraps ErrStore.
	Check(ctx context.Context) (Class, error)

	// Init makes a namespace with a free row for each worker id from First to
	// Last, all at High = Floor-1, behind whatever was granted with these ids. It is
	// the function Init on the store's Catalog, so that all stores decide alike:
	//
	// Its worker ids are its own among the namespaces of one layout; ErrOverlap
	// says whose they are. Of one that exists with the same settings it makes what
	// is missing, and the worker ids that are new: rows begin behind all that may
	// have been granted with them. Another layout, unit or window, and fewer worker
	// ids, are ErrNamespace.
	Init(ctx context.Context, n Namespace, o InitOptions) error

	// View reads the namespace and its rows of worker ids from first to last. It
	// wraps ErrNoNamespace when the namespace is not there. A store that notices by
	// itself that it went back in time returns the view and an error that wraps
	// ErrRolledBack, until Quarantine has raised the floor above that of the view.
	View(ctx context.Context, namespace string, first, last int64) (View, error)

	// Write writes one row.
	Write(ctx context.Context, w Write) (applied bool, err error)

	// Raise begins a new epoch. Stores whose View never shows a Server other
	// than Epoch need not apply it.
	Raise(ctx context.Context, r Raise) (applied bool, err error)

	// Quarantine raises the floor to at least this tick, after a restore.
	Quarantine(ctx context.Context, namespace string, floor int64) error
}

// InitOptions are the choices of whoever makes a namespace.
type InitOptions struct {
	// Fresh says that no ids of this layout were ever granted from this store:
	// the first ids are of now. It is not believed where the record of the layout
	// shows the opposite.
	//
	// Without it they begin behind the longest window that any namespace of the
	// layout ever had; where there is no record, behind MaxWindow or Earlier.
	Fresh bool

	// Earlier is the longest window that namespaces of this layout ever had in
	// this store, for an operator who knows it. Zero: what the record says, and
	// MaxWindow where there is none.
	Earlier time.Duration

	// RequireRecord returns ErrUnknownPast where there is no record and neither
	// Fresh nor Earlier is set, rather than make worker ids that grant nothing for
	// MaxWindow.
	RequireRecord bool

	// Apart says that ids made with these worker ids never meet those of others
	// who have them: they are kept in tables of their own, say.
	Apart bool

	// MaxID is the largest worker id of the layout: what ErrOverlap proposes is
	// not above it. Zero: not known.
	MaxID int64

	// Slack bounds how far two clocks of the store may differ, as Claim.Slack.
	Slack time.Duration
}
