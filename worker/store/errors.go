package store

import "errors"

// The errors that a Store returns, besides those of its client. After any other error of a
// write it is not known whether the write was applied.
var (
	// ErrStore: the store's settings may lose rows, or give them out twice, so it must not
	// be used for worker ids; or somebody else wrote what it holds.
	ErrStore = errors.New("worker: the store is not set up for worker ids")

	// ErrClaim: the settings of a claim on worker ids are invalid.
	ErrClaim = errors.New("worker: invalid claim")

	// ErrClock: this machine's clock and the store's are too far apart. A store whose writes
	// have no clock refuses such a writer before it writes.
	ErrClock = errors.New("worker: the clocks of this machine and the store are too far apart")

	// ErrOverlap: worker ids of a pool and keys of worker.Disposable meet, so that both
	// would make the same ids.
	ErrOverlap = errors.New("worker: the worker ids belong to others")

	// ErrNotMade: the tables of the store are not there, and the user that it connects as
	// may not create them. The error has the statements.
	ErrNotMade = errors.New("worker: the store's tables do not exist")
)
