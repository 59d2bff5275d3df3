package worker

// Restorable is implemented by a [Lease] that stays safe when its machine is cloned, or
// restored from a snapshot, so that two processes may hold the same lease. The leases of
// [Leased] are Restorable.
//
// After a restore a generator gives up a lease that is not Restorable and takes a new
// worker id. It never releases the old one, since the clone may still use it.
type Restorable interface {
	// AfterRestore gives up everything granted so far. Later grants lie above it.
	AfterRestore()

	// Restores counts how often grants were given up, by AfterRestore or because the
	// lease itself noticed a restore. The count changes together with Grant, and
	// before Changed tells of it.
	Restores() int64
}

var _ Restorable = (*held)(nil)
