package main

import (
	"context"
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/ringuid/ringuid/examples/internal/databases"
	"github.com/ringuid/ringuid/examples/internal/demo"
	"github.com/ringuid/ringuid/internal/lasting"
	"github.com/ringuid/ringuid/uid"
)

func TestMain(m *testing.M) {
	uid.DefaultLayout.Epoch = lasting.Epoch(uid.DefaultLayout.Epoch, uid.DefaultLayout.End())
	goleak.VerifyTestMain(m)
}

func TestRunShowsWhatItStored(t *testing.T) {
	databases.Each(t, []string{"sqlite", "mysql", "pgx"}, func(t *testing.T, d demo.Database) {
		var out strings.Builder
		require.NoError(t, run(context.Background(), []string{"-driver", d.Driver, "-dsn", d.DSN}, &out))
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		require.Len(t, lines, 3)
		tea, _, _ := strings.Cut(lines[0], " ")
		assert.Regexp(t, `^\d+ tea$`, lines[0])
		assert.Regexp(t, `^\d+ coffee$`, lines[1])
		assert.Regexp(t, `^\d+ green tea instead of `+tea+`$`, lines[2])
	})
}

func TestLargestIDComesBackWhole(t *testing.T) {
	databases.Each(t, []string{"sqlite", "mysql", "pgx"}, func(t *testing.T, d demo.Database) {
		ctx := context.Background()
		db, err := sqlx.ConnectContext(ctx, d.Driver, d.DSN)
		require.NoError(t, err)
		defer db.Close()
		_, err = db.ExecContext(ctx, schema)
		require.NoError(t, err)

		zero, largest := uid.ID(0), uid.ID(1<<63-1)
		want := []order{{ID: zero, Item: "first"}, {ID: largest, Item: "last", Replaces: &zero}}
		require.NoError(t, insert(ctx, db, want...))
		got, err := byID(ctx, db, largest, zero)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	})
}
