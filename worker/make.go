package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ringuid/ringuid/internal/fingerprint"
	"github.com/ringuid/ringuid/worker/store"
)

// defaultWorkerIDs is how many worker ids MakeNamespace makes at most.
const defaultWorkerIDs = 1024

// MakeNamespace makes a namespace for a layout (see uid.Layout.Need) unless it is there:
// the worker ids from 0 to 1023, or as many as the layout holds, granted [DefaultWindow]
// ahead, or four ticks where these are longer. An empty name is "default", as in a
// [Claim]. A program may call it at each start, in any number of processes at once; what
// an operator made stays as it is.
//
// A namespace that it makes begins above all that can have been granted by an earlier
// one with the same window, should the store have lost that. So the first start after it
// waits: six seconds with ticks of a second, two ticks where these are long.
//
// Where worker ids are in use that the store does not know of, where windows are longer,
// or to choose the worker ids, make it by hand: with `uidbench worker init`, or with
// [NewNamespace] and Store.Init, whose errors MakeNamespace returns.
func MakeNamespace(ctx context.Context, s Store, name string, n Need) error {
	name = cmp.Or(name, "default")
	v, err := s.View(ctx, name, 0, 0)
	switch {
	case err == nil && v.Fingerprint != n.Fingerprint:
		return fmt.Errorf("%w: %q holds worker ids for layout %s, this is %s: use one namespace per "+
			"layout", ErrNamespace, name, fingerprint.Layout(v.Fingerprint),
			fingerprint.Layout(n.Fingerprint))
	case err == nil, errors.Is(err, ErrRolledBack): // who takes a worker id raises the floor
		return nil
	case !errors.Is(err, ErrNoNamespace):
		return fmt.Errorf("worker: looking for namespace %q: %w", name, err)
	}
	window := max(DefaultWindow, 4*n.Unit)
	ns, err := NewNamespace(name, n, 0, min(defaultWorkerIDs-1, n.MaxID), window)
	if err != nil {
		return err
	}
	return s.Init(ctx, ns, store.InitOptions{Earlier: max(window, time.Duration(ns.Window)*n.Unit),
		MaxID: n.MaxID, Slack: DefaultSlack})
}
