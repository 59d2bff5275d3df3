package redisstore

import (
	"context"
	"embed"
	"fmt"
	"reflect"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/cancelable"
)

//go:embed lua
var lua embed.FS

// script returns a script of the folder lua. The server runs it as one command: nothing happens
// between its reads and its writes.
func script(name string) *redis.Script {
	prelude, _ := lua.ReadFile("lua/prelude.lua") // both are embedded
	source, _ := lua.ReadFile("lua/" + name + ".lua")
	return redis.NewScript(string(prelude) + string(source))
}

// write runs a script that answers 1 if it wrote, and 0 otherwise. What it wrote counts only
// when enough replicas have it too.
func (s *rows) write(ctx context.Context, doing, name string, layouts []string,
	args ...any) (applied bool, err error) {
	sent := ""
	if ctx.Err() == nil {
		sent = "; the next view shows whether the write was applied"
	}
	answer, err := s.run(ctx, name, layouts, args, true)
	if _, is := answer.(int64); !is && err == nil {
		err = errAnswer
	}
	return err == nil && answer == any(int64(1)), explain(doing, err, sent)
}

// run runs a script once, for the first of layouts and those after it, on a connection of its own,
// which then ends. What the application left on one of its client's does not count: another
// database or user, a transaction, messages. go-redis repeats a command whose answer is lost, but
// not here: a repeated creation could bring back the nonce of a row that was deleted meanwhile. If
// waits is set, an answer other than 0 counts only when enough replicas have what it is about:
// those that the server has now, since they may have been added after Check.
func (s *rows) run(ctx context.Context, name string, layouts []string, args []any,
	waits bool) (any, error) {
	keys := []string{s.key("layouts"), s.headKey(layouts[0])}
	for _, layout := range layouts {
		keys = append(keys, s.rowsKey(layout))
	}
	args = append([]any{layouts[0]}, args...)
	return cancelable.Call(ctx, func() (any, error) {
		node, err := s.node(ctx)
		if err != nil {
			return nil, err
		}
		own := redis.NewClient(ownOptions(node))
		defer own.Close()
		conn := own.Conn()
		defer conn.Close()
		answer, err := script(name).Run(ctx, conn, keys, args...).Result()
		if c, ok := s.client.(*redis.ClusterClient); ok && redis.HasErrorPrefix(err, "MOVED") {
			c.ReloadState(ctx) // so that the next call finds the node
		}
		if err == nil && waits && (s.o.MinReplicas > 0 || s.checked.Load()) &&
			answer != any(int64(0)) {
			err = s.confirmed(ctx, conn)
		}
		return answer, err
	})
}

// ownOptions are a client's, for one with a single connection, which does not last long enough to
// tell the server which library it is of. It has no handlers of RESP3's messages: go-redis 9.16
// and later share them with the client's, whose registry takes each once, and log that or panic.
func ownOptions(node *redis.Client) *redis.Options {
	o := *node.Options()
	o.PoolSize, o.MinIdleConns, o.MaxRetries, o.DisableIdentity = 1, 0, -1, true
	o.Protocol = 2
	for _, name := range []string{"ClientSideCache", "ClientSideCacheConfig"} {
		if newer := reflect.ValueOf(&o).Elem().FieldByName(name); newer.IsValid() {
			newer.SetZero() // it is of RESP3, too, and go-redis says so for each client
		}
	}
	for _, limit := range []*time.Duration{&o.ReadTimeout, &o.WriteTimeout} {
		if *limit <= 0 { // redis.NewClient has made it of one less, and will again
			*limit--
		}
	}
	return &o
}

// node is the server that has the keys.
func (s *rows) node(ctx context.Context) (*redis.Client, error) {
	switch c := s.client.(type) {
	case *redis.Client:
		return c, nil
	case *redis.ClusterClient:
		return c.MasterForKey(ctx, s.key("layouts"))
	}
	return nil, fmt.Errorf("%w: a client of type %T may spread keys over servers: use redis.Client "+
		"or redis.ClusterClient", worker.ErrStore, s.client)
}

// confirmed returns nil when enough replicas have what a connection wrote: MinReplicas on disk, and
// as many at all as the server demands before it writes. The server counts those that it heard
// lately, and after a pause, in which one of them may have been promoted, it hears what they said
// before.
func (s *rows) confirmed(ctx context.Context, conn *redis.Conn) error {
	here, least, ms := int64(0), int64(s.o.MinReplicas), s.o.WaitTimeout.Milliseconds()
	demanded, err := s.demanded(ctx, conn)
	if err == nil && least > 0 {
		if s.o.AssertAllReplicas {
			here = 1 // then the server refuses if it has stopped writing a log
		}
		var counts []int64
		counts, err = conn.Do(ctx, "WAITAOF", here, least, ms).Int64Slice()
		switch {
		case redis.HasErrorPrefix(err, "unknown command") && !s.o.AssertAllReplicas:
			// Before 7.2 a server cannot say how many have it on disk, only how many have it at all.
			demanded, err = max(demanded, least), nil
		case err == nil && (len(counts) != 2 || counts[0] < here):
			return fmt.Errorf("WAITAOF answers %v", counts)
		case err == nil && counts[1] < least:
			return s.missing(counts[1], least)
		case err == nil && counts[1] >= demanded:
			return nil
		}
	}
	if err == nil && demanded > 0 {
		var n int64
		if n, err = conn.Do(ctx, "WAIT", demanded, ms).Int64(); err == nil && n < demanded {
			return s.missing(n, demanded)
		}
	}
	if err != nil {
		return fmt.Errorf("waiting for replicas: %w", err)
	}
	return nil
}

// demanded is the server's min-replicas-to-write, which may change; 0 if it need not be asked.
// While there is one, the server may continue alone. INFO shows that there is one, but not which:
// then it is what Check demands, of the most replicas that this process saw: a cut takes some away.
func (s *rows) demanded(ctx context.Context, c redis.Cmdable) (int64, error) {
	switch {
	case s.o.AssertAllReplicas && s.o.MinReplicas == 0:
		return 0, nil
	case s.o.AssertDurable:
		info, err := c.Info(ctx, "replication").Result()
		if field(info, "min_slaves_good_slaves") == "" {
			return 0, err
		}
		s.grantsAlone(mostLag)
		return raise(&s.half, max(1, half(info))), err
	}
	all, err := c.ConfigGet(ctx, "min-replicas-*").Result()
	n, _ := strconv.ParseInt(all["min-replicas-to-write"], 10, 64)
	if lag, _ := strconv.Atoi(all["min-replicas-max-lag"]); n > 0 {
		s.grantsAlone(lag)
	}
	return n, err
}

// grantsAlone notes for how long the server continues whose min-replicas-max-lag is lag.
func (s *rows) grantsAlone(lag int) {
	if d := int64(time.Duration(lag+2) * time.Second); !s.o.AssertAllReplicas {
		raise(&s.alone, d)
	}
}

// raise makes n at least v, whoever else does, and returns it.
func raise(n *atomic.Int64, v int64) int64 {
	for was := n.Load(); was < v; was = n.Load() {
		n.CompareAndSwap(was, v)
	}
	return n.Load()
}

func (s *rows) missing(have, want int64) error {
	or := ""
	if want == s.half.Load() { // it never falls
		or = ", or, if replicas were removed, start this process anew"
	}
	return fmt.Errorf("%d of the %d replicas required have it after %v: look at the replicas' link "+
		"and disk, or raise Options.WaitTimeout%s", have, want, s.o.WaitTimeout, or)
}
