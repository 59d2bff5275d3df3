package uid

import "context"

// Generator is what [DefaultGenerator] and [CachedGenerator] have in common: enough
// for a program that leaves the choice between them to its settings. Nobody else implements
// it, so that it may get methods. Have code that only takes ids ask for
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

	// AppendUIDs appends n ids to dst and returns all n of them, or those it got and the
	// error. They increase.
	AppendUIDs(dst []ID, n int) ([]ID, error)

	// AppendUIDsContext is AppendUIDs, but goes on as long as ctx lasts, and no
	// longer, whether it waits or not.
	AppendUIDsContext(ctx context.Context, dst []ID, n int) ([]ID, error)

	// ParseUID splits an id of the generator's layout.
	ParseUID(ID) (Parts, error)

	// Layout returns the layout of the generator's ids.
	Layout() Layout

	// Ready is nil if a take would succeed now, without waiting, and otherwise says
	// why not. It takes no id, and suits a probe each second.
	Ready() error

	// Done is closed when the worker id's lease is lost for good: by Close, or, with
	// policy.GiveUp, when it is lost. Ids that were granted before may still come.
	Done() <-chan struct{}

	// Stats returns a snapshot of the generator's state and counters.
	Stats() Stats

	// AfterRestore must be called when the machine was resumed from a snapshot of which
	// another copy may run.
	AfterRestore()

	// Close gives the worker id back and waits for the generator's goroutines.
	// Every later take returns ErrClosed. Calls after the first do nothing.
	Close() error

	lastMinted() int64
}

var (
	_ Generator = (*DefaultGenerator)(nil)
	_ Generator = (*CachedGenerator)(nil)
)
