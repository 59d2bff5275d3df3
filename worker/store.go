package worker

import (
	"context"
	"encoding/hex"
	"errors"
	"time"
)

// What a Store answers, besides what its client says. Everything else that it
// returns means: not known whether the write was applied.
var (
	// ErrNoNamespace: the namespace, its rows, or the table that holds them is
	// not there. It is never created but by Init.
	ErrNoNamespace = errors.New("worker: no such namespace of worker ids")

	// ErrNamespace: Init found the namespace with other settings, Leased found it
	// made for another layout, or its settings were edited by hand.
	ErrNamespace = errors.New("worker: the namespace was made for something else")

	// ErrStore: the store is set up so that it may lose or give out rows twice,
	// and does not serve.
	ErrStore = errors.New("worker: the store is not set up for leases")
)

// Nonce names one write of a row: equal nonce, equal row.
type Nonce [16]byte

func (n Nonce) String() string { return hex.EncodeToString(n[:]) }

// Row is the state of one worker id.
type Row struct {
	Worker  int64
	Nonce   Nonce
	Held    bool
	High    int64     // no tick above it was ever granted
	Expires time.Time // by the store's clock; a held row may be taken over from then on
	Renewed time.Time // by the store's clock: the last write
	Owner   string    // who holds it or held it last: a preference, never authority
}

// View is what a store holds, read at one moment or earlier. A stale view is
// harmless: a write that builds on it misses.
type View struct {
	Namespace
	Server string    // the incarnation of the server now; equal to Epoch where nothing was lost
	Now    time.Time // the store's clock
	Clock  error     // nil, or why Now is the reader's own clock: the store's cannot be asked
	Rows   []Row     // in the order of their worker ids
}

// Write is the one kind of write to a row. It is applied, all of it or nothing,
// if at that instant
//
//	the row's nonce is one of Expect                    (I3)
//	if Acquire: the row is not held, or Expires <= now  (I3)
//	the namespace has this Fingerprint, Epoch and Floor, and Epoch is the server's
//	    incarnation                                     (I7)
//	unless Release: High <= tick of the store's now + Window  (I6)
//
// and then the row is
//
//	Nonce   = Nonce
//	Held    = !Release
//	High    = Release ? High : max(row.High, High)      (I4)
//	Expires = Release ? now : now + TTL
//	Renewed = now
//	Owner   = Owner
//
// A store that has no clock within a write goes by what it showed of its clock
// before, and takes Now where that is not to be had.
type Write struct {
	Namespace   string
	Fingerprint string
	Epoch       string
	Floor       int64

	Worker  int64
	Expect  []Nonce // one or two
	Nonce   Nonce   // new, from a cryptographic source
	High    int64
	TTL     time.Duration
	Owner   string
	Acquire bool
	Release bool
	Now     time.Time // the writer's estimate of the store's clock
}

// Raise begins a new epoch of a namespace. It is applied if at that instant the
// namespace has this Epoch and Floor and the server's incarnation is another;
// then
//
//	Epoch = the server's incarnation
//	Floor = max(Floor, tick of the store's now + Window + Margin)
//
// View.Raise makes it.
type Raise struct {
	Namespace string
	Epoch     string
	Floor     int64
	Margin    int64 // in ticks: SlackTicks
}

// Store keeps namespaces and their rows. It is a compare-and-set and nothing
// more: when to renew, what to believe, and whom to obey is decided by Leased,
// once for all stores. Package worker/storetest checks an implementation.
//
// A write returns applied when the store has acknowledged it durably, false and
// no error when a condition failed and nothing was written, and an error when
// that is not known. Implementations never repeat a write.
type Store interface {
	// Check asks the server for the settings that decide what a lease is worth:
	// Fenced, FencedLossy or Unfenced, or an error that wraps ErrStore.
	Check(ctx context.Context) (Class, error)

	// Init makes a namespace with a free row for each worker id from First to
	// Last, all at High = Floor-1, behind whatever was granted with these ids. It is
	// Found on what the store can do, so that all stores decide alike:
	//
	// Its worker ids are its own among the namespaces of one layout; ErrOverlap
	// says whose they are. Of one that exists with the same settings it makes what
	// is missing, and the worker ids that are new: rows begin behind all that may
	// have been granted with them. Another layout, unit or window, and fewer worker
	// ids, are ErrNamespace.
	Init(ctx context.Context, n Namespace, o InitOptions) error

	// View reads the namespace and its rows of worker ids from first to last. It
	// wraps ErrNoNamespace when the namespace is not there. A store that notices by
	// itself that it went back in time returns the view and an error that wraps
	// ErrRolledBack, until Quarantine has lifted the floor above that of the view.
	View(ctx context.Context, namespace string, first, last int64) (View, error)

	// Write writes one row.
	Write(ctx context.Context, w Write) (applied bool, err error)

	// Raise begins a new epoch. Stores whose View never shows a Server other
	// than Epoch need not apply it.
	Raise(ctx context.Context, r Raise) (applied bool, err error)

	// Quarantine lifts the floor to at least this tick, after a restore.
	Quarantine(ctx context.Context, namespace string, floor int64) error
}

// InitOptions are the choices of whoever makes a namespace.
type InitOptions struct {
	// Fresh says that no ids of this layout were ever granted from this store:
	// the first ids are of now. It is not believed where the record of the layout
	// shows the opposite.
	//
	// Without it they begin behind the longest window that any namespace of the
	// layout ever had; where there is no record, behind MaxWindow or Earlier.
	Fresh bool

	// Earlier is the longest window that namespaces of this layout ever had in
	// this store, for an operator who knows it. Zero: what the record says, and
	// MaxWindow where there is none.
	Earlier time.Duration

	// RequireRecord returns ErrUnknownPast where there is no record and neither
	// Fresh nor Earlier is set, rather than make worker ids that grant nothing for
	// MaxWindow.
	RequireRecord bool

	// Apart says that ids made with these worker ids never meet those of others
	// who have them: they are kept in tables of their own, say.
	Apart bool

	// MaxID is the largest worker id of the layout: what ErrOverlap proposes is
	// not above it. Zero: not known.
	MaxID int64

	// Slack bounds how far two clocks of the store may differ, as Claim.Slack.
	Slack time.Duration
}
