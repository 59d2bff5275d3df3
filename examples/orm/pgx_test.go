package orm

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/opaque"
	"github.com/ringuid/ringuid/typeid"
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

// In these modes pgx asks the server for no types, and knows only what it is told.
func TestSlicesOfIDsInTheModesForPgBouncer(t *testing.T) {
	page, err := os.ReadFile("../../docs/guide.md")
	require.NoError(t, err)
	require.Contains(t, string(page), "`conn.TypeMap().RegisterDefaultPgType([]uid.ID{}, \"_int8\")`")
	dsn := postgres(t)
	plain, err := opaque.ID{Number: 5}.UUID()
	require.NoError(t, err)
	one := uid.ID(5)
	for name, mode := range map[string]pgx.QueryExecMode{
		"exec": pgx.QueryExecModeExec, "simple_protocol": pgx.QueryExecModeSimpleProtocol,
	} {
		config, err := pgxpool.ParseConfig(dsn)
		require.NoError(t, err)
		config.ConnConfig.DefaultQueryExecMode = mode
		without, err := pgxpool.NewWithConfig(t.Context(), config)
		require.NoError(t, err)
		defer without.Close()
		config = config.Copy()
		config.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
			conn.TypeMap().RegisterDefaultPgType([]uid.ID{}, "_int8")
			conn.TypeMap().RegisterDefaultPgType([]*uid.ID{}, "_int8")
			conn.TypeMap().RegisterDefaultPgType([]typeid.ID[staff]{}, "_int8")
			conn.TypeMap().RegisterDefaultPgType([]typeid.UUID[staff]{}, "_uuid")
			conn.TypeMap().RegisterDefaultPgType([]opaque.UUID{}, "_uuid")
			return nil
		}
		with, err := pgxpool.NewWithConfig(t.Context(), config)
		require.NoError(t, err)
		defer with.Close()
		for _, c := range []struct {
			column string
			ids    any
		}{
			{"5::bigint", []uid.ID{4, one}},
			{"5::bigint", []*uid.ID{&one, nil}},
			{"5::bigint", []typeid.ID[staff]{4, 5}},
			{"'" + plain.String() + "'::uuid", []typeid.UUID[staff]{{ID: 4}, {ID: 5}}},
			{"'" + plain.String() + "'::uuid", []opaque.UUID{{}, plain}},
		} {
			t.Run(fmt.Sprintf("%s %T", name, c.ids), func(t *testing.T) {
				ask := "SELECT COUNT(*) FROM (SELECT " + c.column + " AS id) AS rows WHERE id = ANY"
				require.Error(t, without.QueryRow(t.Context(), ask+"($1)", c.ids).Scan(new(int)),
					"then nobody needs the line")
				var n int
				require.NoError(t, with.QueryRow(t.Context(), ask+"($1)", c.ids).Scan(&n))
				assert.Equal(t, 1, n)

				var batch pgx.Batch
				batch.Queue(ask+"($1)", c.ids)
				batch.Queue(ask+"(@ids)", pgx.NamedArgs{"ids": c.ids})
				results := with.SendBatch(t.Context(), &batch)
				defer results.Close()
				for range batch.Len() {
					require.NoError(t, results.QueryRow().Scan(&n))
					assert.Equal(t, 1, n)
				}
			})
		}
	}
}
