package main

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/go-zookeeper/zk"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"google.golang.org/grpc"
	"google.golang.org/grpc/connectivity"

	"github.com/ringuid/ringuid/worker/etcdstore"
	"github.com/ringuid/ringuid/worker/zkstore"
)

// openEtcd opens etcd://USER:PASS@HOST:PORT,HOST:PORT/PREFIX.
func openEtcd(u *url.URL, s *store) error {
	members, err := hostsOf(u, "2379")
	if err != nil {
		return err
	}
	c := clientv3.Config{
		Endpoints:            members,
		DialTimeout:          dialTimeout,
		DialKeepAliveTime:    10 * time.Second, // else it keeps asking a member that hangs
		DialKeepAliveTimeout: 3 * time.Second,
		Username:             u.User.Username(),
		Logger:               zap.NewNop(), // it logs each failed dial
	}
	c.Password, _ = u.User.Password()
	client, err := clientv3.New(c)
	if err != nil {
		return err
	}
	if err := reach(client.ActiveConnection()); err != nil {
		_ = client.Close()
		return err
	}
	s.leases = etcdstore.New(client, etcdstore.Options{Prefix: strings.TrimSuffix(u.Path, "/")})
	s.close = func() error {
		_ = client.Close() // the error of its ended context is no news
		return nil
	}
	return nil
}

// reach waits for a member that answers; calls without a deadline would wait forever.
func reach(conn *grpc.ClientConn) error {
	ctx, cancel := context.WithTimeout(context.Background(), dialTimeout)
	defer cancel()
	conn.Connect()
	for state := conn.GetState(); state != connectivity.Ready; state = conn.GetState() {
		if !conn.WaitForStateChange(ctx, state) {
			return fmt.Errorf("no server answers within %v: start one, or check hosts and ports",
				dialTimeout)
		}
	}
	return nil
}

// zkSession is how long ZooKeeper keeps the mark of a process that is gone. The client hangs up
// on a server that has not answered for two thirds of that, which is dialTimeout. A server that
// is only busy, or has just started, may take seconds to answer.
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

// zkConn also bounds the wait for a server's first answer: the client would stay for nearly
// seven sessions with a server that hangs, even if there are others.
type zkConn struct{ net.Conn }

func (c zkConn) SetReadDeadline(t time.Time) error {
	if most := time.Now().Add(dialTimeout); t.After(most) {
		t = most
	}
	return c.Conn.SetReadDeadline(t)
}

// logInto waits for a server no longer than dialTimeout; the client alone would wait longer.
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

// silent is a logger that prints nothing: what the client has to say is in its errors too.
type silent struct{}

func (silent) Printf(string, ...any) {}

// hostsOf returns the servers of a URL that lists them, as in
// etcd://HOST:PORT,HOST:PORT/PREFIX, with port where none was typed.
func hostsOf(u *url.URL, port string) (hosts []string, err error) {
	for _, typed := range strings.Split(u.Host, ",") {
		one, err := url.Parse("//" + typed)
		if err != nil || one.Hostname() == "" {
			return nil, usagef("--store %s: %q in the list of servers: type each as HOST:PORT, with "+
				"commas and no blanks between them", u.Scheme, typed)
		}
		hosts = append(hosts, net.JoinHostPort(one.Hostname(), cmp.Or(one.Port(), port)))
	}
	return hosts, nil
}
