package worker

import (
	"fmt"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// What the user of a store names. The rest of it is in package store, for those who write
// one.
type (
	// A Store keeps worker ids for [Leased]: those of packages sqlstore, redisstore,
	// etcdstore, zkstore and memstore, or your own.
	Store = store.Store

	// Namespace is a set of worker ids in a Store: see [NewNamespace].
	Namespace = store.Namespace

	// InitOptions are the choices of whoever makes a Namespace with Store.Init.
	InitOptions = store.InitOptions

	// View is what a Store holds of a Namespace at one moment.
	View = store.View

	// Row is the state of one worker id.
	Row = store.Row

	// Class says what the uniqueness of a worker id rests on.
	Class = store.Class
)

// The classes of a Lease.
const (
	// Unfenced: the caller vouches that nobody else has the worker id at the same
	// time, and that the clock is not set back across a restart.
	Unfenced = store.Unfenced
	// FencedLossy: recycled behind a fence in a store that may lose acknowledged
	// writes when it fails over; rests on one bounded clock term.
	FencedLossy = store.FencedLossy
	// Fenced: recycled behind a fence in a store that keeps what it acknowledged.
	// Rests on no clock.
	Fenced = store.Fenced
	// NeverReused: a new id for each start.
	NeverReused = store.NeverReused
)

// What Store.Init, the Assigner of Leased and its leases wrap.
var (
	// ErrNoNamespace: the namespace, its rows, or the table that holds them is
	// not there. Store.Init makes them.
	ErrNoNamespace = store.ErrNoNamespace

	// ErrNamespace: the namespace was made with other settings, for another
	// layout, or edited by hand.
	ErrNamespace = store.ErrNamespace

	// ErrStore: the store is set up so that it may lose rows or give them out
	// twice. Claim.AllowUnfenced takes the risk.
	ErrStore = store.ErrStore

	// ErrClaim: a claim that cannot be met, or a namespace that cannot be.
	ErrClaim = store.ErrClaim

	// ErrOverlap is wrapped by Init, and by the Assigner of Disposable, for a worker
	// id of a layout that somebody else has: both would make the same ids.
	ErrOverlap = store.ErrOverlap

	// ErrUnknownPast is wrapped by Init for InitOptions.RequireRecord.
	ErrUnknownPast = store.ErrUnknownPast

	// ErrRolledBack is wrapped by Lease.Err, and by an Assigner, when the store went
	// back in time: it shows less than it had acknowledged, as after a backup was
	// restored beside live holders. Such a Lease.Err wraps ErrFenced, too, since
	// others may have been granted the same ticks since. Whoever notices raises the
	// namespace's floor behind everything that may be lost before it takes another
	// worker id; what is granted above that floor never comes twice.
	ErrRolledBack = store.ErrRolledBack
)

// DefaultWindow is how far ahead of the store's clock worker ids are granted.
const DefaultWindow = time.Minute

// NewNamespace is the namespace of this name for a layout's Need: worker ids
// first to last, granted window ahead. A window of zero means DefaultWindow,
// which units of half a minute and more do not fit: they take an explicit one.
func NewNamespace(name string, n Need, first, last int64, window time.Duration) (Namespace, error) {
	if window == 0 {
		window = DefaultWindow
	}
	ns := Namespace{Name: name, Fingerprint: n.Fingerprint, Unit: n.Unit, First: first, Last: last}
	if n.Unit > 0 {
		ns.Window = int64(window / n.Unit)
	}
	if last > n.MaxID {
		return ns, fmt.Errorf("%w: worker ids up to %d, the layout holds 0 to %d", ErrRange, last, n.MaxID)
	}
	return ns, ns.Validate()
}
