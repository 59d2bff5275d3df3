package failover

import "fmt"

// Holder is a generator with a worker id, and goroutines that take ids from it.
type Holder struct {
	*takers
	of   *Holders
	link *link
	left bool
}

// Reaches waits until ids of a tick after this one were taken.
func (m *Holder) Reaches(tick int64) {
	m.of.t.Helper()
	m.of.Until("ids of a later tick", func() error { return m.reached(tick) })
}

// Granted is the last tick that it believes to have.
func (m *Holder) Granted() int64 {
	return m.gen.Stats().GrantedUntil.UnixMilli()/m.of.layout.Unit.Milliseconds() - 1
}

// CutOff cuts it off from its store, until Mend. It continues with what it was granted.
func (m *Holder) CutOff() { m.link.cutOff() }

// Mend ends CutOff.
func (m *Holder) Mend() { m.link.cut.Store(false) }

// Leave ends it, and releases its worker id if it can.
func (m *Holder) Leave() {
	if m.left {
		return
	}
	m.left = true
	m.end()
}

// Crash ends it without releasing the worker id.
func (m *Holder) Crash() {
	m.CutOff()
	m.Leave()
}

// fails waits until so many more calls of its store got no answer.
func (m *Holder) fails(calls int64) {
	m.of.t.Helper()
	before := m.link.failures.Load()
	m.of.Until("calls that get no answer", func() error {
		if n := m.link.failures.Load() - before; n < calls {
			return fmt.Errorf("%d of %d", n, calls)
		}
		return nil
	})
}
