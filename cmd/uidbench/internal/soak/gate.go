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

// A Gate is what the connections of all processes to their store go through, so
// that the store can be taken away from them. A process says at the beginning of a
// connection where it is to lead; from then on bytes pass as they are, those of
// TLS too.
type Gate struct {
	listener net.Listener
	token    string // so that it lets nobody through but the soak's processes
	running  sync.WaitGroup

	mu    sync.Mutex
	shut  bool          // there are no connections
	held  chan struct{} // bytes wait until it is closed; nil: they pass
	conns map[net.Conn]struct{}
}

// NewGate opens a gate on a loopback port. It passes everything, until Close.
func NewGate() (*Gate, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("soak: opening a gate: %w", err)
	}
	g := &Gate{listener: l, token: rand.Text(), conns: map[net.Conn]struct{}{}}
	g.running.Go(g.accept)
	return g, nil
}

// Name is what DialThrough needs to know. It is a secret.
func (g *Gate) Name() string { return g.listener.Addr().String() + " " + g.token }

// DialThrough connects to an address through the gate of that name. An empty name
// is no gate.
func DialThrough(ctx context.Context, gate, network, address string) (net.Conn, error) {
	var d net.Dialer
	if gate == "" {
		return d.DialContext(ctx, network, address)
	}
	door, token, _ := strings.Cut(gate, " ")
	c, err := d.DialContext(ctx, "tcp", door)
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
func (g *Gate) Cut() { g.set(true, false) }

// Hang lets no byte pass and keeps all connections open: the store is silent.
func (g *Gate) Hang() { g.set(false, true) }

// Pass lets everything pass, what waited first.
func (g *Gate) Pass() { g.set(false, false) }

// Close cuts the gate for good.
func (g *Gate) Close() error {
	err := g.listener.Close()
	g.Cut()
	g.running.Wait()
	return err
}

func (g *Gate) set(shut, hang bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut = shut
	if g.held != nil {
		close(g.held)
		g.held = nil
	}
	if hang {
		g.held = make(chan struct{})
	}
	if shut {
		for c := range g.conns {
			c.Close()
		}
	}
}

func (g *Gate) accept() {
	for {
		c, err := g.listener.Accept()
		if err != nil {
			return
		}
		if g.enter(c) {
			g.running.Go(func() { g.lead(c) })
		}
	}
}

// enter keeps a connection, for the gate to close, unless it is to have none.
func (g *Gate) enter(c net.Conn) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut {
		c.Close()
		return false
	}
	g.conns[c] = struct{}{}
	return true
}

func (g *Gate) leave(c net.Conn) {
	c.Close()
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.conns, c)
}

// lead connects a process to where it says.
func (g *Gate) lead(client net.Conn) {
	defer g.leave(client)
	in := bufio.NewReader(client)
	line, err := in.ReadString('\n')
	where := strings.Fields(line)
	if err != nil || len(where) != 3 || where[0] != g.token {
		return
	}
	store, err := net.Dial(where[1], where[2])
	if err != nil || !g.enter(store) {
		return
	}
	defer g.leave(store)
	var back sync.WaitGroup
	back.Go(func() {
		g.pump(client, store)
		client.Close()
	})
	g.pump(store, in)
	store.Close()
	back.Wait()
}

// pump passes bytes on until a connection ends.
func (g *Gate) pump(to io.Writer, from io.Reader) {
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		g.mu.Lock()
		held := g.held
		g.mu.Unlock()
		if held != nil {
			<-held
		}
		if _, failed := to.Write(buf[:n]); err != nil || failed != nil {
			return
		}
	}
}
