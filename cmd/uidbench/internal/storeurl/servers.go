package storeurl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"google.golang.org/grpc"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/health/grpc_health_v1"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/ringuid/ringuid/worker/etcdstore"
	"github.com/ringuid/ringuid/worker/k8sstore"
	"github.com/ringuid/ringuid/worker/redisstore"
)

// openRedis opens a server, a cluster or what sentinels watch, with the client's parameters.
func openRedis(l *location, s *Store) error {
	o := redisstore.Options{
		Prefix:            l.take("prefix"),
		MinReplicas:       read(l, "min_replicas", "a number, such as 2", strconv.Atoi),
		WaitTimeout:       read(l, "wait_timeout", "a time, such as 500ms", time.ParseDuration),
		AssertDurable:     l.flag("assert_durable"),
		AssertAllReplicas: l.flag("assert_all_replicas"),
	}
	c := redis.UniversalOptions{
		Addrs:    l.hosts("6379"),
		Username: l.user, Password: l.password,
		MasterName:       l.take("master_name"),
		SentinelUsername: l.take("sentinel_username"),
		SentinelPassword: l.take("sentinel_password"),
		IsClusterMode:    l.flag("cluster"),
		TLSConfig:        l.tls(l.Scheme == "rediss"),
		MaxRetries:       -1, // package worker decides about retries
	}
	if l.err != nil {
		return l.err
	}
	own := url.URL{Scheme: "redis", Path: l.Path, RawQuery: l.rest()}
	typed, err := redis.ParseURL(own.String())
	if err != nil {
		return errorf("--store %s: %w; besides the client's there are %s", l.Scheme, err,
			strings.Join(l.known, ", "))
	}
	c.DB, c.Protocol, c.ClientName = typed.DB, typed.Protocol, typed.ClientName
	c.DialTimeout, c.ReadTimeout, c.WriteTimeout = typed.DialTimeout, typed.ReadTimeout,
		typed.WriteTimeout
	if c.MasterName == "" && (c.IsClusterMode || len(c.Addrs) > 1) && c.DB != 0 {
		return errorf("--store %s: several hosts are a cluster, which has only the database 0; are they "+
			"sentinels? add ?master_name=NAME", l.Scheme)
	}
	client := redis.NewUniversalClient(&c)
	s.Leases, s.Close = redisstore.New(client, o), client.Close
	s.Place = "keys that begin with {" + cmp.Or(o.Prefix, "ringuid") + "}:"
	s.Differ = "host, database number or prefix"
	return nil
}

func init() { redis.SetLogger(mute{}) }

// mute is a logger that prints nothing: what the client has to say is in its errors too.
type mute struct{}

func (mute) Printf(context.Context, string, ...any) {}

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

// openKubernetes opens k8s:NAMESPACE of the cluster that kubectl would speak to, or that this
// process runs in. Without a namespace it takes the one that kubectl would take.
func openKubernetes(l *location, s *Store) error {
	name := l.take("name")
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = l.take("kubeconfig")
	kubectl := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules,
		&clientcmd.ConfigOverrides{CurrentContext: l.take("context")})
	if err := l.end(); err != nil {
		return err
	}
	config, err := kubectl.ClientConfig()
	namespace := l.Opaque
	if err == nil && namespace == "" {
		namespace, _, err = kubectl.Namespace()
	}
	if errors.Is(err, clientcmd.ErrEmptyConfig) || clientcmd.IsEmptyConfig(err) {
		return errors.New("--store k8s: no cluster is known: set KUBECONFIG to a file that names one, " +
			"or run this in a pod")
	}
	if err != nil {
		return fmt.Errorf("--store k8s: %w", err)
	}
	l.Opaque = namespace
	s.Name = l.name()
	s.Leases, _ = k8sstore.New(config, k8sstore.Options{Namespace: namespace, Name: name})
	s.Close = func() error { return nil }
	s.Place = "Leases named " + cmp.Or(name, "ringuid") + "-... in the namespace " + namespace
	s.Differ = "cluster (context), namespace or name"
	return nil
}
