package main

import (
	"context"
	"database/sql"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/ringuid/ringuid/examples/internal/databases"
	"github.com/ringuid/ringuid/examples/internal/demo"
	"github.com/ringuid/ringuid/internal/lasting"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

func TestMain(m *testing.M) {
	uid.DefaultLayout.Epoch = lasting.Epoch(uid.DefaultLayout.Epoch, uid.DefaultLayout.End())
	goleak.VerifyTestMain(m)
}

func TestOrdersAreFoundByTheTimeInTheirKey(t *testing.T) {
	databases.Each(t, []string{"sqlite", "mysql", "pgx"}, func(t *testing.T, d demo.Database) {
		ctx := context.Background()
		db, err := sql.Open(d.Driver, d.DSN)
		require.NoError(t, err)
		defer db.Close()
		store := d.Store(db)
		require.NoError(t, store.CreateTable(ctx))
		orders := table{db: db, dollars: d.Driver == "pgx"}
		require.NoError(t, orders.create(ctx))

		noon := uid.DefaultLayout.Epoch.AddDate(0, 6, 0).Add(12 * time.Hour)
		days := map[time.Time][]string{
			noon:                  {"tea", "coffee", "cocoa"},
			noon.AddDate(0, 0, 1): {"milk"},
		}
		made := map[time.Time][]uid.ID{}
		for day, items := range days {
			gen, err := uid.NewCached(ctx, worker.Disposable(store), uid.Config{
				Now:    func() time.Time { return day },
				Logger: slog.New(slog.DiscardHandler),
			})
			require.NoError(t, err)
			made[day], err = orders.insert(ctx, gen, items...)
			require.NoError(t, err)
			require.NoError(t, gen.Close())
		}

		for day, items := range days {
			found, err := orders.between(ctx, uid.DefaultLayout, day.Add(-time.Hour), day.Add(time.Hour))
			require.NoError(t, err)
			var want []order
			for i, item := range items {
				want = append(want, order{made[day][i], item})
			}
			assert.Equal(t, want, found)
		}
		nodes, err := store.Nodes(ctx, 0)
		require.NoError(t, err)
		assert.Len(t, nodes, len(days), "each start registered in this database")
	})
}

func TestRun(t *testing.T) {
	databases.Each(t, []string{"sqlite", "mysql", "pgx"}, func(t *testing.T, d demo.Database) {
		for _, ofTheLastHour := range []int{3, 6} {
			var out strings.Builder
			require.NoError(t, run(context.Background(), []string{"-driver", d.Driver, "-dsn", d.DSN}, &out))
			assert.Equal(t, ofTheLastHour, strings.Count(out.String(), "made at"), out.String())
		}
	})
}
