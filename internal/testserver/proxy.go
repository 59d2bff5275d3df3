package testserver

import (
	"net"
	"sync/atomic"
	"testing"

	"github.com/ringuid/ringuid/internal/tcpproxy"
)

// Proxy is a TCP proxy in front of a server that can be told to misbehave.
type Proxy struct {
	*tcpproxy.Proxy
	target atomic.Value // a string
}

// NewProxy starts a proxy in front of target, the Addr of a server or any host:port. It
// ends with the test.
func NewProxy(t testing.TB, target string) *Proxy {
	t.Helper()
	p := &Proxy{}
	p.target.Store(target)
	var err error
	p.Proxy, err = tcpproxy.New(func(net.Conn) (net.Conn, error) {
		return net.Dial("tcp", p.target.Load().(string))
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// Turn has new connections go to another server, as when an address moves with a
// fail-over, and closes those that there are.
func (p *Proxy) Turn(target string) {
	p.target.Store(target)
	p.Proxy.Turn()
}
