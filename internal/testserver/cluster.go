package testserver

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
)

// Cluster is a group of servers that keep one state together, and continue while a majority of
// them does. It is always durable: after Kill, a member keeps everything that it acknowledged.
type Cluster struct {
	Members []*Server

	t    testing.TB
	rank func(addr string) (rank, error)
}

// rank is what a member believes itself to be.
type rank struct {
	leads bool
	term  uint64 // of its leader; a later leader has a higher one
}

// newCluster starts n servers of kind k, each of which knows all of them.
func newCluster(t testing.TB, n int, k kind, options []Option,
	ranks func(string) (rank, error)) *Cluster {
	t.Helper()
	bin, ok := k.find()
	if !ok {
		Missing(t, k.name, k.install)
	}
	c := &Cluster{t: t, rank: ranks}
	for range n {
		c.Members = append(c.Members, newServer(t, k, bin, append(options, Durable())))
	}
	for _, m := range c.Members {
		m.members = c.Members
		m.prepare()
	}
	c.Start()
	return c
}

// Start starts all members that are not running, and waits until they serve.
func (c *Cluster) Start() {
	c.t.Helper()
	var all errgroup.Group
	for _, m := range c.Members {
		all.Go(m.up) // at once: alone, none would serve
	}
	if err := all.Wait(); err != nil {
		c.t.Fatal(err)
	}
}

// Addrs returns the members' host:port.
func (c *Cluster) Addrs() []string {
	var addrs []string
	for _, m := range c.Members {
		addrs = append(addrs, m.Addr())
	}
	return addrs
}

// Proxies returns a proxy in front of each member, in their order, and the addresses of the
// proxies, which end with the test t.
func (c *Cluster) Proxies(t testing.TB) (proxies []*Proxy, addrs []string) {
	t.Helper()
	for _, m := range c.Members {
		p := NewProxy(t, m.Addr())
		proxies, addrs = append(proxies, p), append(addrs, p.Addr())
	}
	return proxies, addrs
}

// URL names all members as the tools of this module want them.
func (c *Cluster) URL() string {
	return fmt.Sprintf(c.Members[0].kind.url, strings.Join(c.Addrs(), ","))
}

// Leader waits until a member that is neither stopped nor paused leads, and returns it. If two
// believe that they lead, as when one was paused until a moment ago, it returns the one elected
// later.
func (c *Cluster) Leader() *Server {
	c.t.Helper()
	for begin := time.Now(); ; {
		leader, err := c.leader()
		if leader != nil {
			return leader
		}
		if time.Since(begin) > patience {
			c.t.Fatalf("no member leads: %v", err)
		}
		time.Sleep(pause(begin))
	}
}

// leader returns the member that leads now, if one does.
func (c *Cluster) leader() (leader *Server, err error) {
	var latest uint64
	for _, m := range c.Members {
		if m.proc == nil || m.paused {
			continue
		}
		r, failed := c.rank(m.Addr())
		err = errors.Join(err, failed)
		// A follower of a later term has heard of an election of which the leader has not.
		switch {
		case failed != nil || r.term < latest:
		case r.leads:
			leader, latest = m, r.term
		case r.term > latest:
			leader, latest = nil, r.term
		}
	}
	return leader, err
}

// Follower returns the member after the leader. All members must be running.
func (c *Cluster) Follower() *Server {
	c.t.Helper()
	return c.Members[(slices.Index(c.Members, c.Leader())+1)%len(c.Members)]
}
