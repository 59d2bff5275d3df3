package orm

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"path/filepath"
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/mysqldialect"
	"github.com/uptrace/bun/dialect/sqlitedialect"
	"github.com/uptrace/bun/schema"
	"gorm.io/driver/mysql"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/logger"
	_ "modernc.org/sqlite"

	"github.com/ringuid/ringuid/opaque"
	"github.com/ringuid/ringuid/typeid"
	"github.com/ringuid/ringuid/uid"
)

// staff is a kind whose ids are shown hidden.
type staff struct{}

func (staff) Prefix() string     { return "staff" }
func (staff) Keys() *opaque.Keys { return staffKeys }

var staffKeys, _ = opaque.ParseKeys("1:000102030405060708090a0b0c0d0e0f")

// Employee has a boss, or NULL.
type Employee struct {
	ID   uid.ID  `gorm:"primaryKey;autoIncrement:false" bun:",pk"`
	Boss *uid.ID `json:"boss"`
}

// withEmployees makes 1 and 2, who have no boss, and 3, whose boss is 1, in MariaDB and in SQLite.
func withEmployees(t *testing.T, test func(t *testing.T, pool *sql.DB, driver string)) {
	for name, open := range map[string]func(*testing.T) *sql.DB{
		"mysql": func(t *testing.T) *sql.DB { return openDB(t, "mysql", mariaDB(t)) },
		"sqlite": func(t *testing.T) *sql.DB {
			return openDB(t, "sqlite", filepath.Join(t.TempDir(), "staff.db"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			pool := open(t)
			for _, statement := range []string{
				"CREATE TABLE employees (id BIGINT NOT NULL PRIMARY KEY, boss BIGINT NULL)",
				"INSERT INTO employees VALUES (1, NULL), (2, NULL), (3, 1)",
			} {
				_, err := pool.Exec(statement)
				require.NoError(t, err)
			}
			test(t, pool, name)
			var all, free int
			require.NoError(t, pool.QueryRow("SELECT COUNT(*), SUM(boss IS NULL) FROM employees").
				Scan(&all, &free))
			assert.Equal(t, []int{3, 2}, []int{all, free}, "rows of others were changed")
		})
	}
}

// openGORM opens SQLite too: it reads MySQL's SQL.
func openGORM(t *testing.T, pool *sql.DB) *gorm.DB {
	open := mysql.New(mysql.Config{Conn: pool, SkipInitializeWithVersion: true})
	db, err := gorm.Open(open, &gorm.Config{Logger: logger.Discard})
	require.NoError(t, err)
	return db
}

func TestANegativeIDIsAnErrorAndNotNULL(t *testing.T) {
	withEmployees(t, func(t *testing.T, pool *sql.DB, driver string) {
		for _, id := range []any{uid.ID(-5), typeid.ID[staff](-5), typeid.UUID[staff]{ID: -5}} {
			for name, run := range conditionsOf(t, pool, driver, id) {
				assert.Error(t, run(), "%s with %T", name, id)
			}
		}
		db, id := openGORM(t, pool), uid.ID(-5)
		for name, tx := range map[string]*gorm.DB{
			"a field":         db.Where(&Employee{Boss: &id}).Delete(&Employee{}),
			"a key":           db.Delete(&Employee{ID: id}),
			"a row":           db.Create(&Employee{ID: 4, Boss: &id}),
			"a row as it was": db.Save(&Employee{ID: 1, Boss: &id}),
		} {
			assert.ErrorIs(t, tx.Error, uid.ErrRange, name)
		}
		// What the guide says of zero fields and nil.
		assert.ErrorIs(t, db.Where(&Employee{}).Delete(&Employee{}).Error, gorm.ErrMissingWhereClause)
		for boss, want := range map[any]int64{uid.ID(0): 0, uid.ID(1): 1, (*uid.ID)(nil): 2} {
			found := db.Where(map[string]any{"boss": boss}).Find(&[]Employee{})
			require.NoError(t, found.Error)
			assert.Equal(t, want, found.RowsAffected, "%v", boss)
		}
		assert.Zero(t, db.Where("id = ?", uid.ID(0)).Delete(&Employee{}).RowsAffected)
	})
}

// conditionsOf are the ways in which libraries write an id into a statement.
func conditionsOf(
	t *testing.T, pool *sql.DB, driver string, id any,
) map[string]func() error {
	db, rows := openGORM(t, pool), []Employee{}
	inMap := map[string]any{"boss": id}
	in := clause.IN{Column: "boss", Values: []any{id}}
	x := sqlx.NewDb(pool, driver)
	var dialect schema.Dialect = sqlitedialect.New()
	if driver == "mysql" {
		dialect = mysqldialect.New()
	}
	b := bun.NewDB(pool, dialect)
	exec := func(_ sql.Result, err error) error { return err }
	ctx := context.WithoutCancel(t.Context())
	return map[string]func() error{
		"delete": func() error { return db.Where(inMap).Delete(&Employee{}).Error },
		"not":    func() error { return db.Not(inMap).Delete(&Employee{}).Error },
		"IN":     func() error { return db.Where(in).Delete(&Employee{}).Error },
		"text":   func() error { return db.Where("boss = ?", id).Delete(&Employee{}).Error },
		"named":  func() error { return db.Where("boss = @boss", inMap).Delete(&Employee{}).Error },
		"set":    func() error { return db.Model(&Employee{ID: 3}).Update("boss", id).Error },
		"insert": func() error {
			return db.Model(&Employee{}).Create(map[string]any{"id": 4, "boss": id}).Error
		},
		"first or create": func() error { return db.Where(inMap).FirstOrCreate(&Employee{ID: 4}).Error },
		"sqlx": func() error {
			return exec(x.NamedExec("DELETE FROM employees WHERE boss = :boss", inMap))
		},
		"sqlx.In": func() error {
			q, args, err := sqlx.In("DELETE FROM employees WHERE boss IN (?)", []any{id})
			if err != nil {
				return err
			}
			return exec(x.Exec(q, args...))
		},
		"bun": func() error {
			return exec(b.NewDelete().Model(&rows).Where("boss = ?", id).Exec(ctx))
		},
		"bun.List": func() error {
			return exec(b.NewDelete().Model(&rows).Where("boss IN ?", bun.List([]any{id})).Exec(ctx))
		},
		"bun set": func() error {
			return exec(b.NewUpdate().Model(&rows).Set("boss = ?", id).Where("id = 3").Exec(ctx))
		},
	}
}

// A library that drops the error of Value looks for what is beside it, in a column of any type, and
// perhaps by a comparison that finds NULL, too.
func TestWhatIsBesideAnErrorIsInNoRow(t *testing.T) {
	const low = 1<<63 - 5 // the bits of -5 without its sign
	other, err := opaque.ID{Number: low}.UUID()
	require.NoError(t, err)
	withEmployees(t, func(t *testing.T, pool *sql.DB, driverName string) {
		uuid, is := "UUID", "<=>"
		if driverName == "sqlite" {
			uuid, is = "TEXT", "IS"
		}
		_, err := pool.Exec("CREATE TABLE refs (n BIGINT, t VARCHAR(36), b BINARY(16), u " + uuid + ")")
		require.NoError(t, err)
		rows := [][]any{{nil, nil, nil, nil}}
		for n, u := range map[int64]opaque.UUID{0: {}, low: other} {
			rows = append(rows, []any{n, u.String(), u[:], u})
		}
		for _, row := range rows {
			_, err := pool.Exec("INSERT INTO refs VALUES (?, ?, ?, ?)", row...)
			require.NoError(t, err)
		}
		for _, id := range []driver.Valuer{uid.ID(-5), typeid.ID[staff](-5),
			typeid.UUID[staff]{ID: -5}} {
			value, err := id.Value()
			require.ErrorIs(t, err, uid.ErrRange)
			for _, column := range []string{"n", "t", "b", "u"} {
				done, err := pool.Exec("DELETE FROM refs WHERE "+column+" "+is+" ?", value)
				if err != nil {
					continue // the type of the column refuses it
				}
				deleted, err := done.RowsAffected()
				require.NoError(t, err)
				assert.Zero(t, deleted, "%T beside its error is in %s", id, column)
			}
		}
	})
}
