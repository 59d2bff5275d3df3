package policy

// LeaseLost decides what a generator does when the lease on its worker id is
// lost: taken over by somebody else, or gone with its store's rows.
type LeaseLost uint8

const (
	// Reacquire asks the assigner for another worker id, in the background and
	// until there is one. Ids keep growing. It is the default.
	Reacquire LeaseLost = iota
	// GiveUp makes every take return uid.ErrLeaseLost from then on.
	GiveUp
)
