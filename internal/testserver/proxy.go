package testserver

import (
	"bytes"
	"context"
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
	target  string
	links   context.Context // of all connections; those that are made after its end are closed, too
	end     context.CancelFunc
	held    chan struct{} // until it is closed, bytes wait in the proxy; nil: they pass
	request []byte        // the request whose answer is to be cut; nil: none
	cuts    int
}

// NewProxy starts a proxy in front of target, the Addr of a server or any host:port. It
// ends with the test.
func NewProxy(t testing.TB, target string) *Proxy {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{listener: l, target: target}
	p.links, p.end = context.WithCancel(context.Background())
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
func (p *Proxy) Pass() { p.set(false) }

// Hang keeps all bytes that arrive, in either direction, and all connections
// open, even those that one side closes. A request that waits here still reaches
// the server after Pass, even when its client has given up.
func (p *Proxy) Hang() { p.set(true) }

func (p *Proxy) set(hang bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.links.Err() != nil {
		p.links, p.end = context.WithCancel(context.Background())
	}
	if hang && p.held == nil {
		p.held = make(chan struct{})
	} else if !hang && p.held != nil {
		close(p.held)
		p.held = nil
	}
}

// Drop closes all connections, and new ones as soon as they are made.
func (p *Proxy) Drop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.end()
}

// Turn has new connections go to another server, as when an address moves with a fail-over, and
// closes the existing ones, including those that are being made.
func (p *Proxy) Turn(target string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.target = target
	if p.links.Err() == nil {
		p.end()
		p.links, p.end = context.WithCancel(context.Background())
	}
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

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.mu.Lock()
		links, target := p.links, p.target
		p.mu.Unlock()
		p.running.Go(func() { p.link(links, client, target) })
	}
}

// link connects a client to its server, and moves bytes until one of them hangs up, or ctx ends.
func (p *Proxy) link(ctx context.Context, client net.Conn, target string) {
	ctx, end := context.WithCancel(ctx)
	defer end()
	defer client.Close()
	server, err := new(net.Dialer).DialContext(ctx, "tcp", target)
	if err != nil {
		return
	}
	context.AfterFunc(ctx, func() {
		client.Close()
		server.Close()
	})
	doomed := false // the server's next bytes are the answer to cut
	pump := func(from, to net.Conn) {
		defer end()
		buf := make([]byte, 64<<10)
		for {
			n, err := from.Read(buf)
			// The end of a connection also waits while the proxy hangs.
			if !p.mayPass(ctx, from == client, &doomed, buf[:n]) || err != nil {
				return
			}
			if _, err := to.Write(buf[:n]); err != nil {
				return
			}
		}
	}
	p.running.Go(func() { pump(client, server) })
	pump(server, client)
}

// mayPass waits while the proxy hangs, and reports whether these bytes may pass.
func (p *Proxy) mayPass(ctx context.Context, request bool, doomed *bool, b []byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for held := p.held; held != nil && ctx.Err() == nil; held = p.held {
		p.mu.Unlock()
		select {
		case <-held:
		case <-ctx.Done():
		}
		p.mu.Lock()
	}
	switch {
	case len(b) == 0 || ctx.Err() != nil:
		return false
	case !request && *doomed:
		p.cuts++
		return false
	case request && p.request != nil && bytes.Contains(b, p.request):
		p.request, *doomed = nil, true
	}
	return true
}
