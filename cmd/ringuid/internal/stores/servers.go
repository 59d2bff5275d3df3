// Package stores adds the stores to package storeurl that are no SQL database: Redis, etcd,
// ZooKeeper, Kubernetes and S3.
package stores

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

	"github.com/ringuid/ringuid/cmd/internal/storeurl"
	"github.com/ringuid/ringuid/worker/etcdstore"
	"github.com/ringuid/ringuid/worker/k8sstore"
	"github.com/ringuid/ringuid/worker/redisstore"
)

// Help says what is behind the "?" of a URL.
const Help = `A URL may end with parameters: redis://HOST:PORT/0?prefix=orders&tls=true. What it leaves
out is as in a program that leaves it out.
  mysql     those of the Go driver, such as timeout=30s; socket=FILE
  postgres  those of libpq, such as sslmode, sslrootcert, search_path, and host=FOLDER of a socket
  redis     prefix (default: ringuid), min_replicas, wait_timeout, assert_durable,
            assert_all_replicas; those of go-redis, such as dial_timeout; socket=FILE.
            Several hosts, or cluster=true: a Redis Cluster. With master_name=NAME the hosts are
            sentinels, who may want a sentinel_username and a sentinel_password
  etcd      the path is the prefix (default: /ringuid); prefix=TEXT for one that begins otherwise
  zk        the path is the root (default: /ringuid); acl=SCHEME:ID:cdrwa[,...] of new nodes
            (default: with USER:PASS all rights for that user, else for anybody)
  k8s       name (default: ringuid), context, kubeconfig=FILE
  s3        the path is the key (default: ringuid); region, and endpoint=https://HOST of another
            store than Amazon's. Credentials are found as by its SDK: AWS_ACCESS_KEY_ID, ~/.aws, a role
  With TLS (redis, etcd, zk and mysql): tls=true, cacert=FILE, cert=FILE with key=FILE,
  server_name=NAME, skip_verify=true

A password can be in the URL, in a --password-file, or in RINGUID_STORE_PASSWORD.`

func init() {
	storeurl.Register(storeurl.Kind{Open: openRedis,
		Form: "redis://USER:PASS@HOST:PORT[,HOST:PORT]/DB (rediss: with TLS)"}, "redis", "rediss")
	storeurl.Register(storeurl.Kind{Open: openZooKeeper,
		Form: "zk://HOST:PORT[,HOST:PORT][/ROOT]"}, "zk")
	storeurl.Register(storeurl.Kind{Open: openEtcd,
		Form: "etcd://USER:PASS@HOST:PORT[,HOST:PORT][/PREFIX]"}, "etcd")
	storeurl.Register(storeurl.Kind{Open: openKubernetes, Opaque: true, Form: "k8s:[NAMESPACE]"},
		"k8s")
	storeurl.Register(storeurl.Kind{Open: openS3, Form: "s3://BUCKET[/KEY]?region=REGION"}, "s3")
	redis.SetLogger(mute{})
}

// openRedis opens a server, a cluster or what sentinels watch, with the client's parameters.
func openRedis(l *storeurl.Location, s *storeurl.Store) error {
	o := redisstore.Options{
		Prefix:            l.Take("prefix"),
		MinReplicas:       storeurl.Read(l, "min_replicas", "a number, such as 2", strconv.Atoi),
		WaitTimeout:       storeurl.Read(l, "wait_timeout", "a time, such as 500ms", time.ParseDuration),
		AssertDurable:     l.Flag("assert_durable"),
		AssertAllReplicas: l.Flag("assert_all_replicas"),
	}
	c := redis.UniversalOptions{
		Addrs:    l.Hosts("6379"),
		Username: l.User, Password: l.Password,
		MasterName:       l.Take("master_name"),
		SentinelUsername: l.Take("sentinel_username"),
		SentinelPassword: l.Take("sentinel_password"),
		IsClusterMode:    l.Flag("cluster"),
		TLSConfig:        l.TLS(l.Scheme == "rediss"),
		MaxRetries:       -1, // package worker decides about retries
	}
	if err := l.Err(); err != nil {
		return err
	}
	own := url.URL{Scheme: "redis", Path: l.Path, RawQuery: l.Rest()}
	typed, err := redis.ParseURL(own.String())
	if err != nil {
		return storeurl.Errorf("--store %s: %w; besides the client's there are %s", l.Scheme, err,
			l.Known())
	}
	c.DB, c.Protocol, c.ClientName = typed.DB, typed.Protocol, typed.ClientName
	c.DialTimeout, c.ReadTimeout, c.WriteTimeout = typed.DialTimeout, typed.ReadTimeout,
		typed.WriteTimeout
	if c.MasterName == "" && (c.IsClusterMode || len(c.Addrs) > 1) && c.DB != 0 {
		return storeurl.Errorf("--store %s: several hosts are a cluster, which has only the database 0; "+
			"are they sentinels? add ?master_name=NAME", l.Scheme)
	}
	client := redis.NewUniversalClient(&c)
	s.Leases, s.Close = redisstore.New(client, o), client.Close
	s.Place = "keys that begin with {" + cmp.Or(o.Prefix, "ringuid") + "}:"
	s.Differ = "host, database number or prefix"
	return nil
}

// mute is a logger that prints nothing: what the client has to say is in its errors too.
type mute struct{}

func (mute) Printf(context.Context, string, ...any) {}

// openEtcd opens etcd://USER:PASS@HOST:PORT,HOST:PORT/PREFIX.
func openEtcd(l *storeurl.Location, s *storeurl.Store) error {
	c := clientv3.Config{
		Endpoints:            l.Hosts("2379"),
		DialTimeout:          storeurl.DialTimeout,
		DialKeepAliveTime:    10 * time.Second, // else it keeps asking a member that hangs
		DialKeepAliveTimeout: 3 * time.Second,
		Username:             l.User,
		Password:             l.Password,
		TLS:                  l.TLS(false),
		Logger:               zap.NewNop(), // it logs each failed dial
	}
	prefix := l.Take("prefix")
	switch path := strings.TrimSuffix(l.Path, "/"); {
	case path != "" && prefix != "":
		l.Fail("the prefix is there twice, in the path and in prefix=")
	case prefix == "":
		prefix = cmp.Or(path, "/ringuid")
	}
	if err := l.End(); err != nil {
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
	ctx, cancel := context.WithTimeout(context.Background(), storeurl.DialTimeout)
	defer cancel()
	conn.Connect()
	for state := conn.GetState(); state != connectivity.Ready; state = conn.GetState() {
		if !conn.WaitForStateChange(ctx, state) {
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			_, err := grpc_health_v1.NewHealthClient(conn).Check(ctx, nil) // it says why
			return fmt.Errorf("no server answers within %v: start one, or check hosts and ports, and "+
				"whether it requires TLS (tls=true, cacert=FILE): %w", storeurl.DialTimeout, err)
		}
	}
	return nil
}

// openKubernetes opens k8s:NAMESPACE of the cluster that kubectl would speak to, or that this
// process runs in. Without a namespace it takes the one that kubectl would take.
func openKubernetes(l *storeurl.Location, s *storeurl.Store) error {
	name := l.Take("name")
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = l.Take("kubeconfig")
	kubectl := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules,
		&clientcmd.ConfigOverrides{CurrentContext: l.Take("context")})
	if err := l.End(); err != nil {
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
	s.Name = l.Name()
	s.Leases, _ = k8sstore.New(config, k8sstore.Options{Namespace: namespace, Name: name})
	s.Close = func() error { return nil }
	s.Place = "Leases named " + cmp.Or(name, "ringuid") + "-... in the namespace " + namespace
	s.Differ = "cluster (context), namespace or name"
	return nil
}
