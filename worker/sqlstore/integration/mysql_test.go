package integration

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
)

// works grants a lease, and registers, beside Java.
func (e env) works(t *testing.T) {
	t.Helper()
	l := e.leased()
	lease := assign(t, l)
	_, before := lease.Grant()
	require.Eventually(t, func() bool {
		_, hi := lease.Grant()
		lease.Want(hi + 1)
		return hi > before
	}, time.Minute, 5*time.Millisecond)
	require.NoError(t, lease.Release(t.Context(), before))
	require.NoError(t, l.Delete(t.Context(), pool.Layout))
	e.leased()
	require.NoError(t, l.Delete(t.Context(), ""))
	v, err := l.View(t.Context(), pool, 0, 3)
	require.NoError(t, err)
	assert.Empty(t, v.Rows)
	e.inited()
	first := e.must("a")
	e.insertLikeJava("java")
	assert.Greater(t, e.must("b"), first)
}

// Settings that people have, for all sessions of a server or for ours.
func TestMySQLSettings(t *testing.T) {
	t.Parallel()
	e := durable(t, "MySQL")
	for _, set := range []string{
		"sql_mode = ''",
		"sql_mode = 'TRADITIONAL,ANSI,NO_BACKSLASH_ESCAPES,PAD_CHAR_TO_FULL_LENGTH,HIGH_NOT_PRECEDENCE'",
		"sql_require_primary_key = ON",
		"auto_increment_increment = 7",
		"explicit_defaults_for_timestamp = OFF",
		"explicit_defaults_for_timestamp = ON",
		"time_zone = '-11:00'",
		"time_zone = '+14:00'",
		"sql_safe_updates = ON",
		"sql_generate_invisible_primary_key = ON",
		"transaction_isolation = 'SERIALIZABLE'",
		"collation_server = utf8mb4_tr_0900_as_cs",
	} {
		t.Run(set, func(t *testing.T) {
			name, value, _ := strings.Cut(set, " = ")
			e.exec("SET GLOBAL " + set)
			e.again().fresh(t).works(t)
			e.exec("SET GLOBAL " + name + " = DEFAULT")
			open(t, e.driver, e.dsn+"?"+name+"="+url.QueryEscape(value), e.server).fresh(t).works(t)
		})
	}
}

// Baidu's table, on servers that give a TIMESTAMP a default by themselves, as all before
// MySQL 8.0 do, and on those that do not.
func TestMySQLTableOfJava(t *testing.T) {
	t.Parallel()
	server := among(t, "MySQL")
	for _, explicit := range []string{"0", "1"} {
		t.Run("explicit_defaults_for_timestamp="+explicit, func(t *testing.T) {
			e := server.fresh(t)
			e.db.SetMaxOpenConns(1) // what is set is its connection's
			e.exec("SET explicit_defaults_for_timestamp = "+explicit, "SET sql_mode = ''", tableOfJava)
			e.insertLikeJava("java")
			require.NoError(t, e.CreateTable(t.Context()))
			assert.Equal(t, int64(2), e.must("go"))
			e.insertLikeJava("java")
			assert.Equal(t, int64(4), e.again().must("go"))
			rows, err := e.Nodes(t.Context(), 0)
			require.NoError(t, err)
			require.Len(t, rows, 4)
			for _, r := range rows {
				assert.WithinDuration(t, time.Now(), r.Created, time.Minute)
			}
		})
	}
}

// tableOfJava has the columns that the Java library's script gives it: no TIMESTAMP has
// a default.
const tableOfJava = `CREATE TABLE WORKER_NODE (ID BIGINT NOT NULL AUTO_INCREMENT, HOST_NAME VARCHAR(64) NOT NULL,
PORT VARCHAR(64) NOT NULL, TYPE INT NOT NULL, LAUNCH_DATE DATE NOT NULL,
MODIFIED TIMESTAMP NOT NULL, CREATED TIMESTAMP NOT NULL, PRIMARY KEY (ID)) ENGINE = INNODB`

// A server without such a key refuses, and the error says what helps.
func TestMySQLWithoutAPublicKey(t *testing.T) {
	t.Parallel()
	e := alone(t, "MySQL", testserver.Args("--caching-sha2-password-public-key-path=none.pem",
		"--caching-sha2-password-private-key-path=none.pem",
		"--caching-sha2-password-auto-generate-rsa-keys=OFF")).inited()
	e.exec("CREATE USER uid IDENTIFIED WITH caching_sha2_password BY '"+password+"'",
		"GRANT SELECT, INSERT ON *.* TO uid")
	user := e.at("root@", "uid:"+password+"@")
	_, err := user.Register(t.Context(), node("a"), needOfTests.MaxID)
	require.ErrorContains(t, err, "caching_sha2_password")
	assert.ErrorContains(t, err, "connect with TLS")
	assert.NotContains(t, err.Error(), password)
	_, err = user.Store.View(t.Context(), pool, 0, 3)
	require.ErrorContains(t, err, "connect with TLS")

	secure := user.at("/test", "/test?tls=skip-verify")
	_, err = secure.Register(t.Context(), node("a"), needOfTests.MaxID)
	require.NoError(t, err)
	_, err = user.Register(t.Context(), node("a"), needOfTests.MaxID)
	require.NoError(t, err, "the server remembers whom it has let in, so the next one needs no key")
}

// Who has no right but on the tables sees that a server has changed its role and is
// another incarnation since; of its group he sees no more.
func TestMySQLRoleIsSeenWithoutRights(t *testing.T) {
	t.Parallel()
	e := durable(t, "MySQL")
	e.leased()
	e.inited()
	user := e.lessee()
	_, err := user.number(
		"SELECT COUNT(VIEW_ID) FROM performance_schema.replication_group_member_stats")
	require.ErrorContains(t, err, "1142", "the group's view id needs a right")

	first := user.incarnation(t)
	_, w := row(t, user.Store)
	e.exec("SET GLOBAL super_read_only = ON", "SET GLOBAL read_only = OFF")
	second := user.incarnation(t)
	assert.NotEqual(t, first, second)
	assert.Equal(t, second, user.at("/test", "/test?time_zone='-11:00'").incarnation(t))
	applied, err := user.Store.Write(t.Context(), w)
	require.NoError(t, err)
	assert.False(t, applied, "nothing is granted in an old epoch")

	lease := assign(t, user.Store)
	v, err := user.Store.View(t.Context(), pool, 2, 2)
	require.NoError(t, err)
	assert.Equal(t, second, v.Epoch)
	lo, _ := lease.Grant()
	assert.GreaterOrEqual(t, lo, v.Floor)
}
