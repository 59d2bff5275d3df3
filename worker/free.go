package worker

import (
	"context"
	"errors"
	"fmt"

	"github.com/ringuid/ringuid/worker/store"
)

// ErrHeld is wrapped by [Free] when somebody else holds the worker id.
var ErrHeld = errors.New("worker: the worker id is held")

// Free releases a worker id on behalf of a process that is gone, so that nobody has to wait
// until its lease expires. The holder must be the claim's Owner, or its lease must have
// expired. Of the claim, only Owner, Slack, Timeout and Logger matter. The view that Free
// returns shows the row as it was; a row that nobody holds is left alone.
//
// Free is as safe as any takeover, even if the process turns out to be alive: the row keeps
// its High, so the next holder begins above everything that was granted.
//
// The error wraps [ErrHeld], [ErrClaim] for a worker id that has no row, or the store's.
func Free(ctx context.Context, s Store, c Claim, p Pool, id int64) (View, error) {
	return free(ctx, s, c.withDefaults(), p, id, false)
}

// Steal is [Free], whoever holds the worker id. A holder that is alive notices when it next
// renews its lease, drops the ids that it has not handed out, and takes another worker id.
func Steal(ctx context.Context, s Store, c Claim, p Pool, id int64) (View, error) {
	return free(ctx, s, c.withDefaults(), p, id, true)
}

// mostFrees is how often Free tries when the row changes between its view and its write.
const mostFrees = 10

func free(ctx context.Context, s Store, c Claim, p Pool, id int64, forced bool) (View, error) {
	operator := c.caller(ctx, s, Need{Unit: p.Unit, Fingerprint: p.Layout})
	for range mostFrees {
		v, err := operator.view(id, id)
		if err != nil {
			return v, fmt.Errorf("worker: freeing worker id %d: %w", id, err)
		}
		if len(v.Rows) == 0 {
			return v, fmt.Errorf("%w: layout %s has no row for worker id %d", ErrClaim,
				layoutName(p.Layout), id)
		}
		row := v.Rows[0]
		switch {
		case !row.Held:
			return v, nil
		case !forced && row.Owner != c.Owner && v.Live(row):
			return v, fmt.Errorf("%w: worker id %d is held by %s, whose lease runs until %s",
				ErrHeld, id, holderOf(row), stamp(row.Expires))
		}
		a := operator.ask(freeing(v, row, operator.at.nonce))
		if a.err != nil {
			return v, fmt.Errorf("worker: freeing worker id %d: %w", id, a.err)
		}
		if a.applied {
			return v, nil
		}
	}
	return View{}, fmt.Errorf("worker: freeing worker id %d: %w, %d times: try again", id, errMissed,
		mostFrees)
}

// freeing returns the write that releases a row for another process. How far that process
// got is not known, so everything granted to it counts as minted (I4).
func freeing(v View, row Row, nonce store.Nonce) store.Write {
	return store.Write{
		Pool: v.Pool, Epoch: v.Epoch, Floor: v.Floor,
		Worker: row.Worker, Expect: []store.Nonce{row.Nonce}, Nonce: nonce, High: row.High,
		Owner: row.Owner, Release: true, Now: v.Now,
	}
}
