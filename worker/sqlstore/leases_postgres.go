package sqlstore

import (
	_ "embed"
	"fmt"
)

//go:embed schema/leases.postgres.sql
var postgresLeaseSchema string

// postgresNow is the server's clock in milliseconds, in any time zone.
const postgresNow = `FLOOR(EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::BIGINT`

// postgresServer names a server by the microsecond of its start. A primary becomes a
// standby only by a restart, so each time that it is the primary has its own name. The
// timeline counts promotions, and everybody may read it. But it is not used: until the first
// checkpoint pg_control_checkpoint shows the old one, and pg_current_wal_lsn, which shows
// the new one, is an error on Amazon Aurora, which would end all writes there.
const postgresServer = `to_char(pg_postmaster_start_time() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`

// postgresDurably is true, and has the transaction wait at its end for the disk and for
// synchronous standbys, whatever the session says. Behind a pooler the session may be one
// where somebody else has set synchronous_commit off. What was committed before, also by
// others, is as durable then.
const postgresDurably = `set_config('synchronous_commit', 'on', TRUE) = 'on'`

func postgresLeases() leaseDialect {
	return leaseDialect{
		name:   "PostgreSQL",
		schema: postgresLeaseSchema + "\n" + postgresSpaceSchema,
		arg:    func(i int) string { return fmt.Sprintf("$%d", i) },
		// A commit whose wait for a synchronous standby is broken off, as when its
		// client gave up, is seen by everybody though the standby may not have it.
		// A view would tell its writer that it was applied. So a view waits too: it
		// locks, which is a write of its own, behind all that it shows.
		view: `SELECT n.fingerprint, n.unit_ms, n.first_worker, n.last_worker, n.window_ticks, n.epoch, n.floor_tick, n.seal,
    ` + postgresServer + `, ` + postgresNow + `,
    w.worker_id, w.nonce, w.held, w.high_tick, w.expires_ms, w.renewed_ms, w.owner
FROM uid_ns n LEFT JOIN uid_worker w ON w.ns = n.ns AND w.worker_id BETWEEN $1 AND $2
    AND w.worker_id BETWEEN n.first_worker AND n.last_worker
WHERE n.ns = $3 AND CASE WHEN current_setting('synchronous_standby_names') = '' THEN TRUE
    ELSE (SELECT ` + postgresDurably + ` FROM uid_ns WHERE ns = $3 FOR KEY SHARE) END
ORDER BY w.worker_id`,
		// A statement that waits for another's row looks at that row again, but at
		// no other: the namespace's would be the one of before. FOR SHARE keeps it
		// as it is until the commit.
		write: `WITH n AS (SELECT * FROM uid_ns WHERE ns = $8 FOR SHARE)
UPDATE uid_worker w
SET nonce = $1, held = $2, high_tick = GREATEST($3::BIGINT, CASE WHEN $4 THEN $5::BIGINT ELSE w.high_tick END),
    expires_ms = ` + postgresNow + ` + $6::BIGINT, renewed_ms = ` + postgresNow + `, owner = $7
FROM n WHERE w.ns = n.ns AND w.worker_id = $9 AND w.nonce IN ($10, $11)
    AND w.worker_id BETWEEN n.first_worker AND n.last_worker
    AND (NOT $12 OR NOT w.held OR w.expires_ms <= ` + postgresNow + `)
    AND n.fingerprint = $13 AND n.epoch = $14 AND n.epoch = ` + postgresServer + ` AND n.floor_tick = $15
    AND ($16 OR $17 <= ` + postgresNow + ` / n.unit_ms + n.window_ticks)
    AND ` + postgresDurably,
		raise: `UPDATE uid_ns SET epoch = ` + postgresServer + `,
    floor_tick = GREATEST(floor_tick, ` + postgresNow + ` / unit_ms + window_ticks + $1)
WHERE ns = $2 AND epoch = $3 AND floor_tick = $4 AND epoch <> ` + postgresServer + ` AND ` + postgresDurably,
		quarantine: `UPDATE uid_ns SET floor_tick = GREATEST(floor_tick, $1) WHERE ns = $2 AND ` + postgresDurably,
		found: `INSERT INTO uid_ns
    (ns, fingerprint, unit_ms, first_worker, last_worker, window_ticks, floor_tick, seal, epoch)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, ` + postgresServer + `)`,
		now:       `SELECT ` + postgresNow,
		forUpdate: " FOR UPDATE",
		taken:     []string{"23505"},
		undone:    []string{"40P01", "40001", "55P03"}, // deadlock, serialization, lock timeout
		check:     checkPostgres,
		ready:     readyAlways,
		watch:     watchNothing,
	}
}
