package uid

// Generator is what both generators have in common. All methods may be called
// from any number of goroutines.
type Generator interface {
	// GetUID returns an id that this generator never returned before. It may
	// wait, at most five seconds without progress.
	GetUID() (ID, error)
	// ParseUID splits an id of the generator's layout.
	ParseUID(ID) (Parts, error)
	// Close gives the worker id back and waits for the generator's goroutines.
	// Every later GetUID returns ErrClosed. Calls after the first do nothing.
	Close() error
}
