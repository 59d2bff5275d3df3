//go:build race

// Package race tells tests whether the race detector watches them. Where one goroutine
// at a time runs, or the number of ids is all that counts, it finds nothing and takes ten
// times as long: `make test` runs the packages with such tests without it too.
package race

// Enabled is true in a program built with -race.
const Enabled = true

// Slow is how many times less to measure, where figures mean nothing anyway.
const Slow = 64

// Skip leaves out a test in which no two goroutines share anything.
func Skip(t interface{ Skip(...any) }) {
	t.Skip("no two goroutines share anything here: it is run without the race detector")
}
