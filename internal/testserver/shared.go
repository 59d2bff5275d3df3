package testserver

import (
	"slices"
	"sync"
	"testing"
)

// Shared is a server, or a cluster of them, that the tests of a package use together.
type Shared[S any] struct {
	start func(t testing.TB) S

	mu     sync.Mutex
	server S
	up     bool
	ends   []func() // what to do when the last test has ended, the last first
	tests  interface{ Run() int }
}

// Share returns a server for many tests. TestMain runs what Around returns. The first test that
// calls Get starts the server, and it runs until the last test has ended. A test that uses it keeps
// to names of its own and leaves the server as it was. A test that stops, pauses or configures a
// server starts one for itself.
func Share[S any](start func(t testing.TB) S) *Shared[S] { return &Shared[S]{start: start} }

// Get returns the server. If it does not start, the test is skipped or fails, and the next test
// tries again.
func (s *Shared[S]) Get(t testing.TB) S {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.up {
		s.server = s.start(outlasted{t, func(end func()) { s.ends = append(s.ends, end) }})
		s.up = true
	}
	return s.server
}

// Around returns all tests of a package, like a testing.M, followed by the end of the server.
func (s *Shared[S]) Around(tests interface{ Run() int }) *Shared[S] {
	s.tests = tests
	return s
}

// Run runs the tests that Around was given.
func (s *Shared[S]) Run() int {
	defer func() {
		for _, end := range slices.Backward(s.ends) {
			end()
		}
	}()
	return s.tests.Run()
}

// outlasted is a test whose server outlasts it.
type outlasted struct {
	testing.TB
	cleanup func(end func())
}

func (o outlasted) Cleanup(end func()) { o.cleanup(end) }
