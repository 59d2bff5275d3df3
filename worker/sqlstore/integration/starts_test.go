package integration

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/servertest"
	"github.com/ringuid/ringuid/worker/sqlstore"
)

// Processes that start at once in an empty database all get a worker id of their own. `make starts`
// has 40, beside a busy loop for each processor.
func TestStartsAtOnce(t *testing.T) {
	starts, loops := 10, 0
	if text := os.Getenv("UID_STARTS"); text != "" {
		var err error
		starts, err = strconv.Atoi(text)
		require.NoError(t, err)
		loops = runtime.NumCPU()
	}
	for range loops {
		loop := exec.CommandContext(t.Context(), "sh", "-c", "while :; do :; done")
		require.NoError(t, loop.Start())
		t.Cleanup(func() { loop.Wait() }) // the context has ended it
	}
	forEachServer(t, among, func(t *testing.T, e env) {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		var (
			all     errgroup.Group
			workers = make(chan int64, starts)
			gate    = make(chan struct{})
			begin   = time.Now()
		)
		for i := range starts {
			all.Go(func() error {
				db, err := sqlstore.Open(e.driver, e.dsn)
				if err != nil {
					return err
				}
				t.Cleanup(func() { db.Close() })
				c := worker.Claim{Owner: fmt.Sprint(i), Logger: slog.New(slog.DiscardHandler)}
				<-gate
				gen, err := uid.New(ctx, worker.Leased(db, c), uid.Config{Logger: c.Logger})
				if err != nil {
					return err
				}
				t.Cleanup(func() { gen.Close() })
				if _, err = gen.GetUID(); err == nil {
					workers <- gen.Stats().WorkerID
				}
				return err
			})
		}
		close(gate)
		err := all.Wait()
		t.Logf("%d of %d have started after %v", len(workers), starts, time.Since(begin))
		require.NoError(t, err)
		close(workers)
		distinct := map[int64]bool{}
		for id := range workers {
			distinct[id] = true
		}
		assert.Len(t, distinct, starts)
	})
}

func TestStart(t *testing.T) {
	forEachServer(t, durable, func(t *testing.T, e env) {
		e.db.SetMaxIdleConns(0) // PostgreSQL has a process for each, which answers while it is paused
		servertest.TestStart(t, e.server, e.Store)
	})
}
