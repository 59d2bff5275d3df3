package soak

import (
	"bufio"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
)

// A Proxy is what the connections of all processes to their store go through, so
// that the store can be taken away from them. A process says at the beginning of a
// connection where it is to lead; from then on bytes pass as they are, those of
// TLS too.
type Proxy struct {
	listener net.Listener
	token    string // so that it lets nobody through but the soak's processes
	running  sync.WaitGroup

	mu    sync.Mutex
	shut  bool          // there are no connections
	held  chan struct{} // bytes wait until it is closed; nil: they pass
	conns map[net.Conn]struct{}
}

// NewProxy listens on a loopback port. It passes everything, until Close.
func NewProxy() (*Proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("soak: opening a proxy: %w", err)
	}
	p := &Proxy{listener: l, token: rand.Text(), conns: map[net.Conn]struct{}{}}
	p.running.Go(p.accept)
	return p, nil
}

// Name is what DialThrough needs to know. It is a secret.
func (p *Proxy) Name() string { return p.listener.Addr().String() + " " + p.token }

// DialThrough connects to an address through the proxy of that name, or directly for an
// empty name.
func DialThrough(ctx context.Context, proxy, network, address string) (net.Conn, error) {
	var d net.Dialer
	if proxy == "" {
		return d.DialContext(ctx, network, address)
	}
	at, token, _ := strings.Cut(proxy, " ")
	c, err := d.DialContext(ctx, "tcp", at)
	if err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintf(c, "%s %s %s\n", token, network, address); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// Cut closes all connections, and new ones at once: the store is gone.
func (p *Proxy) Cut() { p.set(true, false) }

// Hang lets no byte pass and keeps all connections open: the store is silent.
func (p *Proxy) Hang() { p.set(false, true) }

// Pass lets everything pass, what waited first.
func (p *Proxy) Pass() { p.set(false, false) }

// Close cuts all connections for good.
func (p *Proxy) Close() error {
	err := p.listener.Close()
	p.Cut()
	p.running.Wait()
	return err
}

func (p *Proxy) set(shut, hang bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shut = shut
	if p.held != nil {
		close(p.held)
		p.held = nil
	}
	if hang {
		p.held = make(chan struct{})
	}
	if shut {
		for c := range p.conns {
			c.Close()
		}
	}
}

func (p *Proxy) accept() {
	for {
		c, err := p.listener.Accept()
		if err != nil {
			return
		}
		if p.enter(c) {
			p.running.Go(func() { p.lead(c) })
		}
	}
}

// enter keeps a connection, for the proxy to close, unless it is to have none.
func (p *Proxy) enter(c net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shut {
		c.Close()
		return false
	}
	p.conns[c] = struct{}{}
	return true
}

func (p *Proxy) leave(c net.Conn) {
	c.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, c)
}

// lead connects a process to where it says.
func (p *Proxy) lead(client net.Conn) {
	defer p.leave(client)
	in := bufio.NewReader(client)
	line, err := in.ReadString('\n')
	where := strings.Fields(line)
	if err != nil || len(where) != 3 || where[0] != p.token {
		return
	}
	store, err := net.Dial(where[1], where[2])
	if err != nil || !p.enter(store) {
		return
	}
	defer p.leave(store)
	var back sync.WaitGroup
	back.Go(func() {
		p.pump(client, store)
		client.Close()
	})
	p.pump(store, in)
	store.Close()
	back.Wait()
}

// pump passes bytes on until a connection ends.
func (p *Proxy) pump(to io.Writer, from io.Reader) {
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		p.mu.Lock()
		held := p.held
		p.mu.Unlock()
		if held != nil {
			<-held
		}
		if _, failed := to.Write(buf[:n]); err != nil || failed != nil {
			return
		}
	}
}
