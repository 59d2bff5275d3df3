package soak

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"
	_ "modernc.org/sqlite"

	"github.com/ringuid/ringuid/internal/epoch"
	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/redisstore"
	"github.com/ringuid/ringuid/worker/sqlstore"
	"github.com/ringuid/ringuid/worker/store"
)

// asProcess in the environment has the test binary be a process of a soak.
const asProcess = "SOAK_TEST_PROCESS"

func TestMain(m *testing.M) {
	epoch.Move()
	if os.Getenv(asProcess) != "" {
		if err := Process(context.Background(), os.Stdin, openSpec); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

// spec is what a test's processes have to know.
type spec struct {
	SQLite   string
	Redis    string
	Careless bool  // takes over without a look at what was granted before
	Locks    bool  // each has the file locked nearly all the time
	Last     int64 // of its worker ids, from 1 on
}

const ttl = 700 * time.Millisecond

var layout = uid.Layout{Epoch: uid.DefaultLayout().Epoch, Unit: 10 * time.Millisecond, TimeBits: 38,
	WorkerBits: 21, SeqBits: 4}

func openSpec(all Config, s spec) (worker.Assigner, uid.Config, error) {
	c := uid.Config{Layout: all.Layout, Logger: slog.New(slog.NewTextHandler(os.Stderr, nil))}
	store, db, err := s.open()
	if err != nil {
		return nil, c, err
	}
	if s.Locks {
		go lock(db.(*sql.DB))
	}
	if s.Careless {
		store = careless{store.(raised)}
	}
	claim := worker.Claim{First: 1, Count: s.Last, TTL: ttl, Timeout: 5 * time.Second,
		Slack: time.Second, Logger: c.Logger}
	return worker.Leased(store, claim), c, nil
}

func (s spec) open() (store.Store, io.Closer, error) {
	if s.SQLite != "" {
		db, err := sql.Open("sqlite", sqlstore.SQLiteDSN(s.SQLite))
		return sqlstore.SQLite(db), db, err
	}
	c := redis.NewClient(&redis.Options{Addr: s.Redis, MaxRetries: -1})
	return redisstore.New(c, redisstore.Options{}), c, nil
}

// lock locks a file again and again, so that a pause nearly always comes while it is locked.
func lock(db *sql.DB) {
	for ; ; time.Sleep(ttl / 20) {
		if tx, err := db.Begin(); err == nil {
			time.Sleep(ttl / 3)
			_ = tx.Rollback()
		}
	}
}

func self() *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asProcess+"=1", "GORACE=atexit_sleep_ms=0")
	return cmd
}

// config is a soak of processes that know s.
func config(t *testing.T, s spec, d time.Duration) Config {
	return Config{
		Processes: 3, Duration: d, TTL: ttl,
		Layout: layout, Dir: t.TempDir(), Command: self, Spec: s,
	}
}

type raised interface {
	store.Store
	store.Raiser
}

// careless is a store that does not show how far the last holders of free rows were granted.
type careless struct{ raised }

func (c careless) View(ctx context.Context, p store.Pool, first, last int64) (store.View,
	error) {
	v, err := c.raised.View(ctx, p, first, last)
	for i, row := range v.Rows {
		if !grants.Live(v, row) {
			v.Rows[i].High = v.TickAt(v.Now)
		}
	}
	return v, err
}
