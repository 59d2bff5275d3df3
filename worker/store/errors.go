package store

import "errors"

// The errors that a Store returns, besides those of its client. After any other error of a
// write it is not known whether the write was applied.
var (
	// ErrNoNamespace: the namespace, its rows, or the table that holds them is
	// not there. Only Init creates it.
	ErrNoNamespace = errors.New("worker: no such namespace of worker ids")

	// ErrNamespace: Init found the namespace with other settings, Leased found it
	// made for another layout, or its settings were edited by hand.
	ErrNamespace = errors.New("worker: the namespace was made for something else")

	// ErrStore: the store's settings may lose rows, or give them out twice, so it
	// must not be used for worker ids.
	ErrStore = errors.New("worker: the store is not set up for worker ids")

	// ErrClaim: the settings of a namespace or of a claim on worker ids are invalid.
	ErrClaim = errors.New("worker: invalid claim")

	// ErrOverlap: another namespace, or a process started with Disposable, has a worker
	// id of the layout that Init or Disposable wants. Both would make the same ids.
	ErrOverlap = errors.New("worker: the worker ids belong to others")

	// ErrHeld: somebody holds the worker id that is to be freed, or one of the namespace
	// that is to be removed.
	ErrHeld = errors.New("worker: the worker id is held")

	// ErrUnknownPast is wrapped by Init for InitOptions.RequireRecord.
	ErrUnknownPast = errors.New("worker: the store has no record of earlier namespaces")

	// ErrRolledBack: the store went back in time: it shows less than it had
	// acknowledged, for example because a backup was restored while processes held
	// leases. A Store that notices by itself returns its View together with an error
	// that wraps this, until Quarantine has raised the floor above that of the view.
	ErrRolledBack = errors.New("worker: the store went back in time")
)
