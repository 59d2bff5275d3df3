package redisstore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/cancelable"
)

// Check reports that the server is lossy, since Redis acknowledges before it replicates, unless
// Options.AssertAllReplicas is set. In a cluster it asks every primary.
func (s *rows) Check(ctx context.Context) (lossy bool, err error) {
	if v := reflect.ValueOf(s.client); !v.IsValid() || v.IsNil() {
		return false, fmt.Errorf("%w: redisstore: the client that the store was made with is nil: "+
			"pass what redis.NewClient returns", worker.ErrClaim)
	}
	each := func(ctx context.Context, node *redis.Client) error {
		own := redis.NewClient(ownOptions(node))
		defer own.Close()
		return s.check(ctx, own)
	}
	_, err = cancelable.Call(ctx, func() (any, error) {
		if cluster, ok := s.client.(*redis.ClusterClient); ok {
			return nil, cluster.ForEachMaster(ctx, each)
		}
		node, err := s.node(ctx)
		if err == nil {
			err = each(ctx, node)
		}
		return nil, err
	})
	if err == nil {
		s.checked.Store(true)
	}
	return !s.o.AssertAllReplicas, explain("asking for the settings", err, "")
}

func (s *rows) check(ctx context.Context, c *redis.Client) error {
	info, err := c.Info(ctx).Result()
	if redis.HasErrorPrefix(err, "unknown command") {
		return fmt.Errorf("%w: the server does not know INFO (%w), which shows whether it is still the "+
			"one that granted: give the command its name back (rename-command)", worker.ErrStore, err)
	}
	if err != nil {
		return err
	}
	if err := s.rented(info); err != nil {
		return fmt.Errorf("%w: the server at %s %w", worker.ErrStore, c.Options().Addr, err)
	}
	if role := field(info, "role"); role != "master" {
		// It may be the primary soon, so a start tries again.
		return fmt.Errorf("the server at %s is a %s: connect to the primary", c.Options().Addr, role)
	}
	replicas := replicas(info)
	if s.o.AssertAllReplicas {
		inCluster := field(info, "cluster_enabled") == "1"
		if err := s.checkAllReplicas(ctx, c, inCluster, replicas); err != nil {
			return err
		}
	}
	if s.o.AssertDurable {
		if max(s.o.MinReplicas, replicas) > 0 {
			s.grantsAlone(mostLag)
		}
		return nil
	}
	if err := s.checkSettings(ctx, c, replicas); err != nil {
		return err
	}
	_, err = s.demanded(ctx, c)
	return err
}

// rented says what is wrong with a server that is not Redis or Valkey, or not as its operator says.
func (s *rows) rented(info string) error {
	for _, name := range []string{"role", "run_id", "master_replid"} {
		if field(info, name) == "" {
			return fmt.Errorf("does not say whether it is still the one that granted (its INFO has no "+
				"%s): use another store", name)
		}
	}
	foreign := s.o.AssertDurable && !strings.HasPrefix(field(info, "os"), "Amazon")
	switch log := field(info, "aof_enabled"); {
	case field(info, "upstash_version") != "":
		return errors.New("is Upstash, whose replicas merge what each of them took while they were cut " +
			"off, by the time of writing: use another store")
	// Amazon's servers may have a log that is not on their disk.
	case foreign && log == "0":
		return errors.New("keeps no log (its INFO has aof_enabled:0), although Options.AssertDurable " +
			"says that it keeps what it acknowledges: set appendonly to yes, and appendfsync to always")
	case foreign && int64(s.o.MinReplicas) < half(info) && field(info, "min_slaves_good_slaves") == "":
		return fmt.Errorf("has replicas (its INFO has no min_slaves_good_slaves), so a primary that was "+
			"cut off or paused would grant what another one did: set min-replicas-to-write to %[1]d, and "+
			"min-replicas-max-lag to a number from 1 to %[2]d, or Options.MinReplicas to %[1]d", half(info),
			mostLag)
	}
	return nil
}

// half is how many replicas are half of those that are connected, rounded up: if a cut leaves two
// primaries, one was a replica, so they cannot both have half of the replicas.
func half(info string) int64 { return int64(replicas(info)+1) / 2 }

// replicas is how many are connected. A client without a port is none, but a backup
// (redis-cli --rdb) or another reader of the stream.
func replicas(info string) int {
	all, _ := strconv.Atoi(field(info, "connected_slaves"))
	if readers := strings.Count(info, ",port=0,"); readers < all {
		return all - readers
	}
	return all
}

// checkAllReplicas looks for evidence that MinReplicas does not count all that can be promoted.
// It cannot see a replica that is down, though a sentinel that remembers it may promote it later.
func (s *rows) checkAllReplicas(ctx context.Context, c *redis.Client, inCluster bool,
	replicas int) (err error) {
	if s.o.MinReplicas > 0 {
		err = c.Do(ctx, "WAITAOF", 0, 0, 1).Err()
	}
	var why string
	switch {
	case inCluster:
		why = "the server is in a cluster, which moves slots and replicas without waiting: use one " +
			"outside"
	case replicas > s.o.MinReplicas:
		why = fmt.Sprintf("%d replicas are connected, and MinReplicas is %d: count all that can be "+
			"promoted", replicas, s.o.MinReplicas)
	case redis.HasErrorPrefix(err, "unknown command"):
		why = "the server has no WAITAOF, so it does not say whether replicas have a write on disk: " +
			"use Redis 7.2, Valkey or later"
	default:
		return err
	}
	return fmt.Errorf("%w: Options.AssertAllReplicas does not hold at %s: %s, or do without it: the "+
		"class is FencedLossy then", worker.ErrStore, c.Options().Addr, why)
}

func (s *rows) checkSettings(ctx context.Context, c *redis.Client, replicas int) error {
	var wrong []string
	for _, want := range s.wanted(replicas) {
		all, err := c.ConfigGet(ctx, want.setting).Result()
		have, told := all[want.setting]
		if err == nil && !told {
			err = errUntold
		}
		// It answered INFO, so it is not busy. Its operator may have renamed the command.
		var refusal redis.Error
		if errors.As(err, &refusal) || errors.Is(err, errUntold) {
			return fmt.Errorf("%w: CONFIG is forbidden (%w), so it is not known whether the server keeps "+
				"what it acknowledges: allow the user +config|get, or, knowing that appendonly is yes, "+
				"appendfsync always and maxmemory-policy noeviction, or that a rented server keeps a log "+
				"elsewhere and evicts nothing, set Options.AssertDurable", worker.ErrStore, err)
		}
		if err != nil {
			return err
		}
		n, _ := strconv.Atoi(have)
		if have != want.value && (want.most == 0 || n < want.least || n > want.most) {
			wrong = append(wrong, fmt.Sprintf("%s is %q: set it to %s, %s", want.setting, have, want.value,
				want.why))
		}
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%w: at %s %s", worker.ErrStore, c.Options().Addr, strings.Join(wrong, "; "))
	}
	return nil
}

var errUntold = errors.New("it does not tell its settings")

// want is a setting as it has to be: this value or, if most is not 0, a number from least to most.
type want struct {
	setting, value, why string
	least, most         int
}

// wanted returns the settings with which the server keeps what it acknowledges.
func (s *rows) wanted(replicas int) []want {
	all := []want{
		{"appendonly", "yes", "or a restart would lose all leases", 0, 0},
		{"appendfsync", "always", "or a crash would lose the last acknowledged writes", 0, 0},
		{"no-appendfsync-on-rewrite", "no", "or nothing would be synced while the log is rewritten",
			0, 0},
		{"maxmemory-policy", "noeviction", "or Redis would delete worker ids when memory is full", 0, 0},
	}
	if least := max(s.o.MinReplicas, (replicas+1)/2); least > 0 {
		all = append(all, want{"min-replicas-to-write", fmt.Sprint(least, " or more"),
			"or an old primary that is cut off would continue alone", least, math.MaxInt},
			want{"min-replicas-max-lag", fmt.Sprint("a number from 1 to ", mostLag),
				"or it would continue alone for long", 1, mostLag})
	}
	return all
}

// mostLag is the largest min-replicas-max-lag that is accepted: how many seconds a primary that
// does not hear its replicas continues. The server counts whole seconds and looks once a second,
// so it may continue for two seconds more. All that is added to the pool's slack
// (store.View.Alone), and a new pool waits for it.
const mostLag = 3

// field returns a value in the text of INFO. The client's InfoMap panics if a proxy leaves out
// the lines that begin sections.
func field(info, name string) string {
	for line := range strings.Lines(info) {
		if value, ok := strings.CutPrefix(line, name+":"); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
