package uid

import "context"

// Generator is what [DefaultGenerator] and [CachedGenerator] have in common: enough
// for a program that leaves the choice between them to its settings. No other type implements
// it, so that methods may be added. Code that only takes ids should ask for
//
//	interface{ GetUID() (uid.ID, error) }
//
// All methods may be called from any number of goroutines.
type Generator interface {
	// GetUID returns an id that this generator never returned before. It may
	// wait, at most five seconds without progress.
	GetUID() (ID, error)
	// GetUIDContext is GetUID, but waits as long as ctx lasts.
	GetUIDContext(ctx context.Context) (ID, error)
	// AppendUIDs appends n increasing ids to dst: all n of them, or those it got and the error.
	AppendUIDs(dst []ID, n int) ([]ID, error)
	// AppendUIDsContext is AppendUIDs, but continues as long as ctx lasts, and no longer.
	AppendUIDsContext(ctx context.Context, dst []ID, n int) ([]ID, error)
	// ParseUID splits an id of the generator's layout.
	ParseUID(ID) (Parts, error)
	// Layout returns the layout of the generator's ids.
	Layout() Layout
	// Ready returns nil if a take would succeed now without waiting, else an error that says why not.
	Ready() error
	// Done is closed when the worker id's lease is lost for good.
	Done() <-chan struct{}
	// Stats returns a snapshot of the generator's state and counters.
	Stats() Stats
	// AfterRestore must be called when the machine was resumed from a snapshot.
	AfterRestore()
	// Close releases the worker id. Every later take returns ErrClosed.
	Close() error

	lastMinted() int64
}

var (
	_ Generator = (*DefaultGenerator)(nil)
	_ Generator = (*CachedGenerator)(nil)
)
