//go:build !race

package race

// Enabled is true in a program built with -race.
const Enabled = false

// Slow divides nothing without the race detector.
const Slow = 1

// Skip has nothing to do without the race detector.
func Skip(interface{ Skip(...any) }) {}
