//go:build !go1.27

package main

// standardUUIDs returns none: before 1.27, Go has no package uuid.
func standardUUIDs() []rival { return nil }
