package worker

import (
	"errors"
	"fmt"

	"github.com/ringuid/ringuid/worker/store"
)

// errMissed: a write's condition failed though the row looked right a moment ago.
var errMissed = errors.New("worker: the row changed meanwhile")

// renew reads the row and then writes what is due. Reading first tells what
// became of a write whose answer was lost (I3), whether the row is still ours
// (I8), whether the floor is one to build on (I7, I12), and the store's clock.
func (k *keeper) renew() error {
	v, err := k.view()
	if err != nil {
		k.vanished(err)
		return err
	}
	w, due := k.due(v)
	if !due {
		return nil
	}
	applied, err := k.c.write(k.ctx, k.store, w)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.h.wrote(w, applied, err)
	if applied {
		k.beat = k.c.clock.Mono()
	}
	k.publish()
	switch {
	case err == nil && !applied && w.High > v.Horizon():
		return fmt.Errorf("%w: the store's clock was set back: it shows %s, and the row is granted until %s", errMissed, stamp(v.Now), stamp(v.Start(w.High+1)))
	case err == nil && !applied:
		return errMissed
	}
	return err
}

// view is Claim.view for the own row. What a view shows of that is digested before
// anything is mended: who learns that others may have its ticks drops them first.
func (k *keeper) view() (store.View, error) {
	for range mostLooks {
		v, err := k.c.look(k.ctx, k.store, k.h.worker, k.h.worker)
		if err == nil || errors.Is(err, ErrRolledBack) && v.Name != "" {
			k.digest(v, err)
		}
		again, err := k.c.mend(k.ctx, k.store, v, err)
		if err != nil || !again {
			return v, err
		}
	}
	return store.View{}, errRestless
}

// digest takes in what a view shows of the own row, unless a new epoch has to begin
// before that tells anything.
func (k *keeper) digest(v store.View, proven error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.now, k.at = v.Now, k.c.clock.Mono()
	if k.h.lost != nil || v.Server != v.Epoch {
		return
	}
	k.see(v, proven)
	k.publish()
}

// see lets the holder see a view. The caller has the lock.
func (k *keeper) see(v store.View, proven error) {
	var told string
	if alarm := k.h.see(v, proven); alarm != nil {
		told = alarm.Error()
	}
	k.h.warn(k.c.past)
	if told != "" && told != k.edit {
		k.c.Logger.Error("a row is not as it was left", "worker", k.h.worker, "namespace", k.c.Namespace, "reason", told)
	}
	k.edit = told
}

// due is what has to be written after a view, or false.
func (k *keeper) due(v store.View) (store.Write, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.h.lost != nil {
		return store.Write{}, false
	}
	beat := k.c.clock.Mono()-k.beat >= k.c.TTL/3
	return k.h.due(v, k.cursor.Load(), beat, k.c.nonce())
}

// vanished ends the lease when its row is gone for good: nothing makes it anew,
// and what was granted may be used up.
func (k *keeper) vanished(err error) {
	if !errors.Is(err, ErrNoNamespace) {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.h.lost = err
	k.publish()
}
