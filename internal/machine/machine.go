// Package machine names and describes this machine, for people to read and for preferences. No
// id depends on it, except where worker.Ordinal reads the worker id from the host name.
package machine

import (
	"net"
	"os"
	"strings"
)

// Machine is where the names of a machine come from.
type Machine struct {
	Getenv   func(string) string
	Addrs    func() ([]net.Addr, error)
	HostName func() (string, error)
}

// This is the machine that the process runs on. All its names come from here, so that a test's
// main can set others.
var This = Machine{os.Getenv, net.InterfaceAddrs, os.Hostname}

// Host returns the first address that is neither loopback nor link-local or, without one, the
// name of the pod (POD_NAME) or of the machine. A process that has none of these starts all the
// same.
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

// Hardware returns the hardware address of the first interface that has one, or "".
func Hardware() string {
	all, _ := net.Interfaces()
	for _, i := range all {
		if len(i.HardwareAddr) > 0 {
			return i.HardwareAddr.String()
		}
	}
	return ""
}
