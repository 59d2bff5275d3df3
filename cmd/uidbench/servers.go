package main

import (
	"cmp"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/redis/go-redis/v9"
	"k8s.io/client-go/tools/clientcmd"
	_ "modernc.org/sqlite"

	"github.com/ringuid/ringuid/worker/k8sstore"
	"github.com/ringuid/ringuid/worker/redisstore"
	"github.com/ringuid/ringuid/worker/sqlstore"
)

// dialTimeout is how long a server may take to answer at all, unless the URL says
// otherwise (timeout=30s for MySQL, connect_timeout=30 for PostgreSQL,
// dial_timeout=30s for Redis).
const dialTimeout = 10 * time.Second

// openMySQL opens mysql://USER:PASS@HOST:PORT/DB?OPTIONS, with the driver's
// options.
func openMySQL(u *url.URL, s *store) error {
	c, err := mysql.ParseDSN("/?" + u.RawQuery)
	if err != nil {
		return usageError{err}
	}
	c.User = u.User.Username()
	c.Passwd, _ = u.User.Password()
	c.Net = "tcp"
	c.Addr = net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), "3306"))
	c.DBName = strings.Trim(u.Path, "/")
	c.Timeout = cmp.Or(c.Timeout, dialTimeout)
	c.Logger = &mysql.NopLogger{} // what it has to say is in the error too
	connector, err := mysql.NewConnector(c)
	if err != nil {
		return usageError{err}
	}
	s.openTable(sql.OpenDB(connector), sqlstore.MySQL)
	return nil
}

// openPostgres opens postgres://USER:PASS@HOST:PORT/DB?OPTIONS, as libpq reads it.
func openPostgres(u *url.URL, s *store) error {
	c, err := pgx.ParseConfig(u.String())
	if err != nil {
		return usageError{err}
	}
	c.ConnectTimeout = cmp.Or(c.ConnectTimeout, dialTimeout)
	s.openTable(stdlib.OpenDB(*c), sqlstore.Postgres)
	return nil
}

func (s *store) openTable(db *sql.DB, table func(*sql.DB) sqlstore.Store) {
	s.table, s.close = table(db), db.Close
	s.leases = s.table
}

// openRedis opens redis://USER:PASS@HOST:PORT/DB?OPTIONS, with the client's options. rediss:
// uses a connection with TLS.
func openRedis(u *url.URL, s *store) error {
	o, err := redis.ParseURL(u.String())
	if err != nil {
		return usageError{err}
	}
	o.MaxRetries = -1 // package worker decides about retries
	client := redis.NewClient(o)
	s.leases, s.close = redisstore.New(client, redisstore.Options{}), client.Close
	return nil
}

// openKubernetes opens k8s:NAMESPACE of the cluster that kubectl would speak to, or that this
// process runs in. Without a name it takes the namespace that kubectl would take.
func openKubernetes(namespace string) (*store, error) {
	kubectl := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(
		clientcmd.NewDefaultClientConfigLoadingRules(), nil)
	config, err := kubectl.ClientConfig()
	if err == nil && namespace == "" {
		namespace, _, err = kubectl.Namespace()
	}
	if errors.Is(err, clientcmd.ErrEmptyConfig) || clientcmd.IsEmptyConfig(err) {
		return nil, fmt.Errorf(
			"--store k8s: no cluster is known: set KUBECONFIG to a file that names one, or run this in a " +
				"pod")
	}
	if err != nil {
		return nil, fmt.Errorf("--store k8s: %w", err)
	}
	leases, _ := k8sstore.New(config, k8sstore.Options{Namespace: namespace})
	return &store{name: "k8s:" + namespace, leases: leases, close: func() error { return nil }}, nil
}
