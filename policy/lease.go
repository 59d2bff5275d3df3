package policy

// LeaseLost decides what a generator does when the lease on its worker id is lost:
// somebody else took it over, or its row is gone from the store.
type LeaseLost uint8

const (
	// Reacquire asks the assigner for another worker id, in the background, until there
	// is one. Ids keep increasing. It is the default.
	Reacquire LeaseLost = iota
	// GiveUp makes every take return uid.ErrLeaseLost from then on.
	GiveUp
)
