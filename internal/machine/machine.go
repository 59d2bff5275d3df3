// Package machine names and describes this machine, for people to read and for
// preferences: no id depends on it.
package machine

import (
	"net"
	"os"
	"runtime"
	"strings"
)

// Machine is where the names of a machine come from.
type Machine struct {
	Getenv   func(string) string
	Addrs    func() ([]net.Addr, error)
	HostName func() (string, error)
	CPU      func() string // its model, or nothing where that cannot be told
	CPUs     func() int
}

// This is the machine that the process runs on. All names of it come from here, so that a
// test's main can set others.
var This = Machine{os.Getenv, net.InterfaceAddrs, os.Hostname, cpu, runtime.NumCPU}

// Host is the first address that is neither loopback nor link-local, or without one
// the pod's name (POD_NAME) or the machine's. A process without either starts all
// the same.
func (m Machine) Host() string {
	addrs, _ := m.Addrs()
	for _, a := range addrs {
		if n, ok := a.(*net.IPNet); ok && !n.IP.IsLoopback() && !n.IP.IsLinkLocalUnicast() {
			return n.IP.String()
		}
	}
	if pod := strings.TrimSpace(m.Getenv("POD_NAME")); pod != "" {
		return pod
	}
	if name, err := m.HostName(); err == nil && name != "" {
		return name
	}
	return "localhost"
}

// Hardware is the hardware address of the first interface that has one, or empty.
func Hardware() string {
	all, _ := net.Interfaces()
	for _, i := range all {
		if len(i.HardwareAddr) > 0 {
			return i.HardwareAddr.String()
		}
	}
	return ""
}
