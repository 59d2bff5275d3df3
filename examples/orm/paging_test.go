package orm

import (
	"context"
	"database/sql"
	"os"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
)

const (
	selectVisits = `SELECT id FROM visits WHERE id >= $1 AND id < $2 ORDER BY id;`
	selectPage   = `SELECT id FROM visits WHERE id > $1 ORDER BY id LIMIT $2;`
)

// visitsBetween returns the visits from one time until before another, by the key alone.
func visitsBetween(
	ctx context.Context, db *sql.DB, l uid.Layout, from, to time.Time,
) ([]uid.ID, error) {
	first, err := l.MinID(from)
	if err != nil {
		return nil, err
	}
	end, err := l.MinID(to)
	if err != nil {
		return nil, err
	}
	return idsOf(db.QueryContext(ctx, selectVisits, first, end))
}

// nextPage returns the visits after the last one of the page before, the oldest first. The
// first page is after 0.
func nextPage(ctx context.Context, db *sql.DB, after uid.ID, size int) ([]uid.ID, error) {
	return idsOf(db.QueryContext(ctx, selectPage, after, size))
}

func idsOf(rows *sql.Rows, err error) (ids []uid.ID, _ error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id uid.ID
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

func TestRowsOfATimeAndPages(t *testing.T) {
	db, l := openDB(t, "pgx", postgres(t)), uid.SnowflakeLayout()
	page, err := os.ReadFile("../../docs/which-id.md")
	require.NoError(t, err)
	for _, s := range []string{selectVisits, selectPage} {
		assert.Contains(t, string(page), "\n"+s+"\n")
	}
	_, err = db.Exec("CREATE TABLE visits (id BIGINT PRIMARY KEY)")
	require.NoError(t, err)

	// Around midnight, with the smallest and the largest id of a millisecond.
	december := time.Date(2026, time.December, 1, 0, 0, 0, 0, time.UTC)
	last, err := l.MaxID(december.Add(-time.Millisecond))
	require.NoError(t, err)
	first, err := l.MinID(december)
	require.NoError(t, err)
	require.Equal(t, last+1, first)
	all := []uid.ID{last - 1, last, first, first + 1}
	for _, id := range all {
		_, err := db.Exec("INSERT INTO visits (id) VALUES ($1)", id)
		require.NoError(t, err)
	}
	got, err := visitsBetween(t.Context(), db, l, december.AddDate(0, -1, 0), december)
	require.NoError(t, err)
	assert.Equal(t, all[:2], got)

	var pages [][]uid.ID
	for after := uid.ID(0); ; {
		page, err := nextPage(t.Context(), db, after, 3)
		require.NoError(t, err)
		if len(page) == 0 {
			break
		}
		pages, after = append(pages, page), page[len(page)-1]
	}
	assert.Equal(t, [][]uid.ID{all[:3], all[3:]}, pages)
}
