package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

// Somebody drops one of the two tables: those who hold a worker id go on, and others may start.
func TestOneTableIsDropped(t *testing.T) {
	forEachDialect(t, func(t *testing.T, e env) {
		h := leasetest.Start(t, e.Store, 2)
		h.Join(e.again().Store)
		for _, table := range []string{"uid_lease", "uid_lease_head"} {
			e.exec("DROP TABLE " + table)
			if table == "uid_lease_head" { // rows that exist are enough
				h.ExistingOnly = true
			}
			next := h.Join(e.again().Store)
			h.GoOn(table + " was dropped")
			require.NoError(t, next.Close())
		}
		assert.Zero(t, h.Duplicates())
	})
}

// Whoever holds a row reads that row alone, until it is not as it was written. Everybody else
// also sees other layouts, and the keys.
func TestAHolderReadsItsRow(t *testing.T) {
	forEachDialect(t, func(t *testing.T, e env) {
		e.inited().must("a")
		leasetest.Make(t, e.Store)
		other := store.Pool{Layout: "another", Unit: time.Second}
		require.NoError(t, e.Store.Create(t.Context(), other, []int64{1}, leasetest.Nonce()))
		sees := func(s store.Store, last int64, others int) {
			t.Helper()
			v, err := s.View(t.Context(), pool, 2, last)
			require.NoError(t, err)
			assert.Len(t, v.Rows, int(last)-1)
			assert.Len(t, v.Others, others)
			assert.Equal(t, int64(others), v.Keys)
			assert.NotZero(t, v.Head)
		}
		sees(e.Store, 2, 1)
		_, w := row(t, e.Store)
		leasetest.Write(t, e.Store, w)
		sees(e.Store, 2, 0)
		sees(e.Store, 3, 1)
		sees(e.again().Store, 2, 1)

		_, by := row(t, e.Store)
		leasetest.Write(t, e.again().Store, by)
		sees(e.Store, 2, 1)
		_, w = row(t, e.Store)
		leasetest.Write(t, e.Store, w)
		sees(e.Store, 2, 0)
		_, w = row(t, e.Store)
		w.Release = true
		leasetest.Write(t, e.Store, w)
		sees(e.Store, 2, 1)
	})
}

// The server's incarnation is computed once for a view, and not for each row of it.
func TestAViewComputesTheIncarnationOnce(t *testing.T) {
	t.Parallel()
	const rows = 1000
	for _, name := range []string{"MariaDB", "MySQL"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := among(t, name)
			e.db.SetMaxOpenConns(1) // whose status it is
			read := func() (n int64) {
				var name string
				require.NoError(t, e.db.QueryRow("SHOW SESSION STATUS LIKE 'Handler_read_rnd_next'").
					Scan(&name, &n))
				return n
			}
			cost := func() int64 {
				before := read()
				_, err := e.Store.View(t.Context(), pool, 0, rows)
				require.NoError(t, err)
				return read() - before
			}
			var all []int64
			for id := range int64(rows) {
				all = append(all, id)
			}
			require.NoError(t, e.Store.Create(t.Context(), pool, all[:1], leasetest.Nonce()))
			one := cost()
			require.NoError(t, e.Store.Create(t.Context(), pool, all, leasetest.Nonce()))
			full := cost()
			t.Logf("rows read for a view of one row: %d, of %d rows: %d", one, rows, full)
			assert.Less(t, full-one, int64(4*rows), "MariaDB reads an answer three times")
		})
	}
}
