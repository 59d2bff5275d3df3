// Package broadcast wakes all goroutines that wait for an event.
package broadcast

import "sync"

// Signal is an event that repeats. The zero value is ready. All methods may be
// called from any goroutine.
type Signal struct {
	mu sync.Mutex
	ch chan struct{} // nil if Next was not called since the last event
}

// Next returns a channel that the next Send closes. Call it before looking at what the event is
// about, so that no event is missed in between.
func (s *Signal) Next() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ch == nil {
		s.ch = make(chan struct{})
	}
	return s.ch
}

// Send says that the event has happened. It costs a lock, and nothing more if no goroutine
// waits.
func (s *Signal) Send() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ch != nil {
		close(s.ch)
		s.ch = nil
	}
}
