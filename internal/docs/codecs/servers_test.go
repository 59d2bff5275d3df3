package codecs

import (
	"database/sql"
	"fmt"
	"testing"

	_ "github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5"
	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"
	"go.uber.org/goleak"

	"github.com/ringuid/ringuid/bwmarrin"
	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/opaque"
	"github.com/ringuid/ringuid/typeid"
	"github.com/ringuid/ringuid/uid"
)

var server = testserver.Share(func(t testing.TB) *testserver.Server {
	return testserver.Postgres(t)
})

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(server.Around(m))
}

func openDB(t *testing.T, driver, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver, dsn)
	require.NoError(t, err)
	t.Cleanup(func() { db.Close() })
	return db
}

// MySQL compares a text with a number as floats, which hold 53 bits of an id's 63.
func TestAColumnOfTextWantsTheTextOfAnID(t *testing.T) {
	for name, start := range map[string]func(testing.TB, ...testserver.Option) *testserver.Server{
		"MySQL": testserver.MySQL, "MariaDB": testserver.MariaDB,
	} {
		t.Run(name, func(t *testing.T) {
			db := openDB(t, "mysql", start(t).DSN())
			_, err := db.Exec("CREATE TABLE payments (ref VARCHAR(32) NOT NULL PRIMARY KEY)")
			require.NoError(t, err)
			for n := range uid.ID(40) {
				_, err := db.Exec("INSERT INTO payments VALUES (?)", (id + n).String())
				require.NoError(t, err)
			}
			rows := func(ref any) (n int) {
				require.NoError(t, db.QueryRow("SELECT COUNT(*) FROM payments WHERE ref = ?", ref).Scan(&n))
				return n
			}
			_, err = db.Exec("CREATE TABLE orders (id BIGINT PRIMARY KEY) " +
				"SELECT CAST(ref AS SIGNED) AS id FROM payments")
			require.NoError(t, err)
			joined := func(by string) (n int) {
				ask := "SELECT COUNT(*) FROM orders JOIN payments ON id = " + by + " WHERE id = ?"
				require.NoError(t, db.QueryRow(ask, id+20).Scan(&n))
				return n
			}
			assert.Equal(t, 1, rows((id + 20).String()))
			assert.Equal(t, 1, joined("CAST(ref AS SIGNED)"))
			if name == "MySQL" {
				assert.Greater(t, rows(id+20), 1, "the warning in the guide is out of date")
				assert.Greater(t, joined("ref"), 1, "the warning in the guide is out of date")
			}
			done, err := db.Exec("DELETE FROM payments WHERE ref = ?", (id + 20).String())
			require.NoError(t, err)
			deleted, err := done.RowsAffected()
			require.NoError(t, err)
			assert.EqualValues(t, 1, deleted)

			_, err = db.Exec("CREATE TABLE urls (s VARCHAR(20), " +
				"exact VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin)")
			require.NoError(t, err)
			for n := range uid.ID(100) {
				text := bwmarrin.Format(id+n, 58)
				_, err := db.Exec("INSERT INTO urls VALUES (?, ?)", text, text)
				require.NoError(t, err)
			}
			var texts, exact int
			row := db.QueryRow("SELECT COUNT(DISTINCT s), COUNT(DISTINCT exact) FROM urls")
			require.NoError(t, row.Scan(&texts, &exact))
			assert.Less(t, texts, 100, "public-ids.md is out of date")
			assert.Equal(t, 100, exact)
		})
	}
}

func TestColumnsOfTextAndJSONInPostgreSQL(t *testing.T) {
	conn, err := pgx.Connect(t.Context(), server.Get(t).DSN())
	require.NoError(t, err)
	defer conn.Close(t.Context())
	std := openDB(t, "pgx", server.Get(t).DSN())
	for column, value := range map[string]any{"jsonb": fmt.Sprintf("%q", id), "json": id.String(),
		"char(30)": id.String(), "varchar(19)": id.String(), "numeric": id.String()} {
		ask := fmt.Sprintf("SELECT CAST('%v' AS %s)", value, column)
		var got uid.ID
		var kind typeid.ID[order]
		require.NoError(t, conn.QueryRow(t.Context(), ask).Scan(&got), column)
		assert.Equal(t, id, got, column)
		require.NoError(t, conn.QueryRow(t.Context(), ask).Scan(&kind), column)
		assert.EqualValues(t, id, kind, column)
		got = 0
		require.NoError(t, std.QueryRow(ask).Scan(&got), column)
		assert.Equal(t, id, got, column)
	}
	plain, err := opaque.ID{Number: id}.UUID()
	require.NoError(t, err)
	var back opaque.UUID
	require.NoError(t, std.QueryRow("SELECT to_jsonb(CAST($1 AS text))", plain.String()).Scan(&back))
	assert.Equal(t, plain, back)
	for _, null := range []string{"SELECT CAST('null' AS jsonb)", "SELECT CAST(NULL AS jsonb)",
		"SELECT CAST('' AS char(20))", `SELECT CAST('{"id":5}' AS jsonb)`} {
		var got uid.ID
		assert.Error(t, std.QueryRow(null).Scan(&got), null)
	}
}

func nullZero(t *testing.T) {
	db := bun.NewDB(openDB(t, "pgx", server.Get(t).DSN()), pgdialect.New())
	_, err := db.Exec("CREATE TABLE notes (id BIGINT PRIMARY KEY, parent BIGINT)")
	require.NoError(t, err)
	type note struct {
		bun.BaseModel `bun:"table:notes"`
		ID            uid.ID `bun:",pk"`
		Parent        uid.ID `bun:",nullzero"`
	}
	_, err = db.NewInsert().Model(&note{ID: 1}).Exec(t.Context())
	require.ErrorIs(t, err, uid.ErrSyntax)
	n, err := db.NewSelect().Table("notes").Where("parent IS NULL").Count(t.Context())
	require.NoError(t, err)
	assert.EqualValues(t, 1, n, "the row is there although there was an error")

	type right struct {
		bun.BaseModel `bun:"table:notes"`
		ID            uid.ID `bun:",pk"`
		Parent        *uid.ID
	}
	_, err = db.NewInsert().Model(&right{ID: 2}).Exec(t.Context())
	require.NoError(t, err)
}

func goRedis(t *testing.T) {
	client := redis.NewClient(&redis.Options{Addr: testserver.Redis(t).Addr()})
	defer client.Close()
	ctx := t.Context()
	require.Error(t, client.Set(ctx, "k", id, 0).Err())
	require.Error(t, client.SAdd(ctx, "s", id).Err())
	require.NoError(t, client.Set(ctx, "k", id.String(), 0).Err())
	var got uid.ID
	require.Error(t, client.Get(ctx, "k").Scan(&got))
	text, err := client.Get(ctx, "k").Result()
	require.NoError(t, err)
	got, err = uid.ParseID(text)
	require.NoError(t, err)
	assert.Equal(t, id, got)

	var hash struct {
		ID uid.ID `redis:"id"`
	}
	require.NoError(t, client.HSet(ctx, "h", "id", id.String()).Err())
	require.NoError(t, client.HGetAll(ctx, "h").Scan(&hash))
	assert.Equal(t, id, hash.ID)
	require.NoError(t, client.HSet(ctx, "h", "id", "-5").Err())
	require.Error(t, client.HGetAll(ctx, "h").Scan(&hash))
}
