package integration

import (
	"math"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

var grants = regexp.MustCompile(`GRANT [A-Z, ]+ ON [\w, ]+ TO app`)

// documented types the GRANTs of a page from one text on to another, for the stranger.
func (e env) documented(page, from, to string) {
	e.t.Helper()
	t := e.t
	text, err := os.ReadFile("../../../docs/" + page)
	require.NoError(t, err)
	_, after, found := strings.Cut(string(text), from)
	require.True(t, found, from)
	part, _, found := strings.Cut(after, to)
	require.True(t, found, to)
	statements := grants.FindAllString(part, -1)
	require.NotEmpty(t, statements)
	for _, s := range statements {
		e.exec(strings.TrimSuffix(s, "app") + "u" + e.database())
	}
}

// leases takes a worker id and gives it back.
func leases(t *testing.T, e env) error {
	l, err := worker.Leased(e.Store, claims(2, 2)).Assign(t.Context(), need)
	if err != nil {
		return err
	}
	renews(t, l)
	return l.Release(t.Context(), math.MinInt64)
}

// What stores.md says is typed in an empty database, and is enough for Leased.
func TestTheRightsOfThePage(t *testing.T) {
	forEachServer(t, among, func(t *testing.T, e env) {
		user := e.stranger()
		from, to := "-- MySQL and MariaDB", "-- PostgreSQL"
		if e.driver == "pgx" {
			from, to = "-- PostgreSQL, after", "-- only if the table"
			err := leases(t, user)
			require.ErrorIs(t, err, worker.ErrNoTables)
			_, statements, _ := strings.Cut(err.Error(), "Somebody else has to:\n")
			for statement := range strings.SplitSeq(strings.TrimSpace(statements), ";\n") {
				e.exec(strings.TrimSuffix(statement, ";"))
			}
			require.NoError(t, leases(t, user.again()), "the error has all that is needed")
		} else {
			require.ErrorIs(t, leases(t, user), worker.ErrDenied)
		}
		e.documented("stores.md", from, to)
		require.NoError(t, leases(t, user.again()))

		// Then somebody uses Disposable there, too.
		e.inited()
		if e.driver == "pgx" {
			err := leases(t, user)
			require.ErrorIs(t, err, worker.ErrDenied)
			assert.ErrorContains(t, err, "WORKER_NODE and its sequence")
			e.documented("stores.md", "-- only if the table", "```\n")
		}
		require.NoError(t, leases(t, user.again()))
	})
}

// The same for Disposable, in a database with Baidu's table alone. No start that is refused uses up
// a key.
func TestTheRightsOfThePageForDisposable(t *testing.T) {
	forEachServer(t, among, func(t *testing.T, e env) {
		e.exec(strings.SplitN(e.Schema(), ";\n", 2)[0])
		user := e.stranger()
		const alone = "`worker.Disposable` alone needs"
		e.documented("stores.md", alone, ", and to see")
		starts := func(want error, c uid.CachedConfig) {
			t.Helper()
			gen, err := uid.NewCached(t.Context(), worker.Disposable(user.again().Store), c)
			require.ErrorIs(t, err, want)
			if err == nil {
				require.NoError(t, gen.Close())
			}
		}
		if e.driver == "pgx" {
			starts(nil, uid.CachedConfig{}) // there is no uid_lease
			require.NoError(t, e.leased().Delete(t.Context(), ""))
			starts(worker.ErrDenied, uid.CachedConfig{})
			e.documented("stores.md", "even without such a table; in", "if there is one.")
		} else {
			starts(worker.ErrDenied, uid.CachedConfig{})
			_, err := worker.Disposable(worker.AllowUnfenced(user.Store)).Assign(t.Context(), needOfTests)
			require.ErrorIs(t, err, worker.ErrDenied)
			e.documented("stores.md", "in MySQL and MariaDB", "even without")
			starts(nil, uid.CachedConfig{})
		}
		future := uid.DefaultLayout()
		future.Epoch = time.Now().Add(24 * time.Hour)
		starts(uid.ErrLayout, uid.CachedConfig{Layout: future})
		starts(uid.ErrTimeOver, uid.CachedConfig{Layout: uid.BaiduLayout()})
		keys, err := e.Nodes(t.Context(), 0)
		require.NoError(t, err)
		assert.Len(t, keys, 1)
		starts(nil, uid.CachedConfig{})
		keys, err = e.Nodes(t.Context(), 1)
		require.NoError(t, err)
		assert.Equal(t, int64(2), keys[0].ID, "a key was used up")
	})
}
