package orm

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gorm.io/driver/mysql"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"github.com/ringuid/ringuid/uid"
)

// Model is embedded by whatever has an id for a key. Without autoIncrement:false GORM has
// the database count.
type Model struct {
	ID uid.ID `gorm:"primaryKey;autoIncrement:false"`
}

// BeforeCreate is called for each row of a batch, and for associations too.
func (m *Model) BeforeCreate(tx *gorm.DB) error {
	if m.ID != 0 {
		return nil
	}
	value, _ := tx.Get("ids")
	gen, ok := value.(interface {
		GetUIDContext(context.Context) (uid.ID, error)
	})
	if !ok {
		return errors.New("no generator of ids: create with the DB of WithIDs")
	}
	id, err := gen.GetUIDContext(tx.Statement.Context)
	m.ID = id
	return err
}

// WithIDs returns a DB whose Create takes ids from gen.
func WithIDs(db *gorm.DB, gen *uid.CachedGenerator) *gorm.DB {
	return db.Set("ids", gen).Session(&gorm.Session{})
}

// Basket has lines, which refer to it by its id.
type Basket struct {
	Model
	Customer string
	Lines    []Line
}

// Line is a line of a basket.
type Line struct {
	Model
	BasketID uid.ID `gorm:"index"`
	Item     string
}

func TestAKeyWithGORM(t *testing.T) {
	pool, gen := openDB(t, "mysql", mariaDB(t)), newIDs(t)
	open := mysql.New(mysql.Config{Conn: pool})
	plain, err := gorm.Open(open, &gorm.Config{Logger: logger.Discard})
	require.NoError(t, err)
	db := WithIDs(plain, gen)
	require.NoError(t, db.AutoMigrate(&Basket{}, &Line{}))

	basket := Basket{Customer: "Ada", Lines: []Line{{Item: "tea"}, {Item: "coffee"}}}
	require.NoError(t, db.Create(&basket).Error)
	more := make([]Basket, 100)
	more[0].ID = 42 // given, and kept
	require.NoError(t, db.CreateInBatches(more, 10).Error)

	var found Basket
	require.NoError(t, db.Preload("Lines").First(&found, basket.ID).Error)
	assert.ElementsMatch(t, basket.Lines, found.Lines)
	var ids []uid.ID
	require.NoError(t, db.Model(&Basket{}).Order("id").Pluck("id", &ids).Error)
	require.Len(t, ids, 1+len(more))
	assert.Equal(t, uid.ID(42), ids[0])
	for _, id := range ids[1:] {
		parts, err := gen.ParseUID(id)
		require.NoError(t, err)
		assert.Equal(t, int64(7), parts.Worker)
	}

	assert.ErrorContains(t, plain.Create(&Basket{}).Error, "no generator")
	require.NoError(t, gen.Close())
	assert.ErrorIs(t, db.Create(&Basket{}).Error, uid.ErrClosed, "no row without an id")
	_, err = pool.Exec("INSERT INTO baskets (customer) VALUES ('Ada')")
	assert.Error(t, err, "the database counts nothing")
}
