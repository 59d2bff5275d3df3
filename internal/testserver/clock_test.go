package testserver

import (
	"context"
	"database/sql"
	"net/http"
	"testing"
	"time"

	_ "github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib"
	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// With scripts/test-at.sh both have another clock than the machine, and the same one.
func TestServersHaveTheClockOfTheTests(t *testing.T) {
	ask := func(t *testing.T, driver, dsn, query string) time.Time {
		db, err := sql.Open(driver, dsn)
		require.NoError(t, err)
		defer db.Close()
		var seconds float64
		require.NoError(t, db.QueryRowContext(t.Context(), query).Scan(&seconds))
		return time.Unix(int64(seconds), 0)
	}
	for name, clock := range map[string]func(*testing.T) time.Time{
		"etcd": func(t *testing.T) time.Time {
			answer, err := http.Get(Etcd(t).DSN() + "/version")
			require.NoError(t, err)
			defer answer.Body.Close()
			now, err := http.ParseTime(answer.Header.Get("Date"))
			require.NoError(t, err)
			return now
		},
		"MariaDB": func(t *testing.T) time.Time {
			return ask(t, "mysql", MariaDB(t).DSN(), "SELECT UNIX_TIMESTAMP()")
		},
		"PostgreSQL": func(t *testing.T) time.Time {
			return ask(t, "pgx", Postgres(t).DSN(), "SELECT EXTRACT(EPOCH FROM clock_timestamp())::FLOAT8")
		},
		"Redis": func(t *testing.T) time.Time {
			c := goredis.NewClient(&goredis.Options{Addr: Redis(t).Addr()})
			defer c.Close()
			now, err := c.Time(context.Background()).Result()
			require.NoError(t, err)
			return now
		},
	} {
		t.Run(name, func(t *testing.T) { assert.WithinDuration(t, time.Now(), clock(t), 10*time.Minute) })
	}
}
