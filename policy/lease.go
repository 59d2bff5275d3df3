package policy

// LeaseLost decides what a generator does when the lease on its worker id is lost: another
// holder took it over, or its row is gone from the store.
type LeaseLost uint8

const (
	// Reacquire asks the assigner for another worker id, in the background, until there
	// is one. Ids keep increasing, unless the layout's order has the worker id first. It
	// is the default.
	Reacquire LeaseLost = iota
	// GiveUp ends the generator: every take returns uid.ErrLeaseLost. What was granted is
	// used up first, unless another holder took the worker id over.
	GiveUp
)
