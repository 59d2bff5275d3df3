//go:build race

// Package race tells tests whether the race detector watches them. Where one goroutine
// at a time runs, or the number of ids is all that counts, it finds nothing and takes ten
// times as long: `make test` runs such tests without it too, by their names.
package race

// Enabled is true in a program built with -race.
const Enabled = true

// Slow is how many times less to measure, where figures mean nothing anyway.
const Slow = 64

// Skip leaves out a test in which it would find nothing.
func Skip(t interface{ Skip(...any) }) {
	t.Skip("the race detector would only slow this down: make test runs it without")
}
