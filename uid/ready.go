package uid

// Ready is nil if GetUID would return an id now, without waiting for the clock or for
// the lease. Otherwise it says why not, with an error that wraps what GetUID returns when it
// has waited in vain. Of a cached generator that is ErrRingEmpty, and with it ErrAhead,
// ErrGrantEnded or ErrLeaseLost; of a default one ErrClockBack, ErrTickFull, ErrAhead or
// ErrGrantEnded; or, when no waiting helps, ErrTimeOver, ErrLeaseLost or ErrClosed alone.
//
// It takes no id. It looks at the clock, and asks the policies and the lease, as a take does,
// and a probe may call it as often as it likes. An empty ring that the padder may fill at once
// is ready: busy is not broken. Ids that streams still hold do not count. A tick of a default
// generator that is full is not ready: under a load that fills ticks, tell ErrTickFull from
// the rest.
func (k *core) Ready() error {
	b := k.m.ready()
	switch {
	case k.life.Err() != nil:
		return ErrClosed
	case b != nil:
		return b.err
	}
	return nil
}

// Done is closed when the worker id's lease is lost for good: nobody asks for more ids
// any more. That is when Close begins, and, with Config.OnLeaseLost policy.GiveUp, when
// the lease is lost. With policy.Reacquire, the default, only Close closes it: the
// generator continues to ask for another worker id, however long that takes, and Ready
// tells how it stands.
//
// After a lease that was lost, but not to another holder, ids of the time that it had
// granted may still come, until Ready says ErrLeaseLost: time to shut down in order. A
// layout whose time is over does not close Done, since that is what the clock says, and
// the clock may be set right; Ready returns ErrTimeOver.
func (k *core) Done() <-chan struct{} { return k.kept.Done() }
