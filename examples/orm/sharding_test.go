package orm

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gorm.io/driver/mysql"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
	"gorm.io/sharding"

	"github.com/ringuid/ringuid/uid"
)

// Shards has GORM's sharding plugin take ids from gen. With the plugin's own, two processes can
// make equal ones.
func Shards(gen *uid.CachedGenerator, key string, n uint, tables ...any) *sharding.Sharding {
	return sharding.Register(sharding.Config{ShardingKey: key, NumberOfShards: n,
		PrimaryKeyGenerator: sharding.PKCustom,
		PrimaryKeyGeneratorFn: func(int64) int64 {
			id, err := gen.GetUID()
			if err != nil {
				slog.Error("no id: the database refuses the row", "error", err)
				return 0
			}
			return int64(id)
		},
	}, tables...)
}

// Sale is a row of one of several tables. With a Model it knows its id.
type Sale struct {
	Model
	UserID int64
}

func TestShardsWithGORM(t *testing.T) {
	pool, gen := openDB(t, "mysql", mariaDB(t)), newIDs(t)
	plain, err := gorm.Open(mysql.New(mysql.Config{Conn: pool}), &gorm.Config{Logger: logger.Discard})
	require.NoError(t, err)
	require.NoError(t, plain.Use(Shards(gen, "user_id", 4, &Sale{})))
	require.NoError(t, plain.AutoMigrate(&Sale{}))
	db := WithIDs(plain, gen)
	ids := map[uid.ID]bool{}
	for user := range int64(8) {
		sale := Sale{UserID: user}
		require.NoError(t, db.Create(&sale).Error)
		require.NoError(t, db.Exec("INSERT INTO sales (user_id) VALUES (?)", user).Error)
		var found []Sale
		require.NoError(t, db.Where("user_id = ?", user).Order("id").Find(&found).Error)
		require.Len(t, found, 2)
		assert.Equal(t, sale, found[0])
		ids[found[0].ID], ids[found[1].ID] = true, true
	}
	assert.Len(t, ids, 16)
	require.NoError(t, gen.Close())
	assert.ErrorIs(t, db.Create(&Sale{UserID: 1}).Error, uid.ErrClosed)
	assert.Error(t, db.Exec("INSERT INTO sales (user_id) VALUES (1)").Error, "no row without an id")
}
