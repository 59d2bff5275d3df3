//go:build !linux

package testserver

import (
	"os/exec"
	"testing"
)

// Apart skips the test: only Linux gives a server a network of its own.
func Apart(t testing.TB) Option {
	t.Helper()
	t.Skip("no networks of servers' own here, which root on Linux may make")
	return nil
}

func ownNetwork(*exec.Cmd) {}

// Network connects servers that are [Apart].
type Network struct{}

// Connect makes the network of these servers.
func Connect(testing.TB, ...*Server) *Network { return &Network{} }

// IP is the address of the i-th server.
func (*Network) IP(int) string { return "" }

// Plug connects a server.
func (*Network) Plug(*Server) {}

// Cut takes a server from the network.
func (*Network) Cut(*Server) {}
