package stores

import (
	"cmp"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/ringuid/ringuid/cmd/internal/storeurl"
	"github.com/ringuid/ringuid/worker/zkstore"
)

// zkSession is how long ZooKeeper keeps the mark of a process that is gone. The client hangs up
// on a server that has not answered for two thirds of that, which is storeurl.DialTimeout. A
// server that is only busy, or has just started, may take seconds to answer.
const zkSession = storeurl.DialTimeout * 3 / 2

// openZooKeeper opens zk://HOST:PORT,HOST:PORT/ROOT, and zk://USER:PASS@... with digest
// authentication.
func openZooKeeper(l *storeurl.Location, s *storeurl.Store) error {
	return openZooKeeperBy(net.DialTimeout, l, s)
}

func openZooKeeperBy(dial zk.Dialer, l *storeurl.Location, s *storeurl.Store) error {
	servers, secure := l.Hosts("2181"), l.TLS(false)
	o := zkstore.Options{Root: strings.TrimSuffix(l.Path, "/"), ACL: storeurl.Read(l, "acl",
		"SCHEME:ID:cdrwa with commas between, such as world:anyone:r,auth::cdrwa", parseACL)}
	if l.User != "" && l.Password == "" {
		l.Fail("the password of %s is missing: type zk://USER:PASS@HOST:PORT", l.User)
	}
	if err := l.End(); err != nil {
		return err
	}
	connect := func(network, address string, timeout time.Duration) (net.Conn, error) {
		c, err := dial(network, address, timeout)
		if err == nil && secure != nil {
			own := secure.Clone()
			own.ServerName = cmp.Or(own.ServerName, nameOf(address, servers))
			c = tls.Client(c, own)
		}
		return zkConn{c}, err
	}
	// What the client has to say is in its errors too.
	conn, _, err := zk.Connect(servers, zkSession, zk.WithDialer(connect),
		zk.WithLogger(log.New(io.Discard, "", 0)))
	if err != nil {
		return err
	}
	if l.User != "" {
		if err := logInto(conn, l.User+":"+l.Password); err != nil {
			return err
		}
		if o.ACL == nil {
			o.ACL = zk.AuthACL(zk.PermAll)
		}
	}
	s.Leases = zkstore.New(conn, o)
	s.Place = "nodes below " + path.Join("/", cmp.Or(o.Root, "ringuid"), "rows")
	s.Differ = "hosts or root"
	s.Close = func() error {
		conn.Close()
		return nil
	}
	return nil
}

// nameOf returns the host that was typed for an address: the client has looked it up.
func nameOf(address string, servers []string) string {
	ip, _, _ := net.SplitHostPort(address)
	for _, typed := range servers {
		host, _, _ := net.SplitHostPort(typed)
		if ips, _ := net.LookupHost(host); slices.Contains(ips, ip) {
			return host
		}
	}
	return ip
}

// entry is one of a list as ZooKeeper's own shell shows it: digest:uid:HASH:cdrwa.
var entry = regexp.MustCompile(`^(\w+):(.*):([rwcda]+)$`)

func parseACL(text string) (all []zk.ACL, err error) {
	for _, one := range strings.Split(text, ",") {
		part := entry.FindStringSubmatch(one)
		if part == nil {
			return nil, zk.ErrInvalidACL
		}
		a := zk.ACL{Scheme: part[1], ID: part[2]}
		for _, letter := range part[3] {
			a.Perms |= 1 << strings.IndexRune("rwcda", letter) // in the order of the bits
		}
		all = append(all, a)
	}
	return all, nil
}

// zkConn also bounds the wait for a server's first answer: the client would stay for nearly
// seven sessions with a server that hangs, even if there are others.
type zkConn struct{ net.Conn }

func (c zkConn) SetReadDeadline(t time.Time) error {
	if most := time.Now().Add(storeurl.DialTimeout); t.After(most) {
		t = most
	}
	return c.Conn.SetReadDeadline(t)
}

// logInto waits for a server no longer than storeurl.DialTimeout; the client alone would wait
// longer.
func logInto(conn *zk.Conn, name string) error {
	enough := time.AfterFunc(storeurl.DialTimeout, conn.Close)
	err := conn.AddAuth("digest", []byte(name))
	if !enough.Stop() {
		return fmt.Errorf("no server answers within %v", storeurl.DialTimeout)
	}
	if err != nil {
		conn.Close()
	}
	return err
}
