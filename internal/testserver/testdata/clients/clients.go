// Package clients has the clients and drivers of today in its go.mod, for make test-current. The
// other modules require the oldest versions that serve.
package clients

import (
	_ "github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib"
	_ "github.com/lib/pq"
	_ "github.com/redis/go-redis/v9"
	_ "go.etcd.io/etcd/client/v3"
	_ "k8s.io/client-go/kubernetes"
	_ "modernc.org/sqlite"
)
