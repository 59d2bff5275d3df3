package main

import (
	"fmt"
	"net"
	"net/url"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/ringuid/ringuid/worker/zkstore"
)

// zkSession is how long ZooKeeper keeps the mark of a process that is gone. The client
// hangs up on a server that has not answered for two thirds of it, which is dialTimeout:
// one that is only busy, or has just started, may take seconds.
const zkSession = dialTimeout * 3 / 2

// openZooKeeper opens zk://HOST:PORT,HOST:PORT/PATH, and zk://USER:PASS@... with
// digest authentication.
func openZooKeeper(u *url.URL, s *store) error { return openZooKeeperBy(net.DialTimeout, u, s) }

func openZooKeeperBy(dial zk.Dialer, u *url.URL, s *store) error {
	connect := func(network, address string, timeout time.Duration) (net.Conn, error) {
		c, err := dial(network, address, timeout)
		return zkConn{c}, err
	}
	servers, err := hostsOf(u, "2181")
	if err != nil {
		return err
	}
	conn, _, err := zk.Connect(servers, zkSession,
		zk.WithDialer(connect), zk.WithLogger(silent{}), zk.WithLogInfo(false))
	if err != nil {
		return err
	}
	o := zkstore.Options{Root: u.Path}
	if password, ok := u.User.Password(); ok {
		if err := logInto(conn, u.User.Username()+":"+password); err != nil {
			return err
		}
		o.ACL = zk.AuthACL(zk.PermAll)
	}
	s.leases = zkstore.New(conn, o)
	s.close = func() error {
		conn.Close()
		return nil
	}
	return nil
}

// zkConn bounds the wait for a server's first answer, too: the client would stay for
// nearly seven sessions with one that hangs, although others are there.
type zkConn struct{ net.Conn }

func (c zkConn) SetReadDeadline(t time.Time) error {
	if most := time.Now().Add(dialTimeout); t.After(most) {
		t = most
	}
	return c.Conn.SetReadDeadline(t)
}

// logInto waits no longer for a server than for any other, which the client would.
func logInto(conn *zk.Conn, name string) error {
	enough := time.AfterFunc(dialTimeout, conn.Close)
	err := conn.AddAuth("digest", []byte(name))
	if !enough.Stop() {
		return fmt.Errorf("no server answers within %v", dialTimeout)
	}
	if err != nil {
		conn.Close()
	}
	return err
}

// silent is a logger: what the client has to say is in its errors too.
type silent struct{}

func (silent) Printf(string, ...any) {}
