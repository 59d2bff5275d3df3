package worker

import (
	"errors"

	"github.com/ringuid/ringuid/worker/store"
)

// The errors of assigners and their leases. Stores return ErrStore, ErrDenied, ErrOverlap and
// ErrNoTables, too.
var (
	// ErrStore means that the store must not be used for worker ids: its settings may lose rows
	// or give them out twice, or somebody else wrote what it holds. Claim.AllowUnfenced accepts
	// the risk of the settings, as does [AllowUnfenced] for Disposable.
	ErrStore = store.ErrStore

	// ErrDenied means that the store refuses the user, the password, or the access. Every method
	// that asks the store may return it.
	ErrDenied = store.ErrDenied

	// ErrClaim means that the settings of a claim are invalid. Lease.Take wraps it for a lease that
	// another generator has, or that is for another layout.
	ErrClaim = errors.New("worker: invalid claim")

	// ErrClock is wrapped by Leased's Assign when this machine's clock and the store's are a window
	// or more apart, by the errors of a generator that has used up its grant meanwhile, and by
	// [Quarantine] when the store's clock was ahead. It is also wrapped by Lease.Err when the
	// store's clock was set back by more than a window and the machine was then restored from a
	// snapshot.
	ErrClock = errors.New("worker: a clock is wrong")

	// ErrOverlap means that Disposable and Leased meet in one database, and would make the same ids.
	ErrOverlap = errors.New("worker: the worker ids belong to others")

	// ErrNoTables means that the store's tables do not exist, and that the user it connects as may
	// not create them. The error has the statements that create them.
	ErrNoTables = errors.New("worker: the store's tables do not exist")

	// ErrRolledBack is wrapped by Lease.Err, and by Assign, when the store went back in time: it
	// shows less than it had acknowledged, for example because a backup was restored while
	// processes held leases. Such a Lease.Err also wraps ErrFenced, since other processes may
	// have been granted the same ticks meanwhile. The process that notices this deletes the
	// layout's rows before it takes another worker id: what is granted with new rows lies above
	// everything that was granted before.
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

	// ErrOtherLayout is wrapped by Leased's Assign when worker ids of another layout are in use
	// in the same place. The two layouts could make the same id.
	ErrOtherLayout = errors.New("worker: another layout is in use in the same place")

	// ErrDeleted is wrapped by Lease.Err when the row of the worker id was deleted. What was
	// granted may still be used up: a new row begins above it.
	ErrDeleted = errors.New("worker: the row of the worker id was deleted")

	// ErrNoRows is wrapped by [Release], [Steal] and [Quarantine] when there is nothing for them to
	// do. Perhaps they look in the wrong place.
	ErrNoRows = errors.New("worker: no rows of worker ids are there")

	// ErrHeld is wrapped by [Release] when another owner holds the worker id.
	ErrHeld = errors.New("worker: the worker id is held")
)
