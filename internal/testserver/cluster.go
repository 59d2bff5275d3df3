package testserver

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"
)

// Cluster is a group of servers that keep one state together, and continue while a majority of
// them does. It is always durable: after Kill, a member keeps everything that it acknowledged.
type Cluster []*Server

// clusters returns a function that runs n servers of kind k, each of which knows all of them.
func clusters(k kind) func(t testing.TB, n int, options ...Option) Cluster {
	return func(t testing.TB, n int, options ...Option) (c Cluster) {
		t.Helper()
		for range n {
			c = append(c, newServer(t, k, append(options, Durable())))
		}
		for _, m := range c {
			m.members = c
			m.prepare()
		}
		c.Start()
		return c
	}
}

// Start starts the members that are not running, and waits until all serve.
func (c Cluster) Start() {
	c[0].t.Helper()
	var all errgroup.Group
	for _, m := range c {
		all.Go(m.up) // at once: alone, none would serve
	}
	if err := all.Wait(); err != nil {
		c[0].t.Fatal(err)
	}
}

// Addrs returns the members' host:port.
func (c Cluster) Addrs() (addrs []string) {
	for _, m := range c {
		addrs = append(addrs, m.Addr())
	}
	return addrs
}

// Proxies returns a proxy in front of each member, in their order, and the addresses of the
// proxies, which end with the test t.
func (c Cluster) Proxies(t testing.TB) (proxies []*Proxy, addrs []string) {
	t.Helper()
	for _, m := range c {
		p := NewProxy(t, m.Addr())
		proxies, addrs = append(proxies, p), append(addrs, p.Addr())
	}
	return proxies, addrs
}

// URL names all members as the tools of this module want them.
func (c Cluster) URL() string { return fmt.Sprintf(c[0].kind.url, strings.Join(c.Addrs(), ",")) }
