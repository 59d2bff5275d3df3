package storeurl

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"google.golang.org/grpc"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/health/grpc_health_v1"

	"github.com/ringuid/ringuid/worker/etcdstore"
)

// openEtcd opens etcd://USER:PASS@HOST:PORT,HOST:PORT/PREFIX.
func openEtcd(l *location, s *Store) error {
	c := clientv3.Config{
		Endpoints:            l.hosts("2379"),
		DialTimeout:          DialTimeout,
		DialKeepAliveTime:    10 * time.Second, // else it keeps asking a member that hangs
		DialKeepAliveTimeout: 3 * time.Second,
		Username:             l.user,
		Password:             l.password,
		TLS:                  l.tls(false),
		Logger:               zap.NewNop(), // it logs each failed dial
	}
	prefix := l.take("prefix")
	switch path := strings.TrimSuffix(l.Path, "/"); {
	case path != "" && prefix != "":
		l.fail("the prefix is there twice, in the path and in prefix=")
	case prefix == "":
		prefix = cmp.Or(path, "/ringuid")
	}
	if err := l.end(); err != nil {
		return err
	}
	client, err := clientv3.New(c)
	if err != nil {
		return err
	}
	if err := reach(client.ActiveConnection()); err != nil {
		_ = client.Close()
		return err
	}
	s.Leases = etcdstore.New(client, etcdstore.Options{Prefix: prefix, TLS: c.TLS})
	s.Place, s.Differ = "keys below "+strings.TrimSuffix(prefix, "/")+"/rows", "hosts or prefix"
	s.Close = func() error {
		_ = client.Close() // the error of its ended context is no news
		return nil
	}
	return nil
}

// reach waits for a member that answers; calls without a deadline would wait forever.
func reach(conn *grpc.ClientConn) error {
	ctx, cancel := context.WithTimeout(context.Background(), DialTimeout)
	defer cancel()
	conn.Connect()
	for state := conn.GetState(); state != connectivity.Ready; state = conn.GetState() {
		if !conn.WaitForStateChange(ctx, state) {
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			_, err := grpc_health_v1.NewHealthClient(conn).Check(ctx, nil) // it says why
			return fmt.Errorf("no server answers within %v: start one, or check hosts and ports, and "+
				"whether it requires TLS (tls=true, cacert=FILE): %w", DialTimeout, err)
		}
	}
	return nil
}
