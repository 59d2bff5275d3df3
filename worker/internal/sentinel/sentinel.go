// Package sentinel has errors of package worker for the packages that worker's own tests import:
// these packages cannot import worker themselves.
package sentinel

import "errors"

// ErrStore is worker.ErrStore.
var ErrStore = errors.New("worker: the store is not set up for worker ids")

// ErrClock is worker.ErrClock.
var ErrClock = errors.New("worker: the clocks of this machine and the store are too far apart")
