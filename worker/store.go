package worker

import (
	"fmt"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// The names that users of a store need. The rest is in package store, for authors of one.
type (
	// A Store keeps worker ids for [Leased]. Packages sqlstore, redisstore, etcdstore,
	// zkstore, k8sstore and memstore have one each; package store says how to write your
	// own.
	Store = store.Store

	// Namespace is a set of worker ids in a Store: see [NewNamespace].
	Namespace = store.Namespace

	// InitOptions are the choices of whoever creates a Namespace with Store.Init.
	InitOptions = store.InitOptions

	// View is the state of a Namespace in a Store at one moment.
	View = store.View

	// Row is the state of one worker id.
	Row = store.Row

	// Class says what the uniqueness of a worker id rests on.
	Class = store.Class
)

// The classes of a Lease.
const (
	// Unfenced: the caller guarantees that nobody else has the worker id at the same
	// time, and that the clock is not set back across a restart.
	Unfenced = store.Unfenced
	// FencedLossy: a recycled worker id, fenced by a store that may lose acknowledged
	// writes when it fails over. Uniqueness also rests on [Claim].Slack.
	FencedLossy = store.FencedLossy
	// Fenced: a recycled worker id, fenced by a store that keeps what it acknowledged.
	// Uniqueness rests on no clock.
	Fenced = store.Fenced
	// NeverReused: a new worker id for each start.
	NeverReused = store.NeverReused
)

// The errors of Store.Init, of [Leased] and its leases, and of [Disposable].
var (
	// ErrNoNamespace: the namespace, its rows, or the table that holds them is
	// not there. Store.Init creates them.
	ErrNoNamespace = store.ErrNoNamespace

	// ErrNamespace: the namespace was created with other settings or for another
	// layout, or was edited by hand.
	ErrNamespace = store.ErrNamespace

	// ErrStore: the store's settings may lose rows, or give them out twice.
	// Claim.AllowUnfenced takes the risk, and for Disposable [AllowUnfenced].
	ErrStore = store.ErrStore

	// ErrClaim: the settings of a claim or of a namespace are invalid.
	ErrClaim = store.ErrClaim

	// ErrOverlap is returned by Init, and by Disposable's Assign, for a worker id that
	// somebody else has for the same layout: both would make the same ids.
	ErrOverlap = store.ErrOverlap

	// ErrUnknownPast is returned by Init when InitOptions.RequireRecord is set and there
	// is no record.
	ErrUnknownPast = store.ErrUnknownPast

	// ErrRolledBack is wrapped by Lease.Err, and by Assign, when the store went back in
	// time: it shows less than it had acknowledged, for example because a backup was
	// restored while processes held leases. Such a Lease.Err also wraps ErrFenced, since
	// others may have been granted the same ticks meanwhile. The process that notices
	// raises the namespace's floor above everything that may be lost before it takes
	// another worker id; what is granted above that floor never comes twice.
	ErrRolledBack = store.ErrRolledBack
)

// DefaultWindow is how far ahead of the store's clock worker ids are granted.
const DefaultWindow = time.Minute

// NewNamespace returns a namespace for a layout: name, what the layout needs (see
// uid.Layout.Need), the first and last worker id, and how far ahead of the store's clock
// they are granted. A window of 0 means [DefaultWindow]; it must hold at least two ticks,
// so layouts with ticks of more than half a minute need a longer one.
func NewNamespace(name string, n Need, first, last int64, window time.Duration) (Namespace, error) {
	if window == 0 {
		window = DefaultWindow
	}
	ns := Namespace{Name: name, Fingerprint: n.Fingerprint, Unit: n.Unit, First: first, Last: last}
	if n.Unit > 0 {
		ns.Window = int64(window / n.Unit)
	}
	if last > n.MaxID {
		return ns, fmt.Errorf("%w: worker ids up to %d, the layout holds 0 to %d", ErrRange, last,
			n.MaxID)
	}
	return ns, ns.Validate()
}
