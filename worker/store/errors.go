package store

import "errors"

// What a Store answers, besides the errors of its client. After any other error of a write
// it is not known whether it was applied.
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

	// ErrClaim: a namespace that cannot be made, or a claim on worker ids that cannot be
	// met.
	ErrClaim = errors.New("worker: invalid claim")

	// ErrOverlap: another namespace, or a start of Disposable, has a worker id of the
	// layout that Init or Disposable is to take. Both would make the same ids, since
	// neither knows of the other's.
	ErrOverlap = errors.New("worker: the worker ids belong to others")

	// ErrUnknownPast is wrapped by Init for InitOptions.RequireRecord.
	ErrUnknownPast = errors.New("worker: the store has no record of earlier namespaces")

	// ErrRolledBack: the store went back in time, and shows less than it had
	// acknowledged, as after a backup was restored beside live holders. A Store that
	// notices by itself returns its View together with an error that wraps this, until
	// Quarantine raised the floor above that of the view.
	ErrRolledBack = errors.New("worker: the store went back in time")
)
