package rivals

import (
	"context"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/worker"
)

// adnc models how the services of AlphaYu/adnc get their worker ids, WorkerNode.cs in
// https://github.com/AlphaYu/adnc:
//
// A sorted set has all worker ids, each with the time at which somebody last said that he
// has it, by his own clock. Who starts takes the one of the oldest time, whoever has it,
// and says so again from then on. Who stops sets a time in the past. Left out: the lock
// around making the set.
type adnc struct {
	client  *redis.Client
	machine clock.Clock
	refresh time.Duration // 60 s in the original
}

func byAdnc(t *testing.T, addr string, machine clock.Clock) worker.Assigner {
	return adnc{client(t, addr), machine, ttl}
}

const workIDs = "adnc:rivals:workids"

var oldest = redis.NewScript(`
local ids = redis.call('ZRANGE', KEYS[1], 0, 0)
redis.call('ZADD', KEYS[1], ARGV[1], ids[1])
return ids[1]`)

func (a adnc) Assign(ctx context.Context, n worker.Need) (worker.Lease, error) {
	there, err := a.client.Exists(ctx, workIDs).Result()
	if err != nil {
		return nil, err
	}
	if there == 0 {
		a.makeSet(ctx, a.now())
	}
	id, err := oldest.Run(ctx, a.client, []string{workIDs}, a.now()).Int64()
	if err != nil {
		return nil, err
	}
	return keep(ctx, n, id, a.refresh,
		func(ctx context.Context) { a.say(ctx, id, a.now()) },
		func(ctx context.Context) { a.say(ctx, id, a.now()-1.5*float64(a.refresh.Milliseconds())) })
}

func (a adnc) makeSet(ctx context.Context, score float64) {
	for id := range int64(lastID + 1) {
		a.say(ctx, id, score)
	}
}

// makeSet makes the set as if another service had done so a while ago: who makes it and
// takes a worker id within one millisecond shares that with the next.
func makeSet(t *testing.T, addr string) {
	a := adnc{client: client(t, addr), machine: clock.Real()}
	a.makeSet(t.Context(), a.now()-1000)
}

func (a adnc) now() float64 { return float64(a.machine.Wall().UnixMilli()) }

func (a adnc) say(ctx context.Context, id int64, score float64) {
	a.client.ZAdd(ctx, workIDs, redis.Z{Score: score, Member: id})
}
