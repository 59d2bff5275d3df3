package sqlstore

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
)

//go:embed schema/key.mysql.sql
var mysqlKeySchema string

// addToMySQL adds a row by one statement that commits itself, so that starts do
// not wait for each other; but on a server that forgets its counter it compares
// the key with the highest there was, in one transaction with its row.
func addToMySQL(ctx context.Context, a *access, insert string, args ...any) (int64, error) {
	v, err := versionOf(ctx, a.db)
	switch {
	case err != nil:
		return 0, err
	case v.forgets():
		return addAbove(ctx, a, v, insert, args...)
	}
	return addByLastInsertID(ctx, a.db, insert, args...)
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

// addAbove adds a row whose key must be above all that there ever were. Who has
// locked the highest is alone, so keys also grow in the order of their commits.
func addAbove(ctx context.Context, a *access, v mysqlVersion, insert string,
	args ...any) (key int64, err error) {
	err = a.transaction(ctx, func(ctx context.Context, h handle) (err error) {
		key, err = addIn(ctx, h, v, insert, args...)
		return err
	})
	return key, err
}

// addIn is addAbove in its transaction.
func addIn(ctx context.Context, h handle, v mysqlVersion, insert string, args ...any) (key int64,
	err error) {
	var highest int64
	err = h.QueryRowContext(ctx, `SELECT highest FROM uid_key WHERE one = 1 FOR UPDATE`).Scan(&highest)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return 0, unfit("uid_key is empty, where the highest key ever given out should be: " +
			"INSERT INTO uid_key VALUES (1, N), with N at least the highest worker id that any process " +
			"ever had")
	case err != nil:
		return 0, fmt.Errorf("MySQL %s forgets its counter at a restart, so uid_key is needed: %w",
			v.text, err)
	}
	if key, err = addByLastInsertID(ctx, h, insert, args...); err != nil {
		return 0, err
	}
	if 0 < key && key <= highest {
		return 0, unfit(
			"the new row's key is %d, and %d was given out before: the newest rows were deleted, and "+
				"MySQL %s continues from the highest row that is left after a restart: ALTER TABLE "+
				"WORKER_NODE AUTO_INCREMENT = %d, "+
				"and do not delete rows", key, highest, v.text, highest+1)
	}
	_, err = h.ExecContext(ctx, `UPDATE uid_key SET highest = ? WHERE one = 1`, key)
	return key, err
}

// keepHighest makes uid_key where a server needs it.
func keepHighest(ctx context.Context, s *Store) error {
	v, err := versionOf(ctx, s.db)
	if err != nil || !v.forgets() {
		return err
	}
	return s.execAll(ctx, mysqlKeySchema)
}
