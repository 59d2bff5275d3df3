package soak

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/ringuid/ringuid/internal/tcpproxy"
)

// A Proxy is what the connections of all processes to their store go through, so
// that the store can be taken away from them. A process says at the beginning of a
// connection where it is to lead; from then on bytes pass as they are, those of
// TLS too.
type Proxy struct {
	*tcpproxy.Proxy
	token string // so that it lets nobody through but the soak's processes
}

// NewProxy listens on a loopback port. It passes everything, until Close.
func NewProxy() (*Proxy, error) {
	p := &Proxy{token: rand.Text()}
	var err error
	if p.Proxy, err = tcpproxy.New(p.connect); err != nil {
		return nil, fmt.Errorf("soak: opening a proxy: %w", err)
	}
	return p, nil
}

// Name is what DialThrough needs to know. It is a secret.
func (p *Proxy) Name() string { return p.Addr() + " " + p.token }

// DialThrough connects to an address through the proxy of that name.
func DialThrough(ctx context.Context, name, network, address string) (net.Conn, error) {
	var d net.Dialer
	at, token, _ := strings.Cut(name, " ")
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

// connect connects a process to where it says, and reads no byte beyond that.
func (p *Proxy) connect(client net.Conn) (net.Conn, error) {
	var line []byte
	for b := []byte{0}; ; line = append(line, b[0]) {
		if _, err := client.Read(b); err != nil || len(line) > 1000 {
			return nil, errors.Join(err, errStranger)
		}
		if b[0] == '\n' {
			break
		}
	}
	where := strings.Fields(string(line))
	if len(where) != 3 || where[0] != p.token {
		return nil, errStranger
	}
	return net.Dial(where[1], where[2])
}

var errStranger = errors.New("soak: not one of its processes")
