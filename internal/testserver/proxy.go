package testserver

import (
	"bytes"
	"net"
	"sync"
	"sync/atomic"
	"testing"
)

// Proxy is a TCP proxy in front of a server that can be told to misbehave. It passes
// everything until it is. All methods may be called from any goroutine.
type Proxy struct {
	listener net.Listener
	running  sync.WaitGroup

	mu      sync.Mutex
	target  string
	mode    mode
	changed chan struct{} // closed when mode changes, and replaced
	request []byte        // whose answer is to be cut; nil: none
	cuts    int
	links   map[*link]struct{}
}

type mode int

const (
	passing  mode = iota
	hanging       // bytes wait in the proxy
	dropping      // connections are closed
	closed        // the proxy has ended
)

// link is a client's connection and the one to the server on its behalf.
type link struct {
	client, server net.Conn    // no server yet while it is being connected to
	doomed         atomic.Bool // the server's next bytes are the answer to cut
	gone           chan struct{}
	once           sync.Once
}

func (l *link) close() {
	l.once.Do(func() {
		close(l.gone)
		l.client.Close()
		if l.server != nil {
			l.server.Close()
		}
	})
}

// NewProxy starts a proxy in front of target, the Addr of a server or any host:port. It
// ends with the test.
func NewProxy(t testing.TB, target string) *Proxy {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{listener: l, target: target, changed: make(chan struct{}),
		links: map[*link]struct{}{}}
	p.running.Go(p.accept)
	t.Cleanup(func() {
		l.Close()
		p.set(closed)
		p.running.Wait()
	})
	return p
}

// Addr is where clients find the proxy.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

// Pass forwards everything, and what waited first.
func (p *Proxy) Pass() { p.set(passing) }

// Hang keeps all bytes that arrive, in either direction, and all connections
// open, even those that one side closes. A request that waits here still reaches
// the server after Pass, even when its client has given up.
func (p *Proxy) Hang() { p.set(hanging) }

// Drop closes all connections, and new ones as soon as they are made.
func (p *Proxy) Drop() { p.set(dropping) }

// Turn has new connections go to another server, as when an address moves with a
// fail-over, and closes those that there are, also those that are being made.
func (p *Proxy) Turn(target string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.target = target
	p.end()
}

// end is called with mu.
func (p *Proxy) end() {
	for l := range p.links {
		l.close()
	}
	clear(p.links)
}

// CutReplyTo lets the next request that contains text reach the server, waits
// until the server begins to answer, and then closes the connection instead of
// passing the answer on. It does so once. The text must lie in what the client
// writes at once. Empty text is in any request.
func (p *Proxy) CutReplyTo(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.request = []byte(text)
}

// Cuts says how many answers have been cut.
func (p *Proxy) Cuts() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cuts
}

func (p *Proxy) set(m mode) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mode = m
	close(p.changed)
	p.changed = make(chan struct{})
	if m == dropping || m == closed {
		p.end()
	}
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.mu.Lock()
		if p.mode == dropping || p.mode == closed {
			client.Close()
		} else {
			l := &link{client: client, gone: make(chan struct{})}
			p.links[l] = struct{}{}
			target := p.target // Turn ends a link to an earlier one
			p.running.Go(func() { p.lead(l, target) })
		}
		p.mu.Unlock()
	}
}

// lead connects a client to its server, unless that is not wanted any more.
func (p *Proxy) lead(l *link, target string) {
	server, err := net.Dial("tcp", target)
	p.mu.Lock()
	defer p.mu.Unlock()
	_, wanted := p.links[l]
	if err != nil || !wanted {
		delete(p.links, l)
		l.close()
		if err == nil {
			server.Close()
		}
		return
	}
	l.server = server
	p.running.Go(func() { p.pump(l, l.client, l.server, p.markDoomed) })
	p.running.Go(func() { p.pump(l, l.server, l.client, p.cutDoomed) })
}

// pump moves bytes one way until the link ends. look sees them before they are
// passed on.
func (p *Proxy) pump(l *link, from, to net.Conn, look func(*link, []byte)) {
	defer p.leave(l)
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		if !p.mayPass(l) || err != nil { // an end, too, waits while the proxy hangs
			return
		}
		look(l, buf[:n])
		if _, err := to.Write(buf[:n]); err != nil {
			return
		}
	}
}

func (p *Proxy) leave(l *link) {
	l.close()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.links, l)
}

// mayPass waits while the proxy hangs, and says whether to go on.
func (p *Proxy) mayPass(l *link) bool {
	for {
		p.mu.Lock()
		m, changed := p.mode, p.changed
		p.mu.Unlock()
		if m != hanging {
			return m == passing
		}
		select {
		case <-changed:
		case <-l.gone:
			return false
		}
	}
}

// markDoomed sees what the client sends.
func (p *Proxy) markDoomed(l *link, b []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.request != nil && bytes.Contains(b, p.request) {
		p.request = nil
		l.doomed.Store(true)
	}
}

// cutDoomed sees what the server sends.
func (p *Proxy) cutDoomed(l *link, _ []byte) {
	if l.doomed.Load() {
		p.mu.Lock()
		p.cuts++
		p.mu.Unlock()
		l.close()
	}
}
