package sqlstore

import (
	"context"
	"database/sql"
	_ "embed"
)

// dialect is what one database does in its own way.
type dialect struct {
	name   string
	schema string
	insert string // takes host name, port, type, launch date
	list   string // takes a limit
	space  string // the record of worker ids that namespaces have; takes a fingerprint
	spaces string // creates what it is in
	add    func(ctx context.Context, a *access, insert string, args ...any) (key int64, err error)
	keep   func(ctx context.Context, s *Store) error // makes what add needs beside the table
	fit    func(ctx context.Context, s *Store) error // an error when a crash may lose a row
	leases func() leaseDialect
}

//go:embed schema/mysql.sql
var mysqlSchema string

//go:embed schema/space.mysql.sql
var mysqlSpaceSchema string

//go:embed schema/postgres.sql
var postgresSchema string

//go:embed schema/space.postgres.sql
var postgresSpaceSchema string

//go:embed schema/sqlite.sql
var sqliteSchema string

//go:embed schema/space.sqlite.sql
var sqliteSpaceSchema string

var mysql = dialect{
	name:   "MySQL",
	schema: mysqlSchema,
	insert: `INSERT INTO WORKER_NODE (HOST_NAME, PORT, TYPE, LAUNCH_DATE, MODIFIED, CREATED)
VALUES (?, ?, ?, ?, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP)`,
	list: `SELECT ID, HOST_NAME, PORT, TYPE, DATE_FORMAT(LAUNCH_DATE, '%Y-%m-%d'),
    CAST(UNIX_TIMESTAMP(MODIFIED) AS SIGNED), CAST(UNIX_TIMESTAMP(CREATED) AS SIGNED)
FROM WORKER_NODE ORDER BY ID DESC LIMIT ?`,
	space:  `SELECT record FROM uid_space WHERE fingerprint = ?`,
	spaces: mysqlSpaceSchema,
	add:    addToMySQL,
	keep:   keepHighest,
	fit:    fitMySQL,
	leases: mysqlLeases,
}

var postgres = dialect{
	name:   "PostgreSQL",
	schema: postgresSchema,
	insert: `INSERT INTO WORKER_NODE (HOST_NAME, PORT, TYPE, LAUNCH_DATE, MODIFIED, CREATED)
SELECT $1, $2, $3::INT, $4::DATE, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP WHERE ` + postgresDurably + ` RETURNING ID`,
	list: `SELECT ID, HOST_NAME, PORT, TYPE, TO_CHAR(LAUNCH_DATE, 'YYYY-MM-DD'),
    FLOOR(EXTRACT(EPOCH FROM MODIFIED))::BIGINT, FLOOR(EXTRACT(EPOCH FROM CREATED))::BIGINT
FROM WORKER_NODE ORDER BY ID DESC LIMIT $1`,
	space:  `SELECT record FROM uid_space WHERE fingerprint = $1`,
	spaces: postgresSpaceSchema,
	add:    alone(addReturning),
	keep:   keepNothing,
	fit:    fitAsLeases,
	leases: postgresLeases,
}

// sqlite adds nothing to a table without AUTOINCREMENT. Such a table works, and
// gives the id of a deleted newest row again.
var sqlite = dialect{
	name:   "SQLite",
	schema: sqliteSchema,
	insert: `INSERT INTO WORKER_NODE (HOST_NAME, PORT, TYPE, LAUNCH_DATE, MODIFIED, CREATED)
SELECT ?, ?, ?, ?, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP
WHERE EXISTS (SELECT 1 FROM sqlite_master
    WHERE name = 'WORKER_NODE' COLLATE NOCASE AND sql LIKE '%AUTOINCREMENT%')
RETURNING ID`,
	list: `SELECT ID, HOST_NAME, PORT, TYPE, DATE(LAUNCH_DATE),
    CAST(STRFTIME('%s', MODIFIED) AS INTEGER), CAST(STRFTIME('%s', CREATED) AS INTEGER)
FROM WORKER_NODE ORDER BY ID DESC LIMIT ?`,
	space:  `SELECT record FROM uid_space WHERE fingerprint = ?`,
	spaces: sqliteSpaceSchema,
	add:    alone(addReturning),
	keep:   keepNothing,
	fit:    fitAsLeases,
	leases: sqliteLeases,
}

// adder adds a row and returns its key.
type adder func(ctx context.Context, h handle, insert string, args ...any) (key int64, err error)

// alone is the way to add a row by a statement that commits itself.
func alone(add adder) func(ctx context.Context, a *access, insert string, args ...any) (int64,
	error) {
	return func(ctx context.Context, a *access, insert string, args ...any) (key int64, err error) {
		err = a.writing(ctx, func(ctx context.Context, h handle) (err error) {
			key, err = add(ctx, h, insert, args...)
			return err
		})
		return key, err
	}
}

// fitAsLeases refuses what leases are refused.
func fitAsLeases(ctx context.Context, s *Store) error {
	_, err := s.check(ctx, s.recycled)
	return err
}

func keepNothing(context.Context, *Store) error { return nil }

// addReturning takes the key from the row that the INSERT returns. That row
// comes before the commit, which may still fail: the answer counts when it has
// been read to its end, and on a file when the transaction was committed. No row at all is the key
// 0.
func addReturning(ctx context.Context, h handle, insert string, args ...any) (int64, error) {
	rows, err := h.QueryContext(ctx, insert, args...)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	var key sql.NullInt64
	for rows.Next() {
		if err := rows.Scan(&key); err != nil {
			return 0, err
		}
	}
	if err := rows.Err(); err != nil {
		return 0, err
	}
	return key.Int64, rows.Close()
}
