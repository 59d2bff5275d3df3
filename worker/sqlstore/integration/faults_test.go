package integration

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/sqlstore"
	"github.com/ringuid/ringuid/worker/store"
)

func testNoTable(t *testing.T, e env) {
	_, err := e.Register(t.Context(), node("a"), needOfTests)
	require.ErrorIs(t, err, store.ErrNotMade)
	assert.ErrorContains(t, err, "uidbench worker init")
	assert.ErrorContains(t, err, products[e.driver])
}

func testNoDatabase(t *testing.T, e env) {
	far := e.at("/t", "/nowhere")
	_, err := far.Register(t.Context(), node("a"), needOfTests)
	_, raised := far.Raise(t.Context(), store.Raise{Pool: pool})
	for what, err := range map[string]error{
		"Register": err, "CreateTable": far.CreateTable(t.Context()),
		"Raise": raised,
	} {
		require.Error(t, err, what)
		assert.ErrorIs(t, err, store.ErrNotMade, what)
		assert.ErrorContains(t, err, "nowhere")
		assert.ErrorContains(t, err, "create the database")
		assert.NotContains(t, err.Error(), "worker init", what)
	}
}

// A DSN may name no database at all.
func TestMySQLWithoutADatabase(t *testing.T) {
	t.Parallel()
	err := onMariaDB(t).at("/test", "/").CreateTable(t.Context())
	require.ErrorIs(t, err, store.ErrNotMade)
	assert.ErrorContains(t, err, "create the database")
}

func testOtherColumns(t *testing.T, e env) {
	e.exec(`CREATE TABLE WORKER_NODE (` + countingKey[e.driver] + `, NAME VARCHAR(64))`)
	e.refusesShape()
}

func testColumnMore(t *testing.T, e env) {
	e.exec(tableWithKey(countingKey[e.driver] + `, REGION VARCHAR(64) NOT NULL`))
	e.refusesShape()
}

func testKeyThatDoesNotCount(t *testing.T, e env) {
	for _, key := range []string{`ID BIGINT PRIMARY KEY`, `ID BIGINT NOT NULL`} {
		e.exec(`DROP TABLE IF EXISTS WORKER_NODE`, tableWithKey(key))
		e.again().refusesShape()
	}
}

// The first of these keys is NULL, where it may be. SQLite's second one is what
// everybody writes who does not know AUTOINCREMENT, and comes back.
func testKeyThatComesBack(t *testing.T, e env) {
	for _, key := range []string{`ID BIGINT`, `ID INTEGER PRIMARY KEY`} {
		e.exec(`DROP TABLE IF EXISTS WORKER_NODE`, tableWithKey(key))
		e.again().refusesShape()
	}
}

func testInitFindsShape(t *testing.T, e env) {
	e.exec(`CREATE TABLE WORKER_NODE (ID INTEGER PRIMARY KEY)`)
	require.ErrorIs(t, e.CreateTable(t.Context()), store.ErrStore)
}

var countingKey = map[string]string{
	"mysql":  `ID BIGINT AUTO_INCREMENT PRIMARY KEY`,
	"pgx":    `ID BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY`,
	"sqlite": `ID INTEGER PRIMARY KEY AUTOINCREMENT`,
}

// tableWithKey is right but for what the key says.
func tableWithKey(key string) string {
	return `CREATE TABLE WORKER_NODE (` + key + `, HOST_NAME VARCHAR(64), PORT VARCHAR(64),
TYPE INT, LAUNCH_DATE DATE, MODIFIED TIMESTAMP, CREATED TIMESTAMP)`
}

func (e env) refusesShape() {
	e.t.Helper()
	id, err := e.Register(e.t.Context(), node("a"), needOfTests)
	assert.Zero(e.t, id)
	require.ErrorIs(e.t, err, store.ErrStore)
	assert.ErrorContains(e.t, err, "Schema")
}

const password = "open-sesame"

// everyRight is what a process needs that registers.
const everyRight = "SELECT, INSERT"

// stranger is the same database for a new user with the given grant at most.
func (e env) stranger(grant string) env {
	admin, name := "root@", "u"+e.database()
	create := `CREATE USER ` + name + ` IDENTIFIED BY '` + password + `'`
	rights := []string{`GRANT USAGE ON ` + e.database() + `.* TO ` + name}
	if e.driver == "pgx" {
		admin, rights = "postgres@", nil
		create = strings.Replace(create, "IDENTIFIED BY", "PASSWORD", 1)
	}
	if grant != "" {
		rights = append(rights, `GRANT `+grant+` ON WORKER_NODE TO `+name)
	}
	if grant == everyRight {
		rights = append(rights, `GRANT SELECT ON uid_lease TO `+name)
	}
	e.exec(append([]string{create}, rights...)...)
	return e.at(admin, name+":"+password+"@")
}

func testWrongPassword(t *testing.T, e env) {
	const wrong = "close-sesame"
	stranger := e.inited().stranger("").at(password, wrong)
	_, err := stranger.Register(t.Context(), node("a"), needOfTests)
	require.ErrorIs(t, err, sqlstore.ErrDenied)
	assert.ErrorContains(t, err, "u"+e.database(), "who is refused")
	assert.ErrorContains(t, err, "check user and password")
	assert.NotContains(t, err.Error(), wrong)
}

func TestGarbledName(t *testing.T) {
	for _, dsn := range []string{
		"postgres://uid:" + password + "@127.0.0.1:port/uid",
		"host=127.0.0.1 port=port user=uid password=" + password,
	} {
		_, err := open(t, "pgx", dsn, nil).Register(t.Context(), node("a"), needOfTests)
		require.Error(t, err)
		assert.NotContains(t, err.Error(), password)
	}
}

func testUserWithoutRights(t *testing.T, e env) {
	e = e.inited().stranger("SELECT")
	_, err := e.Register(t.Context(), node("a"), needOfTests)
	require.ErrorIs(t, err, sqlstore.ErrDenied)
	assert.ErrorContains(t, err, "INSERT")
	assert.NotContains(t, err.Error(), password)
}

// Who cannot see which worker ids are leased must not guess.
func testUserWithoutPools(t *testing.T, e env) {
	e = e.inited().stranger("INSERT, SELECT")
	_, err := e.Register(t.Context(), node("a"), needOfTests)
	require.ErrorIs(t, err, sqlstore.ErrDenied)
	assert.ErrorContains(t, err, "SELECT on uid_lease")
}

func testUserWithRights(t *testing.T, e env) {
	e = e.inited().stranger(everyRight)
	assert.Equal(t, int64(1), e.must("a"))
}

func TestFileThatCannotBeOpened(t *testing.T) {
	e := open(t, "sqlite", sqlstore.SQLiteDSN(t.TempDir()+"/no/such/folder/w.db"), nil)
	_, err := e.Register(t.Context(), node("a"), needOfTests)
	require.ErrorIs(t, err, sqlstore.ErrDenied)
	assert.ErrorContains(t, err, "folder must exist")
}
