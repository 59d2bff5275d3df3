package worker

import (
	"errors"
	"fmt"
)

// mostReleases is how often a release is tried. A write that was under way when the release
// began may be applied between its view and its write, or after a stale view.
const mostReleases = 3

// errReleased is wrapped by Lease.Err after Release.
var errReleased = errors.New("worker: lease released")

// release begins to give the row back, so that the next holder can start right above last.
// a is the answer to the call under way, if there is one, or the error that ended it.
func (k *keeper) release(a answer, last int64) action {
	if k.phase == writing {
		k.h.wrote(k.write, a.applied, a.err)
	}
	k.leaves, k.last = true, last
	return k.look()
}

// giveBack writes the row, unless there is nothing to give back: the lease is lost, or an
// earlier release was applied and only its answer was lost.
func (k *keeper) giveBack(at moment, err error) action {
	v := k.survey.view
	if err != nil || k.h.lost != nil || !v.Rows[0].Held && v.Rows[0].Nonce == k.h.nonce {
		return k.released(err)
	}
	k.tries++
	return k.send(k.h.release(v, k.last, at.nonce))
}

func (k *keeper) gaveBack(a answer) action {
	switch {
	case a.applied || a.err != nil:
		return k.released(a.err)
	case k.tries == mostReleases:
		return k.released(errMissed)
	}
	return k.look()
}

func (k *keeper) released(err error) action {
	k.err, k.phase, k.h.spans = err, ended, nil
	if k.h.lost == nil { // else that remains the reason
		k.h.lost = fmt.Errorf("%w: worker id %d", errReleased, k.h.worker)
	}
	return over
}
