package integration

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/child"
	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/sqlstore"
)

// behind is the database behind a PgBouncer that gives a connection of the server to a client for a
// transaction, or a statement, and passes on what the client prepares. more is of the database and,
// after a line break, of PgBouncer.
func (e env) behind(t *testing.T, mode string, more ...any) env {
	const bin, setting = "/usr/sbin/pgbouncer", "max_prepared_statements"
	program, err := os.ReadFile(bin)
	if err != nil {
		testserver.Missing(t, "PgBouncer", "apt-get install pgbouncer")
	}
	_, port, err := net.SplitHostPort(e.server.Addr())
	require.NoError(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	addr := l.Addr().(*net.TCPAddr)
	require.NoError(t, l.Close())
	forget := ""
	if bytes.Contains(program, []byte(setting)) { // else it always does
		forget = setting + " = 0\n"
	}
	database, settings, _ := strings.Cut(fmt.Sprint(more...), "\n")
	ini := filepath.Join(testserver.TempDir(t), "ini")
	require.NoError(t, os.Chmod(filepath.Dir(ini), 0o755))
	require.NoError(t, os.WriteFile(ini, fmt.Appendf(nil, `[databases]
* = host=127.0.0.1 port=%s user=postgres %s
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %d
unix_socket_dir =
auth_type = any
pool_mode = %s
%s%s`, port, database, addr.Port, mode, forget, settings), 0o644))
	cmd := exec.Command(bin, ini)
	if os.Geteuid() == 0 {
		cmd = exec.Command(bin, "-u", "nobody", ini)
	}
	cmd.Stderr = t.Output()
	p, err := child.Start(cmd)
	require.NoError(t, err)
	t.Cleanup(p.Kill)
	require.Eventually(t, func() bool {
		c, err := net.Dial("tcp", addr.String())
		if err == nil {
			c.Close()
		}
		return err == nil
	}, time.Minute, 5*time.Millisecond)
	return e.at(e.server.Addr(), addr.String())
}

// Behind such a pooler, statements are prepared already that another process prepared, or are not
// there. A start that meets one fails at once, and what its error says helps.
func TestStartsBehindAPooler(t *testing.T) {
	t.Parallel()
	e := among(t, "PostgreSQL")
	for _, mode := range []string{"transaction", "statement"} {
		far := e.fresh(t).behind(t, mode)
		start := func(dsn string) error {
			driver, dsn, _ := strings.Cut(dsn, " ")
			db, err := sqlstore.Open(driver, dsn)
			require.NoError(t, err)
			defer db.Close()
			l, err := worker.Leased(db, claims(1, 1)).Assign(t.Context(), need)
			if err == nil {
				err = l.Release(t.Context(), math.MinInt64)
			}
			return err
		}
		err := start("postgres " + far.dsn + "&extra_float_digits=2") // which lib/pq 1.10 sends by itself
		require.ErrorIs(t, err, worker.ErrStore, mode)
		assert.ErrorContains(t, err, "ignore_startup_parameters")
		err = nil
		for range 10 { // the first one prepares them
			err = cmp.Or(err, start("pgx "+far.dsn))
		}
		require.ErrorIs(t, err, worker.ErrStore, mode)
		assert.ErrorContains(t, err, "max_prepared_statements")
		assert.NotContains(t, err.Error(), "gave up")
		for range 3 {
			require.NoError(t, start("pgx "+far.dsn+"&default_query_exec_mode=exec"), mode)
		}
	}
}

// A pooler sets the search_path of each session, as track_extra_parameters has PgBouncer do from
// PostgreSQL 18 on: what the error says to type helps.
func TestAPoolerThatSetsTheSearchPath(t *testing.T) {
	t.Parallel()
	e := among(t, "PostgreSQL").inited()
	sets := "connect_query='SET search_path = public'"
	mode := "&default_query_exec_mode=exec"
	far := e.behind(t, "transaction", sets)
	_, err := open(t, far.driver, far.dsn+mode, far.server).Check(t.Context())
	require.ErrorIs(t, err, worker.ErrStore)
	_, do, _ := strings.Cut(err.Error(), "behind a pooler, type ")
	do, _, restart := strings.Cut(do, ", and restart the pooler")
	require.True(t, restart, err)
	e.exec(strings.NewReplacer("NAME", "postgres IN DATABASE "+e.database(),
		"SCHEMA", "public").Replace(do))
	far = e.behind(t, "transaction", sets)
	_, err = open(t, far.driver, far.dsn+mode, far.server).Check(t.Context())
	assert.NoError(t, err)
}

// A client left a session of the server, which the pooler would give to others for ever.
func TestSessionsOfAPoolerThatWereLeft(t *testing.T) {
	t.Parallel()
	e := among(t, "PostgreSQL").inited()
	e.leased()
	there, far := e.elsewhere(t), e.behind(t, "transaction")
	far = open(t, far.driver, far.dsn+"&default_query_exec_mode=exec", far.server)
	e.written(far.Store)
	other := far.again()
	for _, state := range []string{"SET search_path = {elsewhere}", "SET ROLE {role}",
		"SET default_transaction_read_only = on"} {
		other.exec(there.Replace(state))
		before := far.Discarded()
		e.written(far.Store)
		assert.Greater(t, far.Discarded(), before, state)
		drain(t, other.db)
	}
}
