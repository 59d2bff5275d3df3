package store

import "errors"

// What a Store answers, besides what its client says. Everything else that a write
// returns means: not known whether it was applied.
var (
	// ErrNoNamespace: the namespace, its rows, or the table that holds them is
	// not there. It is never created but by Init.
	ErrNoNamespace = errors.New("worker: no such namespace of worker ids")

	// ErrNamespace: Init found the namespace with other settings, Leased found it
	// made for another layout, or its settings were edited by hand.
	ErrNamespace = errors.New("worker: the namespace was made for something else")

	// ErrStore: the store is set up so that it may lose or give out rows twice,
	// and does not serve.
	ErrStore = errors.New("worker: the store is not set up for leases")

	// ErrClaim: the namespace that is to be made, or the claim on worker ids of
	// one, is not possible.
	ErrClaim = errors.New("worker: invalid claim")

	// ErrOverlap is wrapped by Init, and by the Assigner of Disposable, for a worker
	// id of a layout that somebody else has: two holders of it would make the same
	// ids, since each row and each start knows nothing of the other's.
	ErrOverlap = errors.New("worker: the worker ids are given to somebody else")

	// ErrUnknownPast is wrapped by Init for InitOptions.RequireRecord.
	ErrUnknownPast = errors.New("worker: the store has no record of earlier namespaces")

	// ErrRolledBack: the store went back in time, and shows less than it had
	// acknowledged, as after a backup was restored beside live holders. A Store that
	// notices by itself returns its View together with an error that wraps this, until
	// Quarantine lifted the floor above that of the view.
	ErrRolledBack = errors.New("worker: the store went back in time")
)
