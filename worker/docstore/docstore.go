package docstore

import (
	"cmp"
	"context"
	"crypto/rand"
	"time"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/internal/rows"
	"github.com/ringuid/ringuid/worker/internal/cancelable"
	"github.com/ringuid/ringuid/worker/internal/textstore"
	"github.com/ringuid/ringuid/worker/store"
)

// A Document is one value in a store that can replace it if nobody else has. Its methods may be
// called from any goroutine. Their errors say what to do, and wrap errors of package worker. A
// call that does not return when its context ends is waited for no longer.
type Document interface {
	// Load returns the value. It shows every Save that was acknowledged before. It may send the
	// request again.
	Load(ctx context.Context) (Snapshot, error)

	// Save replaces the value that has this tag; with an empty tag there may be none. The store
	// compares and writes in one step. Save sends the request once.
	//
	// It returns false if it is certain that nothing was written, since another value is there,
	// another write is under way, or the store takes no more writes now. It returns an error if the
	// outcome is not known.
	Save(ctx context.Context, value []byte, tag string) (saved bool, err error)
}

// Snapshot is what a Load returns.
type Snapshot struct {
	Value []byte // nil: there is none. More than MaxValue need not be read

	// Tag is empty if there is no value. Else it is a hash of the value, or a mark that the store
	// never gives twice. It is no counter that a restore sets back: a request that comes late could
	// then replace what it was not meant for.
	Tag string

	// The store's clock showed a time from Shown to Shown + Grain at some moment of the call. Grain
	// is more than 0.
	Shown time.Time
	Grain time.Duration
}

// MaxValue is how many bytes a value may have.
const MaxValue = 4 << 20

// parts is how many documents a place has. It is part of the format.
const parts = 16

// Options say what a store is called.
type Options struct {
	Name string // of the package, in errors. Empty: "docstore"
}

// New returns a store on the 16 documents that at returns for 0 to 15. Its methods may be called
// from any goroutine.
func New(at func(part int) Document, o Options) store.Store {
	s := &place{name: cmp.Or(o.Name, "docstore"), machine: clock.Real(), text: rand.Text,
		wait: wait, each: textstore.Each, held: map[rows.Key]store.Nonce{}}
	for part := range s.at {
		s.at[part] = bounded{at(part)}
	}
	return s
}

// bounded is a Document whose client may not know contexts: without an answer, it would keep a
// lease from ever being renewed.
type bounded struct{ Document }

func (d bounded) Load(ctx context.Context) (Snapshot, error) {
	return cancelable.Call(ctx, func() (Snapshot, error) { return d.Document.Load(ctx) })
}

func (d bounded) Save(ctx context.Context, value []byte, tag string) (saved bool, err error) {
	return cancelable.Call(ctx, func() (bool, error) { return d.Document.Save(ctx, value, tag) })
}
