package integration

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

// A dump is loaded into the server that runs: it drops the tables, makes them, and adds the older
// rows, the head among them, whose server is the same.
func TestDumpLoadedUnderHolders(t *testing.T) {
	forEachServer(t, among, func(t *testing.T, e env) {
		play := leasetest.Rewind{Keep: e.dump, Crash: 2, CutOff: 1,
			Open: func() store.Store { return e.again().Store }}
		assert.Zero(t, play.Play(t))
	})
}

// dump keeps the tables of leases as a dump does.
func (e env) dump() (load func()) {
	made := time.Now().Unix()
	var adds []string
	var values [][]any
	for _, table := range []string{"uid_lease", "uid_lease_head"} {
		rows, err := e.db.QueryContext(e.t.Context(), "SELECT * FROM "+table)
		require.NoError(e.t, err)
		names, err := rows.Columns()
		require.NoError(e.t, err)
		for rows.Next() {
			row := make([]any, len(names))
			into := make([]any, len(names))
			marks := slices.Repeat([]string{"?"}, len(names))
			for i := range row {
				into[i] = &row[i]
				if e.driver == "pgx" {
					marks[i] = fmt.Sprint("$", i+1)
				}
			}
			require.NoError(e.t, rows.Scan(into...))
			adds = append(adds, "INSERT INTO "+table+" VALUES ("+strings.Join(marks, ", ")+")")
			values = append(values, row)
		}
		require.NoError(e.t, rows.Err())
	}
	return func() {
		leasetest.Until(e.t, "MySQL and MariaDB name tables by the second", func() error {
			if time.Now().Unix() == made {
				return errors.New("it is the same")
			}
			return nil
		})
		e.exec("DROP TABLE uid_lease", "DROP TABLE uid_lease_head")
		require.NoError(e.t, e.CreateTable(e.t.Context()))
		for i, add := range adds {
			_, err := e.db.ExecContext(e.t.Context(), add, values[i]...)
			require.NoError(e.t, err)
		}
	}
}
