package main

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/ringuid/ringuid/examples/internal/databases"
	"github.com/ringuid/ringuid/examples/internal/demo"
	"github.com/ringuid/ringuid/examples/sqlckey/orders"
	"github.com/ringuid/ringuid/internal/lasting"
	"github.com/ringuid/ringuid/uid"
)

func TestMain(m *testing.M) {
	uid.DefaultLayout.Epoch = lasting.Epoch(uid.DefaultLayout.Epoch, uid.DefaultLayout.End())
	goleak.VerifyTestMain(m)
}

func TestRunShowsWhatItStored(t *testing.T) {
	databases.Each(t, []string{"sqlite", "pgx"}, func(t *testing.T, d demo.Database) {
		ctx := context.Background()
		var out strings.Builder
		require.NoError(t, run(ctx, []string{"-driver", d.Driver, "-dsn", d.DSN}, &out))
		assert.Regexp(t, `^\d+ tea\n\d+ coffee\n\d+ cocoa\n$`, out.String())

		db, err := sql.Open(d.Driver, d.DSN)
		require.NoError(t, err)
		defer db.Close()
		digits, _, _ := strings.Cut(out.String(), " ")
		id, err := uid.ParseID(digits)
		require.NoError(t, err)
		found, err := orders.New(db).GetOrder(ctx, id)
		require.NoError(t, err)
		assert.Equal(t, orders.Order{ID: id, Item: "tea"}, found)
	})
}
