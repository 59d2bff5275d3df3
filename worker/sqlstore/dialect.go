package sqlstore

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"
)

// dialect is what one database does in its own way.
type dialect struct {
	name   string
	schema string
	insert string // takes host name, port, type, launch date
	list   string // takes a limit
	add    func(ctx context.Context, h handle, insert string, args ...any) (key int64, err error)
	leases func() leaseDialect
}

//go:embed schema/mysql.sql
var mysqlSchema string

//go:embed schema/postgres.sql
var postgresSchema string

//go:embed schema/sqlite.sql
var sqliteSchema string

var mysql = dialect{
	name:   "MySQL",
	schema: mysqlSchema,
	insert: `INSERT INTO WORKER_NODE (HOST_NAME, PORT, TYPE, LAUNCH_DATE, MODIFIED, CREATED)
VALUES (?, ?, ?, ?, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP)`,
	list: `SELECT ID, HOST_NAME, PORT, TYPE, DATE_FORMAT(LAUNCH_DATE, '%Y-%m-%d'),
    CAST(UNIX_TIMESTAMP(MODIFIED) AS SIGNED), CAST(UNIX_TIMESTAMP(CREATED) AS SIGNED)
FROM WORKER_NODE ORDER BY ID DESC LIMIT ?`,
	add:    addByLastInsertID,
	leases: mysqlLeases,
}

var postgres = dialect{
	name:   "PostgreSQL",
	schema: postgresSchema,
	insert: `INSERT INTO WORKER_NODE (HOST_NAME, PORT, TYPE, LAUNCH_DATE, MODIFIED, CREATED)
VALUES ($1, $2, $3, $4, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP) RETURNING ID`,
	list: `SELECT ID, HOST_NAME, PORT, TYPE, TO_CHAR(LAUNCH_DATE, 'YYYY-MM-DD'),
    FLOOR(EXTRACT(EPOCH FROM MODIFIED))::BIGINT, FLOOR(EXTRACT(EPOCH FROM CREATED))::BIGINT
FROM WORKER_NODE ORDER BY ID DESC LIMIT $1`,
	add:    addReturning,
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
	add:    addReturning,
	leases: sqliteLeases,
}

// addByLastInsertID takes the key from the answer to the INSERT. Asking with
// SELECT LAST_INSERT_ID() might ask another connection of the pool, which knows
// of nothing: baidu/uid-generator issue 46 gave every process the worker id 0.
func addByLastInsertID(ctx context.Context, h handle, insert string, args ...any) (int64, error) {
	result, err := h.ExecContext(ctx, insert, args...)
	if err != nil {
		return 0, err
	}
	key, err := result.LastInsertId()
	if err != nil {
		return 0, fmt.Errorf("the driver lost the generated key: %w", err)
	}
	return key, nil
}

// addReturning takes the key from the row that the INSERT returns. That row
// comes before the commit, which may still fail: the answer counts when it has
// been read to its end, and on a file when the transaction was committed. No row at all is the key 0.
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
