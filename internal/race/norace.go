//go:build !race

package race

// Enabled is true in a program built with -race.
const Enabled = false

// Skip has nothing to do without the race detector.
func Skip(interface{ Skip(...any) }) {}
