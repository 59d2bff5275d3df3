package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/sqlstore"
	"github.com/ringuid/ringuid/worker/store"
)

func testNoTable(t *testing.T, e env) {
	_, err := e.Register(t.Context(), node("a"), needOfTests.MaxID)
	require.ErrorIs(t, err, worker.ErrNoTables)
	assert.ErrorContains(t, err, "ringuid worker init")
	_, err = e.Nodes(t.Context(), 0)
	require.ErrorIs(t, err, worker.ErrNoTables)
}

func testNoDatabase(t *testing.T, e env) {
	far := e.at("/t", "/nowhere")
	_, err := far.Register(t.Context(), node("a"), needOfTests.MaxID)
	_, raised := far.Raise(t.Context(), pool, store.Head{}, 0, time.Second)
	for what, err := range map[string]error{
		"Register": err, "CreateTable": far.CreateTable(t.Context()),
		"Raise": raised,
	} {
		require.Error(t, err, what)
		assert.ErrorIs(t, err, worker.ErrNoTables, what)
		assert.ErrorContains(t, err, "nowhere")
		assert.ErrorContains(t, err, "create the database")
		assert.NotContains(t, err.Error(), "worker init", what)
	}
}

// A DSN may name no database at all.
func TestMySQLWithoutADatabase(t *testing.T) {
	t.Parallel()
	e := among(t, "MariaDB")
	err := e.at("/"+e.database(), "/").CreateTable(t.Context())
	require.ErrorIs(t, err, worker.ErrNoTables)
	assert.ErrorContains(t, err, "create the database")
}

// countingKey is that of the schema.
var countingKey = map[string]string{
	"mysql":  `ID BIGINT AUTO_INCREMENT PRIMARY KEY`,
	"pgx":    `ID BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY`,
	"sqlite": `ID INTEGER PRIMARY KEY AUTOINCREMENT`,
}

func testOtherShapes(t *testing.T, e env) {
	const columns = `, HOST_NAME VARCHAR(64), PORT VARCHAR(64), TYPE INT, LAUNCH_DATE DATE,
MODIFIED TIMESTAMP, CREATED TIMESTAMP`
	for _, shape := range []string{
		countingKey[e.driver] + `, NAME VARCHAR(64)`,
		countingKey[e.driver] + columns + `, REGION VARCHAR(64) NOT NULL`,
		`ID BIGINT PRIMARY KEY` + columns,
		`ID BIGINT NOT NULL` + columns,
		`ID BIGINT` + columns, // NULL
		// In SQLite it counts from what is left: what everybody writes who does not know AUTOINCREMENT.
		`ID INTEGER PRIMARY KEY` + columns,
	} {
		e.exec(`DROP TABLE IF EXISTS WORKER_NODE`, `CREATE TABLE WORKER_NODE (`+shape+`)`)
		id, err := e.again().Register(t.Context(), node("a"), needOfTests.MaxID)
		assert.Zero(t, id)
		require.ErrorIs(t, err, worker.ErrStore, shape)
		assert.ErrorContains(t, err, "Schema")
	}
	e.exec(`DROP TABLE WORKER_NODE`, `CREATE TABLE WORKER_NODE (ID INTEGER PRIMARY KEY)`)
	require.ErrorIs(t, e.CreateTable(t.Context()), worker.ErrStore)
}

const password = "open-sesame"

// stranger is the same database for a new user, who has no rights.
func (e env) stranger() env {
	name := "u" + e.database()
	if e.driver == "pgx" {
		e.exec(`CREATE USER `+name+` PASSWORD '`+password+`'`,
			`REVOKE CREATE ON SCHEMA public FROM PUBLIC`) // who has it before PostgreSQL 15
		return e.at("postgres@", name+":"+password+"@")
	}
	e.exec(`CREATE USER `+name+` IDENTIFIED BY '`+password+`'`,
		`GRANT USAGE ON `+e.database()+`.* TO `+name)
	return e.at("root@", name+":"+password+"@")
}

// grant gives the stranger rights.
func (e env) grant(rights, on string) {
	e.t.Helper()
	e.exec(`GRANT ` + rights + ` ON ` + on + ` TO u` + e.database())
}

// lessee is the same database for a new user who may take leases, and register.
func (e env) lessee() env {
	user := e.stranger()
	e.grant("SELECT, INSERT", "WORKER_NODE")
	e.mayLease()
	return user
}

func (e env) mayLease() {
	e.t.Helper()
	e.grant("SELECT, INSERT, UPDATE, DELETE", "uid_lease")
	e.grant("SELECT, INSERT, UPDATE, DELETE", "uid_lease_head")
	if e.driver == "pgx" {
		e.grant("SELECT", "SEQUENCE worker_node_id_seq")
	}
}

func TestFileThatCannotBeOpened(t *testing.T) {
	e := open(t, "sqlite", sqlstore.SQLiteDSN(t.TempDir()+"/no/such/folder/w.db"), nil)
	_, registering := e.Register(t.Context(), node("a"), needOfTests.MaxID)
	_, viewing := e.View(t.Context(), pool, 0, 3)
	for _, err := range []error{registering, viewing, e.Delete(t.Context(), "")} {
		require.ErrorIs(t, err, worker.ErrDenied)
		assert.ErrorContains(t, err, "folder must exist")
		assert.NotContains(t, err.Error(), "memory")
	}
}
