package main

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/ringuid/ringuid/examples/entkey/ent"
	"github.com/ringuid/ringuid/examples/entkey/ent/order"
	"github.com/ringuid/ringuid/examples/entkey/ent/schema"
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

func TestRunShowsWhatItStored(t *testing.T) {
	databases.Each(t, []string{"sqlite", "mysql", "pgx"}, func(t *testing.T, d demo.Database) {
		for range 2 {
			var out strings.Builder
			require.NoError(t, run(context.Background(), []string{"-driver", d.Driver, "-dsn", d.DSN}, &out))
			assert.Regexp(t, `^(\d{17,}) tea\n\d{17,} coffee\n\d{17,} green tea instead of \d{17,}\n$`, out.String())
			words := strings.Fields(out.String())
			assert.Equal(t, words[0], words[len(words)-1])
		}
	})
}

func TestEachRowHasAnIDOfTheGeneratorOrIsNotStored(t *testing.T) {
	databases.Each(t, []string{"sqlite", "mysql", "pgx"}, func(t *testing.T, d demo.Database) {
		_, client, err := open(d)
		require.NoError(t, err)
		defer client.Close()
		plain := context.Background()
		require.NoError(t, client.Schema.Create(plain))
		gen, err := uid.NewCached(plain, worker.Static(7), uid.Config{Logger: slog.New(slog.DiscardHandler)})
		require.NoError(t, err)
		defer gen.Close()
		ctx := schema.WithIDs(plain, gen)

		// As many as an INSERT of SQLite may have, and a transaction.
		const rows = 1000
		tx, err := client.Tx(ctx)
		require.NoError(t, err)
		made, err := tx.Order.MapCreateBulk(make([]struct{}, rows), func(o *ent.OrderCreate, i int) {
			o.SetItem("tea")
			switch i {
			case 0:
				o.SetID(42) // given, and kept
			case 1:
				o.SetID(0) // none
			}
		}).Save(ctx)
		require.NoError(t, err)
		require.NoError(t, tx.Commit())

		ids, err := client.Order.Query().Order(order.ByID()).IDs(ctx)
		require.NoError(t, err)
		require.Len(t, ids, rows)
		assert.Equal(t, int64(42), ids[0])
		for i, id := range ids {
			assert.Equal(t, id, made[i].ID)
		}
		for i, id := range ids[1:] {
			parts, err := gen.ParseUID(uid.ID(id))
			require.NoError(t, err)
			assert.Equal(t, int64(7), parts.Worker)
			assert.Greater(t, id, ids[i])
		}
		require.NoError(t, client.Order.Update().SetItem("coffee").Exec(plain), "takes no ids")

		stores := func(ctx context.Context) error { return client.Order.Create().SetItem("tea").Exec(ctx) }
		assert.ErrorIs(t, stores(plain), schema.ErrNoIDs)
		assert.True(t, ent.IsValidationError(client.Order.Create().SetItem("tea").SetID(-1).Exec(ctx)))
		require.NoError(t, gen.Close())
		assert.ErrorIs(t, stores(ctx), uid.ErrClosed)
		assert.ErrorIs(t, client.Order.CreateBulk(client.Order.Create().SetItem("tea")).Exec(ctx), uid.ErrClosed)
		n, err := client.Order.Query().Count(ctx)
		require.NoError(t, err)
		assert.Equal(t, rows, n, "no row without an id")
	})
}

// A table that counts would hide a key that was forgotten.
func TestTheDatabaseCountsNothing(t *testing.T) {
	databases.Each(t, []string{"mysql", "pgx"}, func(t *testing.T, d demo.Database) {
		db, client, err := open(d)
		require.NoError(t, err)
		defer client.Close()
		require.NoError(t, client.Schema.Create(context.Background()))
		_, err = db.Exec("INSERT INTO orders (item) VALUES ('tea')")
		assert.Error(t, err)
	})
}
