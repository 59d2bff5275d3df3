// Package storeurl opens the store of worker ids that a URL names. A URL can say what a program
// says with the store's Options and with those of its client. What it leaves out is as in a
// program that leaves it out: commands look where a service with zero Options does.
package storeurl

import (
	"strconv"
	"strings"

	"github.com/ringuid/ringuid/worker/sqlstore"
	"github.com/ringuid/ringuid/worker/store"
)

// Forms are the URLs that there are, and static:N, a worker id without a store.
const Forms = "sqlite:PATH, mysql://USER:PASS@HOST:PORT/DB, " +
	"postgres://USER:PASS@HOST:PORT/DB, redis://HOST:PORT[,HOST:PORT]/DB (rediss: with TLS), " +
	"zk://HOST:PORT[,HOST:PORT][/ROOT], etcd://HOST:PORT[,HOST:PORT][/PREFIX] or k8s:[NAMESPACE]"

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
  With TLS (redis, etcd, zk and mysql): tls=true, cacert=FILE, cert=FILE with key=FILE,
  server_name=NAME, skip_verify=true

A password can be in the URL, in a --password-file, or in RINGUID_STORE_PASSWORD.`

// Store is the store that a URL names.
type Store struct {
	Name   string         // the URL without secrets
	Place  string         // where in it recycled worker ids are kept
	Differ string         // what the URL of another place differs in
	Table  sqlstore.Store // WORKER_NODE; nil where there is none
	Leases store.Store    // recycled worker ids; nil for static:N
	Static int64          // the N of static:N
	Close  func() error
}

// kinds open what a URL names.
var kinds = map[string]struct {
	form     string // after the scheme
	database bool   // the path names one
	open     func(*location, *Store) error
}{
	"mysql":      {"//USER:PASS@HOST:PORT/DB", true, openMySQL},
	"mariadb":    {"//USER:PASS@HOST:PORT/DB", true, openMySQL},
	"postgres":   {"//USER:PASS@HOST:PORT/DB", true, openPostgres},
	"postgresql": {"//USER:PASS@HOST:PORT/DB", true, openPostgres},
	"redis":      {"//USER:PASS@HOST:PORT/DB", false, openRedis},
	"rediss":     {"//USER:PASS@HOST:PORT/DB", false, openRedis},
	"zk":         {"//HOST:PORT[,HOST:PORT]/ROOT", false, openZooKeeper},
	"etcd":       {"//USER:PASS@HOST:PORT[,HOST:PORT]/PREFIX", false, openEtcd},
	"k8s":        {"[NAMESPACE]", false, openKubernetes},
}

// Open opens the store that a URL names. The password is for a URL that has none. Errors about
// the URL are an Error, and show of it only what is no secret.
func Open(raw, password string) (*Store, error) {
	Hide(raw)
	hide(password)
	scheme, rest, ok := strings.Cut(raw, ":")
	switch {
	case !ok:
		return nil, errorf("--store: that is not a URL: type %s", Forms)
	case scheme == "static":
		n, err := strconv.ParseInt(rest, 10, 64)
		if err != nil || n < 0 {
			return nil, errorf("--store static:%s: type the worker id as a number, such as static:7", rest)
		}
		return &Store{Name: raw, Static: n, Close: func() error { return nil }}, nil
	case scheme == "sqlite":
		return openSQLite(strings.TrimPrefix(rest, "//"))
	}
	kind, ok := kinds[scheme]
	if !ok {
		return nil, errorf("--store: %q is no kind of store: type %s", scheme, Forms)
	}
	l, ok := parse(raw, password)
	if !ok || kind.database && strings.Trim(l.Path, "/") == "" {
		return nil, errorf("--store %s: type %[1]s:%s, with %%40 for an @ in a password, %%2F for a /, "+
			"%%3F for a ?, %%23 for a # and %%25 for a %%", scheme, kind.form)
	}
	s := &Store{Name: l.name()}
	err := kind.open(l, s)
	return s, err
}
