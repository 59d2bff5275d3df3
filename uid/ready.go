package uid

// Ready returns nil if GetUID would return an id now, without waiting for the clock or the
// lease. Otherwise its error says why not, and wraps what GetUID returns when it has waited in
// vain. For a cached generator that is ErrRingEmpty, and with it ErrAhead, ErrGrantEnded or
// ErrLeaseLost; for a default one it is ErrClockBack, ErrTickFull, ErrAhead, ErrGrantEnded or
// ErrLeaseLost. When no waiting helps, it is ErrTimeOver, ErrLeaseLost or ErrClosed alone.
//
// Ready takes no id. It looks at the clock, and asks the policies and the lease, as a take
// does; a probe may call it as often as it likes. A cached generator with an empty ring that
// the padder may fill at once is ready: busy is not broken. Ids that streams still hold do not
// count. A default generator with a full tick is not ready: under a load that fills ticks,
// tell ErrTickFull from the other errors.
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

// Done returns a channel that is closed when the worker id's lease is lost for good, so that
// no other worker id is asked for. That is when Close begins, and, with Config.OnLeaseLost
// policy.GiveUp, when the lease is lost. With policy.Reacquire, the default, only Close closes
// it: the generator continues to ask for another worker id, however long that takes, and Ready
// reports the state.
//
// After a lease was lost, but not to another holder, ids of the time that it had granted may
// still be handed out until Ready returns ErrLeaseLost: time for an orderly shutdown. A layout
// whose time is over does not close Done, because only the clock says that it is over, and the
// clock may be set right; Ready returns ErrTimeOver.
func (k *core) Done() <-chan struct{} { return k.done.Done() }
