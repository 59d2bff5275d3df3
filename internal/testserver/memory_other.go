//go:build !linux

package testserver

func inMemory() string { return "" }
