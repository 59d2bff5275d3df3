package redisstore_test

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/redisstore"
)

// A recycled worker id from Redis.
func Example() {
	client := redis.NewClient(&redis.Options{Addr: "localhost:6379", Password: "secret"})
	defer client.Close()
	store := redisstore.New(client, redisstore.Options{Prefix: "orders", MinReplicas: 1})
	assigner := worker.Leased(store, worker.Claim{Owner: "orders-7"})

	// A generator's constructor does this.
	lease, err := assigner.Assign(context.Background(),
		worker.Need{Unit: time.Second, MaxID: 1023, Fingerprint: "..."})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer lease.Release(context.Background(), 0)
	fmt.Println(lease.WorkerID(), lease.Class())
}
