package orm

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
)

type event struct {
	ID    uid.ID
	Cause *uid.ID // nil is NULL
	Kind  string
}

// copyEvents stores any number of events by COPY.
func copyEvents(ctx context.Context, pool *pgxpool.Pool, events []event) error {
	_, err := pool.CopyFrom(ctx, pgx.Identifier{"events"}, []string{"id", "cause", "kind"},
		pgx.CopyFromSlice(len(events), func(i int) ([]any, error) {
			return []any{events[i].ID, events[i].Cause, events[i].Kind}, nil
		}))
	return err
}

// eventsOf returns the events with some ids, the oldest first.
func eventsOf(ctx context.Context, pool *pgxpool.Pool, ids []uid.ID) ([]event, error) {
	rows, err := pool.Query(ctx,
		"SELECT id, cause, kind FROM events WHERE id = ANY($1) ORDER BY id", ids)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[event])
}

func TestAKeyWithPgx(t *testing.T) {
	pool, err := pgxpool.New(t.Context(), postgres(t))
	require.NoError(t, err)
	defer pool.Close()
	_, err = pool.Exec(t.Context(),
		"CREATE TABLE events (id BIGINT PRIMARY KEY, cause BIGINT, kind TEXT NOT NULL)")
	require.NoError(t, err)
	ids, err := newIDs(t).AppendUIDs(nil, 3)
	require.NoError(t, err)
	events := []event{{ids[0], nil, "ordered"}, {ids[1], &ids[0], "paid"}, {ids[2], nil, "seen"}}
	require.NoError(t, copyEvents(t.Context(), pool, events))
	stored, err := eventsOf(t.Context(), pool, ids[:2])
	require.NoError(t, err)
	assert.Equal(t, events[:2], stored)
}
