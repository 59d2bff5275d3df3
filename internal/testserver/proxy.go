package testserver

import (
	"bytes"
	"net"
	"sync"
	"testing"
)

// Proxy is a TCP proxy in front of a server that can be told to misbehave. Until then it
// forwards everything. All methods may be called from any goroutine.
type Proxy struct {
	listener net.Listener
	running  sync.WaitGroup

	mu      sync.Mutex
	changed *sync.Cond // the mode has changed, or a link was ended
	target  string
	mode    mode
	request []byte // the request whose answer is to be cut; nil: none
	cuts    int
	links   map[*link]bool
}

type mode int

const (
	passing  mode = iota
	hanging       // bytes wait in the proxy
	dropping      // connections are closed
)

// link is a client's connection and the one to the server on its behalf.
type link struct {
	client, server net.Conn // server is nil while it is being connected to
	doomed         bool     // the server's next bytes are the answer to cut
}

// NewProxy starts a proxy in front of target, the Addr of a server or any host:port. It
// ends with the test.
func NewProxy(t testing.TB, target string) *Proxy {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{listener: l, target: target, links: map[*link]bool{}}
	p.changed = sync.NewCond(&p.mu)
	p.running.Go(p.accept)
	t.Cleanup(func() {
		l.Close()
		p.Drop()
		p.running.Wait()
	})
	return p
}

// Addr is where clients find the proxy.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

// Pass forwards everything, beginning with what waited.
func (p *Proxy) Pass() { p.set(passing) }

// Hang keeps all bytes that arrive, in either direction, and all connections
// open, even those that one side closes. A request that waits here still reaches
// the server after Pass, even when its client has given up.
func (p *Proxy) Hang() { p.set(hanging) }

// Drop closes all connections, and new ones as soon as they are made.
func (p *Proxy) Drop() { p.set(dropping) }

// Turn has new connections go to another server, as when an address moves with a fail-over, and
// closes the existing ones, including those that are being made.
func (p *Proxy) Turn(target string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.target = target
	p.endAll()
}

// CutReplyTo lets the next request that contains text reach the server, waits until the server
// begins to answer, and then closes the connection instead of passing the answer on. It does so
// once. The client must write the text all at once. Any request contains an empty text.
func (p *Proxy) CutReplyTo(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.request = []byte(text)
}

// Cuts returns how many answers have been cut.
func (p *Proxy) Cuts() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cuts
}

func (p *Proxy) set(m mode) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mode = m
	if m == dropping {
		p.endAll()
	}
	p.changed.Broadcast()
}

// endAll ends all links. The caller holds mu.
func (p *Proxy) endAll() {
	for l := range p.links {
		p.end(l)
	}
}

// end ends a link. The caller holds mu.
func (p *Proxy) end(l *link) {
	if !p.links[l] {
		return
	}
	delete(p.links, l)
	l.client.Close()
	if l.server != nil {
		l.server.Close()
	}
	p.changed.Broadcast()
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		l := &link{client: client}
		p.mu.Lock()
		p.links[l] = true
		if p.mode == dropping {
			p.end(l)
		} else {
			target := p.target // Turn ends a link to an earlier one
			p.running.Go(func() { p.lead(l, target) })
		}
		p.mu.Unlock()
	}
}

// lead connects a client to its server, unless that is no longer wanted.
func (p *Proxy) lead(l *link, target string) {
	server, err := net.Dial("tcp", target)
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case err != nil:
		p.end(l)
	case !p.links[l]:
		server.Close()
	default:
		l.server = server
		p.running.Go(func() { p.pump(l, l.client, server) })
		p.running.Go(func() { p.pump(l, server, l.client) })
	}
}

// pump moves bytes one way until the link ends.
func (p *Proxy) pump(l *link, from, to net.Conn) {
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		// The end of a connection also waits while the proxy hangs.
		if !p.mayPass(l, from == l.client, buf[:n]) || err != nil {
			break
		}
		if _, err := to.Write(buf[:n]); err != nil {
			break
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.end(l)
}

// mayPass waits while the proxy hangs, and reports whether these bytes may pass.
func (p *Proxy) mayPass(l *link, request bool, b []byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.mode == hanging && p.links[l] {
		p.changed.Wait()
	}
	switch {
	case len(b) == 0 || !p.links[l]:
		return false
	case !request && l.doomed:
		p.cuts++
		return false
	case request && p.request != nil && bytes.Contains(b, p.request):
		p.request, l.doomed = nil, true
	}
	return true
}
