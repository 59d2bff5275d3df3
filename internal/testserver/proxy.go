package testserver

import (
	"net"
	"sync"
	"testing"

	"github.com/ringuid/ringuid/internal/tcpproxy"
)

// Proxy is a TCP proxy in front of a server that can be told to misbehave.
type Proxy struct {
	*tcpproxy.Proxy

	mu     sync.Mutex
	target string
}

// NewProxy starts a proxy in front of target, the Addr of a server or any host:port. It
// ends with the test.
func NewProxy(t testing.TB, target string) *Proxy {
	t.Helper()
	p := &Proxy{target: target}
	var err error
	if p.Proxy, err = tcpproxy.New(p.connect); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

func (p *Proxy) connect(net.Conn) (net.Conn, error) {
	p.mu.Lock()
	target := p.target
	p.mu.Unlock()
	return net.Dial("tcp", target)
}

// Turn has new connections go to another server, as when an address moves with a
// fail-over, and closes those that there are.
func (p *Proxy) Turn(target string) {
	p.mu.Lock()
	p.target = target
	p.mu.Unlock()
	p.Proxy.Turn()
}
