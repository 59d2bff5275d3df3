package rivals

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/worker"
)

// yitter models the registration of worker ids that comes with Yitter's generator:
// https://github.com/yitter/IdGenerator/blob/master/Go/source/regworkerid/reghelper.go
//
// A counter proposes worker ids. Who finds no key of the one proposed sets it, to expire
// after its life, and from then on asks each third of it that the key live on. Nobody
// looks at the answer. Left out: the pauses between laps, and the lock of the counter's
// reset, which a single starter always gets.
type yitter struct {
	client *redis.Client
	life   time.Duration // 15 s in the original
}

func byYitter(t *testing.T, addr string, _ clock.Clock) worker.Assigner {
	return yitter{client: client(t, addr), life: ttl}
}

func (y yitter) Assign(ctx context.Context, n worker.Need) (worker.Lease, error) {
	for lap := 0; lap < 2; {
		id, err := y.client.Incr(ctx, "IdGen:WorkerId:Index").Result()
		if err != nil {
			return nil, err
		}
		if id > lastID {
			y.client.Set(ctx, "IdGen:WorkerId:Index", -1, 0)
			lap++
			continue
		}
		key := fmt.Sprint("IdGen:WorkerId:Value:", id)
		switch err := y.client.Get(ctx, key).Err(); {
		case errors.Is(err, redis.Nil):
			y.client.Set(ctx, key, "Y", y.life)
			return keep(ctx, n, id, y.life/3,
				func(ctx context.Context) { y.client.PExpire(ctx, key, y.life) },
				func(ctx context.Context) { y.client.Del(ctx, key) })
		case err != nil:
			return nil, err
		}
	}
	return nil, errors.New("-1: no worker id is free")
}
