package testserver

import (
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// Apart has the server run in a network of its own, where clients reach it by its Unix
// socket alone, and others of its kind through a [Network]. Where the system does not
// allow that, as it does to root on Linux, the test is skipped.
func Apart(t testing.TB) Option {
	t.Helper()
	try := exec.Command("ip", "link", "set", "lo", "up")
	ownNetwork(try)
	if out, err := try.CombinedOutput(); err != nil {
		t.Skipf("no networks of servers' own here, which root on Linux may make with ip: %v %s", err, out)
	}
	return func(s *Server) { s.apart = true }
}

func ownNetwork(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWNET
}

// Network connects servers that are [Apart], each with each.
type Network struct {
	t       testing.TB
	servers []*Server
}

// Connect makes the network of these servers.
func Connect(t testing.TB, servers ...*Server) *Network {
	t.Helper()
	n := &Network{t, servers}
	for _, s := range servers {
		n.Plug(s)
	}
	return n
}

// IP is the address of the i-th server.
func (n *Network) IP(i int) string { return fmt.Sprintf("10.9.0.%d", i+1) }

// Plug connects a server, after Cut or after it was started again, with those that run.
func (n *Network) Plug(s *Server) {
	n.t.Helper()
	i := n.index(s)
	n.in(s, "link set lo up")
	for j, other := range n.servers {
		if j == i || other.proc == nil {
			continue
		}
		_ = n.ip(other, "link delete "+port(j, i)) // the other end goes with it, as with the server
		n.in(other, fmt.Sprintf("link add %s type veth peer name %s netns %d", port(j, i), port(i, j), s.proc.cmd.Process.Pid))
		n.in(s, fmt.Sprintf("addr add %s peer %s/32 dev %s", n.IP(i), n.IP(j), port(i, j)), "link set "+port(i, j)+" up")
		n.in(other, fmt.Sprintf("addr add %s peer %s/32 dev %s", n.IP(j), n.IP(i), port(j, i)), "link set "+port(j, i)+" up")
	}
}

// Cut takes a server from the network. Its clients still reach it.
func (n *Network) Cut(s *Server) {
	n.t.Helper()
	i := n.index(s)
	for j := range n.servers {
		if j != i {
			n.in(s, "link set "+port(i, j)+" down")
		}
	}
}

// port is the name of the i-th server's connection to the j-th.
func port(i, j int) string { return fmt.Sprintf("to%dof%d", j, i) }

func (n *Network) index(s *Server) int {
	for i, other := range n.servers {
		if other == s {
			return i
		}
	}
	n.t.Helper()
	n.t.Fatal("the server is not in this network")
	return 0
}

func (n *Network) in(s *Server, commands ...string) {
	n.t.Helper()
	for _, command := range commands {
		if err := n.ip(s, command); err != nil {
			n.t.Fatal(err)
		}
	}
}

// ip runs ip where the server is.
func (n *Network) ip(s *Server, command string) error {
	args := append([]string{"-t", fmt.Sprint(s.proc.cmd.Process.Pid), "-n", "ip"}, strings.Fields(command)...)
	if out, err := exec.Command("nsenter", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("ip %s: %w: %s", command, err, out)
	}
	return nil
}
