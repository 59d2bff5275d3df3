package storeurl

import (
	"cmp"
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

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
