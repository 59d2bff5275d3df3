//go:build race

// Package race tells tests whether the race detector watches them. If only one goroutine at a
// time runs, or if only the number of ids matters, the detector finds nothing and takes ten
// times as long: `make test` also runs such tests without it, by their names.
package race

// Enabled is true in a program built with -race.
const Enabled = true

// Slow is how many times less to measure, as figures mean nothing here anyway.
const Slow = 64

// Skip skips a test in which the race detector would find nothing.
func Skip(t interface{ Skip(...any) }) {
	t.Skip("the race detector would only slow this down: make test runs it without")
}
