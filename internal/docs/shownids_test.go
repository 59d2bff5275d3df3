package docs

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/bwmarrin"
	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/opaque"
	"github.com/ringuid/ringuid/typeid"
	"github.com/ringuid/ringuid/uid"
)

// The Go code of docs/shown-ids.md, as snippets_test.go has that of the others.

type User struct{}

func (User) Prefix() string { return "user" }

type UserID = typeid.ID[User]

type Order struct{}

func (Order) Prefix() string     { return "ord" }
func (Order) Keys() *opaque.Keys { return orderKeys }

type OrderID = typeid.ID[Order]

// orderKeys are set once, when the program starts. As long as they are nil nothing of
// an order's id is shown, there is an error instead.
var orderKeys *opaque.Keys

func loadKeys() (err error) {
	orderKeys, err = opaque.ParseKeys(os.Getenv("ORDER_KEYS")) // 1:000102030405060708090a0b0c0d0e0f
	return err
}

func getOrder(db *sql.DB, signedIn func(*http.Request) UserID) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		id, err := typeid.Parse[Order](r.PathValue("order"))
		if err != nil {
			http.Error(w, "no such order", http.StatusNotFound)
			return
		}
		var order struct {
			ID    OrderID `json:"id"`
			Buyer UserID  `json:"buyer"`
			Cents int64   `json:"cents"`
		}
		row := db.QueryRowContext(r.Context(),
			"SELECT id, buyer, cents FROM orders WHERE id = ? AND buyer = ?", id, signedIn(r)) // rights
		if err := row.Scan(&order.ID, &order.Buyer, &order.Cents); err != nil {
			http.Error(w, "no such order", http.StatusNotFound)
			return
		}
		json.NewEncoder(w).Encode(order)
	}
}

func TestAURLOfBwmarrinLeadsOn(t *testing.T) {
	id, err := bwmarrin.ParseBase58("4zzv4rZaYpj") // 1541815603606036480
	require.NoError(t, err)
	assert.Equal(t, uid.ID(1541815603606036480), id)
}

// shown are the keys of the page.
func shown(t *testing.T) {
	t.Helper()
	t.Setenv("ORDER_KEYS", "1:000102030405060708090a0b0c0d0e0f")
	require.NoError(t, loadKeys())
}

// orders are the rows of the page's table.
func orders(t *testing.T) (rows table) {
	t.Helper()
	tables := titled(t, readPage(t, "docs/shown-ids.md"), "In a database").tables
	require.Len(t, tables, 2)
	return tables[0][1:]
}

func TestTheURLTheBodyAndTheTableOfShownIDs(t *testing.T) {
	shown(t)
	db, err := sql.Open("sqlite", filepath.Join(testserver.TempDir(t), "orders.db"))
	require.NoError(t, err)
	defer db.Close()
	_, err = db.Exec("CREATE TABLE orders (id BIGINT PRIMARY KEY, buyer BIGINT NOT NULL, cents BIGINT NOT NULL)")
	require.NoError(t, err)
	var buyer UserID
	for _, row := range orders(t) {
		id, err := uid.ParseID(strings.TrimSpace(row[0].text))
		require.NoError(t, err)
		assert.Equal(t, row[3].spans[0].text, OrderID(id).String())
		require.NoError(t, buyer.Scan(strings.TrimSpace(row[1].text)))
		_, err = db.Exec("INSERT INTO orders VALUES (?, ?, ?)", OrderID(id), buyer, strings.TrimSpace(row[2].text))
		require.NoError(t, err)
	}

	mux := http.NewServeMux()
	reader := buyer
	mux.HandleFunc("GET /orders/{order}", getOrder(db, func(*http.Request) UserID { return reader }))
	get := func(path string) (int, string) {
		answer := httptest.NewRecorder()
		mux.ServeHTTP(answer, httptest.NewRequest("GET", path, nil))
		return answer.Code, strings.TrimSpace(answer.Body.String())
	}
	section := titled(t, readPage(t, "docs/shown-ids.md"), "In a URL and in JSON")
	_, path, _ := strings.Cut(section.prose.spans[0].text, " ")
	code, body := get(path)
	assert.Equal(t, http.StatusOK, code)
	assert.Equal(t, strings.TrimSpace(section.blocks[1].text), body)

	for _, path := range []string{"/orders/538815673191686144", "/orders/ord_0eyj200001r00", "/orders/" + buyer.String(), "/orders/ORD_ECSCM65KRSXA8"} {
		code, _ = get(path)
		assert.Equal(t, http.StatusNotFound, code, path)
	}
	reader++
	code, body = get(path)
	assert.Equal(t, http.StatusNotFound, code, "another's")
	assert.Equal(t, "no such order", body)
}

func TestErrorsOfShownIDsAreExplained(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs", "shown-ids.md"))
	require.NoError(t, err)
	for _, dir := range []string{"opaque", "typeid", "bwmarrin"} {
		for _, name := range sentinels(t, dir) {
			assert.Contains(t, string(page), "| `"+name+"` |", "what it means")
		}
	}
}

// The columns of the page's second table, in those databases.
func TestColumnsOfShownIDs(t *testing.T) {
	shown(t)
	for _, c := range []struct {
		name, driver, uuid, insert, query string
		dsn                               func() string
	}{
		{"PostgreSQL", "pgx", "UUID", "INSERT INTO ids VALUES ($1, $2, $3)", "SELECT id, u, maybe FROM ids WHERE id = $1 AND u = $2",
			func() string { return testserver.Postgres(t, testserver.Durable()).DSN() }},
		{"MariaDB", "mysql", "UUID", "INSERT INTO ids VALUES (?, ?, ?)", "SELECT id, u, maybe FROM ids WHERE id = ? AND u = ?",
			func() string { return testserver.MariaDB(t, testserver.Durable()).DSN() }},
		{"MariaDB as MySQL", "mysql", "CHAR(36)", "INSERT INTO ids VALUES (?, ?, ?)", "SELECT id, u, maybe FROM ids WHERE id = ? AND u = ?",
			func() string { return testserver.MariaDB(t, testserver.Durable()).DSN() }},
		{"SQLite", "sqlite", "TEXT", "INSERT INTO ids VALUES (?, ?, ?)", "SELECT id, u, maybe FROM ids WHERE id = ? AND u = ?",
			func() string { return filepath.Join(testserver.TempDir(t), "ids.db") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			db, err := sql.Open(c.driver, c.dsn())
			require.NoError(t, err)
			defer db.Close()
			_, err = db.Exec(fmt.Sprintf("CREATE TABLE ids (id BIGINT PRIMARY KEY, u %s NOT NULL, maybe BIGINT)", c.uuid))
			require.NoError(t, err)
			ids := []OrderID{0, 1, 538815673191686144, 538815673191686145, 1<<63 - 1}
			for _, id := range slices.Backward(ids) {
				_, err = db.Exec(c.insert, id, typeid.UUID[Order]{ID: id}, sql.Null[OrderID]{V: id, Valid: id != 0})
				require.NoError(t, err)
			}
			for _, want := range ids {
				var id OrderID
				var u typeid.UUID[Order]
				var maybe sql.Null[OrderID]
				require.NoError(t, db.QueryRow(c.query, want, typeid.UUID[Order]{ID: want}).Scan(&id, &u, &maybe))
				assert.Equal(t, want, id)
				assert.Equal(t, want, u.ID)
				assert.Equal(t, sql.Null[OrderID]{V: want, Valid: want != 0}, maybe)
			}
			var sorted []OrderID
			for _, text := range texts(t, db, "SELECT u FROM ids ORDER BY u") {
				var u typeid.UUID[Order]
				require.NoError(t, u.Scan(text))
				sorted = append(sorted, u.ID)
				if u.ID == 538815673191686144 {
					page, err := os.ReadFile(filepath.Join(root, "docs", "shown-ids.md"))
					require.NoError(t, err)
					assert.Contains(t, string(page), "`"+text+"`", "what is stored")
				}
			}
			assert.Equal(t, ids, sorted, "UUIDs are in the order of the ids")
		})
	}
}

// texts are a column as the database writes it.
func texts(t *testing.T, db *sql.DB, query string) (all []string) {
	t.Helper()
	rows, err := db.Query(query)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var s string
		require.NoError(t, rows.Scan(&s))
		all = append(all, s)
	}
	require.NoError(t, rows.Err())
	return all
}

func TestColumnsOfSixteenBytes(t *testing.T) {
	for driver, column := range map[string]string{"mysql": "BINARY(16)", "sqlite": "BLOB"} {
		t.Run(column, func(t *testing.T) {
			dsn := filepath.Join(testserver.TempDir(t), "ids.db")
			if driver == "mysql" {
				dsn = testserver.MariaDB(t, testserver.Durable()).DSN()
			}
			db, err := sql.Open(driver, dsn)
			require.NoError(t, err)
			defer db.Close()
			_, err = db.Exec("CREATE TABLE ids (u " + column + " NOT NULL)")
			require.NoError(t, err)
			id := OrderID(538815673191686144)
			u, err := id.UUID()
			require.NoError(t, err)
			_, err = db.Exec("INSERT INTO ids VALUES (?)", u[:])
			require.NoError(t, err)
			var got typeid.UUID[Order]
			require.NoError(t, db.QueryRow("SELECT u FROM ids WHERE u = ?", u[:]).Scan(&got))
			assert.Equal(t, id, got.ID)
		})
	}
}
