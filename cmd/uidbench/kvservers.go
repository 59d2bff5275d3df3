package main

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"google.golang.org/grpc"
	"google.golang.org/grpc/connectivity"

	"github.com/ringuid/ringuid/worker/etcdstore"
	"github.com/ringuid/ringuid/worker/redisstore"
)

// openRedis opens redis://USER:PASS@HOST:PORT/DB?OPTIONS, with the client's
// options, and with rediss: a connection with TLS.
func openRedis(u *url.URL, s *store) error {
	o, err := redis.ParseURL(u.String())
	if err != nil {
		return usageError{err}
	}
	o.MaxRetries = -1 // who tries again is package worker's to say
	client := redis.NewClient(o)
	s.leases, s.close = redisstore.New(client, redisstore.Options{}), client.Close
	return nil
}

// openEtcd opens etcd://USER:PASS@HOST:PORT,HOST:PORT/PREFIX.
func openEtcd(u *url.URL, s *store) error {
	members, err := hostsOf(u, "2379")
	if err != nil {
		return err
	}
	c := clientv3.Config{
		Endpoints:            members,
		DialTimeout:          dialTimeout,
		DialKeepAliveTime:    10 * time.Second, // else a member that hangs is asked on and on
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
		_ = client.Close() // what its context ended with is no news
		return nil
	}
	return nil
}

// reach waits for a member that answers, as calls without a deadline would for
// ever.
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
