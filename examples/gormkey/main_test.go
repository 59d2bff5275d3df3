package main

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"gorm.io/driver/mysql"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

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
	databases.Each(t, []string{"mysql", "pgx"}, func(t *testing.T, d demo.Database) {
		var out strings.Builder
		require.NoError(t, run(context.Background(), []string{"-driver", d.Driver, "-dsn", d.DSN}, &out))
		assert.Regexp(t, `^order \d{18,} of Ada\n  line \d{18,}: tea\n  line \d{18,}: coffee\n$`, out.String())
	})
}

func TestEachRowOfABatchHasAnIDOfItsOwn(t *testing.T) {
	databases.Each(t, []string{"mysql"}, func(t *testing.T, d demo.Database) {
		plain, err := gorm.Open(mysql.Open(d.DSN), &gorm.Config{Logger: logger.Discard})
		require.NoError(t, err)
		pool, err := plain.DB()
		require.NoError(t, err)
		defer pool.Close()
		gen, err := uid.NewCached(context.Background(), worker.Static(7), uid.Config{Logger: slog.New(slog.DiscardHandler)})
		require.NoError(t, err)
		defer gen.Close()
		db := WithIDs(plain, gen)
		require.NoError(t, db.AutoMigrate(&Line{}))

		lines := make([]Line, 1000)
		lines[0].ID = 42 // given, and kept
		require.NoError(t, db.CreateInBatches(lines, 100).Error)

		var ids []uid.ID
		require.NoError(t, db.Model(&Line{}).Order("id").Pluck("id", &ids).Error)
		require.Len(t, ids, len(lines))
		assert.Equal(t, uid.ID(42), ids[0])
		for i, id := range ids[1:] {
			parts, err := gen.ParseUID(id)
			require.NoError(t, err)
			assert.Equal(t, int64(7), parts.Worker)
			assert.Greater(t, id, ids[i])
		}

		assert.ErrorIs(t, plain.Create(&Line{}).Error, ErrNoIDs)
		require.NoError(t, gen.Close())
		assert.ErrorIs(t, db.Create(&Line{}).Error, uid.ErrClosed, "no row without an id")
	})
}
