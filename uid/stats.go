package uid

import (
	"time"

	"github.com/ringuid/ringuid/worker"
)

// Stats is a snapshot of a running generator. Counters never decrease, and those of ids
// are from one moment.
type Stats struct {
	WorkerID int64
	Class    worker.Class
	Leases   int64 // worker ids held since the start, this one included
	// WorkerID was lost, and there is no other yet; with policy.GiveUp there will be none
	LeaseLost bool
	// worker ids lost because the store went back in time (worker.ErrRolledBack)
	Rollbacks int64
	// Generation is what shows that the machine was copied: "Config.Generation", "/dev/vmclock0",
	// or "none", and why.
	Generation   string
	Copies       int64     // how often the machine was copied, as the generation showed
	GrantedUntil time.Time // end of the last tick that the lease grants; zero: no limit
	LayoutEnd    time.Time // first instant that the layout cannot hold
	// how far this machine's clock is ahead of that of the store of worker ids, negative if it is
	// behind: by this the times in ids differ from those of a machine with the store's clock
	ClockOffset time.Duration
	// how much ClockOffset may be wrong; zero: the store's clock is not known
	ClockUncertainty time.Duration

	// Taken counts the ids that were handed out, a whole span at a time to a stream. It includes
	// the few ids that no take can get any more, because one paused before its fetch-and-add.
	Taken    int64
	Waits    int64 // takes that had to wait
	Rejected int64 // takes that returned an error

	// first instant of the highest tick ever used, whose ids may still be in the ring; zero: none
	// yet
	LastTick time.Time
	// how far the end of the tick whose ids are handed out lies after now; negative: behind
	Ahead time.Duration

	// Only for a cached generator.
	RingSize     int64 // ids that fit into the ring
	Left         int64 // ids in the ring now; none but in a burst, and before a grant ends
	Refills      int64 // times that the padder put ids into the ring
	RejectedPuts int64 // times that a tick did not fit as a whole
	Discarded    int64 // ids dropped by the reject-put policy
	// ids taken out of the ring because newer ones replaced them, or flushed
	Dropped int64
	Faults  int64 // handlers, clocks and leases that panicked, or ended the goroutine
}
