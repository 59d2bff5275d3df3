package worker

// Restorable is what a [Lease] has beside its methods when it outlives a copy of
// its holder: the machine was restored from a snapshot, or cloned, and the lease
// may be in two processes from now on. The leases of [Leased] are Restorable.
//
// A generator asks each lease for it. Any other lease is given up for a new worker
// id after a restore, and never released: the copy may go on with it.
type Restorable interface {
	// AfterRestore gives up what was granted so far. What is granted later lies
	// above it.
	AfterRestore()

	// Restores counts how often that was done, by AfterRestore or because the
	// lease found out by itself. It has counted before Changed tells of it, and
	// not before Grant shows what is left.
	Restores() int64
}

var _ Restorable = (*held)(nil)
