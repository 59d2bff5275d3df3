package worker

import (
	"context"
	"errors"
	"fmt"

	"github.com/ringuid/ringuid/worker/store"
)

// ErrHeld is wrapped by Free when somebody else holds the worker id.
var ErrHeld = errors.New("worker: not free")

// Free gives a worker id back in place of a holder that is gone, so that nobody has
// to wait until its lease has run out: one that the claim's Owner holds, or whose
// lease has run out. Of the claim, Namespace, Owner, Slack, Timeout and Logger
// matter. The view that it returns shows the row as it was; one that nobody holds
// stays as it is.
//
// It is as safe as any takeover, also when the holder is alive after all: the row
// keeps its High, so that the next one begins behind all that was granted, and in
// front of that a new epoch is begun where one is due.
//
// It wraps ErrHeld, ErrClaim for a worker id without a row, or what a Store says.
func Free(ctx context.Context, s Store, c Claim, id int64) (View, error) {
	return free(ctx, s, c.withDefaults(), id, false)
}

// Steal is Free for whoever holds the worker id. A holder that is alive notices at
// its next sign of life, drops what it has not handed out, and takes another one.
func Steal(ctx context.Context, s Store, c Claim, id int64) (View, error) {
	return free(ctx, s, c.withDefaults(), id, true)
}

// mostFrees is how often a row may change under the hand of who frees it.
const mostFrees = 10

func free(ctx context.Context, s Store, c Claim, id int64, forced bool) (View, error) {
	for range mostFrees {
		v, err := c.view(ctx, s, id, id)
		if err != nil {
			return v, fmt.Errorf("worker: freeing worker id %d in %q: %w", id, c.Namespace, err)
		}
		if len(v.Rows) == 0 {
			return v, fmt.Errorf("%w: %q has no worker id %d: it has %d to %d", ErrClaim, v.Name, id, v.First, v.Last)
		}
		row := v.Rows[0]
		switch {
		case !row.Held:
			return v, nil
		case !forced && row.Owner != c.Owner && v.Live(row):
			return v, fmt.Errorf("%w: worker id %d is held by %s, whose lease runs until %s",
				ErrHeld, id, holderOf(row), stamp(row.Expires))
		}
		a := c.do(ctx, s, write{freeing(v, row, c.nonce())})
		if a.err != nil {
			return v, fmt.Errorf("worker: freeing worker id %d in %q: %w", id, c.Namespace, a.err)
		}
		if a.applied {
			return v, nil
		}
	}
	return View{}, fmt.Errorf("worker: freeing worker id %d in %q: %w faster than it can be written: try again", id, c.Namespace, errMissed)
}

// freeing is the write that releases a row for somebody else. Nobody knows here how
// far the holder has come, so all that was granted to it counts as minted (I4).
func freeing(v View, row Row, nonce store.Nonce) store.Write {
	return store.Write{
		Namespace: v.Name, Fingerprint: v.Fingerprint, Epoch: v.Epoch, Floor: v.Floor,
		Worker: row.Worker, Expect: []store.Nonce{row.Nonce}, Nonce: nonce, High: row.High,
		Owner: row.Owner, Release: true, Now: v.Now,
	}
}
