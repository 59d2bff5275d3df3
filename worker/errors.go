package worker

import (
	"errors"

	"github.com/ringuid/ringuid/worker/internal/sentinel"
)

// The errors of assigners and their leases, and those that a store returns besides those of
// its client: ErrStore, ErrClock, ErrOverlap and ErrNotMade.
var (
	// ErrStore: the store's settings may lose rows, or give them out twice, so it must not be
	// used for worker ids; or somebody else wrote what it holds. Claim.AllowUnfenced takes the
	// risk of settings, and for Disposable [AllowUnfenced].
	ErrStore = sentinel.ErrStore

	// ErrClaim: the settings of a claim are invalid.
	ErrClaim = errors.New("worker: invalid claim")

	// ErrClock: this machine's clock and the store's are too far apart. A store whose writes
	// have no clock refuses such a writer before it writes. It is also wrapped
	// by Lease.Err when the store's was set back by more than a window, and then the machine
	// restored from a snapshot.
	ErrClock = sentinel.ErrClock

	// ErrOverlap: Disposable and Leased meet in one database: both would make the same ids.
	ErrOverlap = errors.New("worker: the worker ids belong to others")

	// ErrNotMade: the store's tables do not exist, and the user that it connects as may not
	// create them. The error has the statements.
	ErrNotMade = errors.New("worker: the store's tables do not exist")

	// ErrRolledBack is wrapped by Lease.Err, and by Assign, when the store went back in
	// time: it shows less than it had acknowledged, for example because a backup was
	// restored while processes held leases. Such a Lease.Err also wraps ErrFenced, since
	// others may have been granted the same ticks meanwhile. The process that notices
	// deletes the layout's rows before it takes another worker id: what is granted with new
	// rows lies above everything that was granted before.
	ErrRolledBack = errors.New("worker: the store went back in time")

	// ErrIDRange is wrapped by Assign when the worker id does not fit the layout.
	ErrIDRange = errors.New("worker: worker id out of range")

	// ErrFenced is wrapped by Lease.Err when another process has taken over the worker
	// id. Ids that were made but not yet handed out must be dropped.
	ErrFenced = errors.New("worker: fenced by another holder")

	// ErrAllHeld is wrapped by Leased's Assign when every worker id of the claim is
	// held, or granted too far ahead. The error says how many, and when the first
	// becomes free.
	ErrAllHeld = errors.New("worker: no worker id is free")

	// ErrLayout is wrapped by Leased's Assign when worker ids of another layout are in use
	// in the same place. The two layouts could make the same id.
	ErrLayout = errors.New("worker: another layout is in use in the same place")

	// ErrDeleted is wrapped by Lease.Err when the row of the worker id was deleted. What was
	// granted may be used up: a new row begins above it.
	ErrDeleted = errors.New("worker: the row of the worker id was deleted")

	// ErrHeld is wrapped by [Free] when somebody else holds the worker id.
	ErrHeld = errors.New("worker: the worker id is held")
)
