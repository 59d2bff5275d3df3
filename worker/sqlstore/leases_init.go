package sqlstore

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/ringuid/ringuid/worker"
)

// Init creates the tables where there are none, and the namespace with all its
// rows in one transaction. Any number of processes may do this at once.
//
// It wraps worker.ErrClaim for a namespace that is not valid, and
// worker.ErrNamespace for one that is there with other settings.
func (l *Leases) Init(ctx context.Context, n worker.Namespace, o worker.InitOptions) error {
	if err := n.Validate(); err != nil {
		return err
	}
	if err := l.createTables(ctx); err != nil {
		return l.wrap("creating the tables", err)
	}
	have, err := l.look(ctx, n.Name, 1, 0)
	if err == nil && have.Name == "" {
		err = l.patiently(ctx, func() error { return l.create(ctx, n, o) })
		if err != nil && l.bears(err, l.taken) {
			have, err = l.look(ctx, n.Name, 1, 0) // somebody was faster
		}
	}
	switch {
	case err != nil:
		return l.wrap("making a namespace", err)
	case have.Name != "":
		return n.Same(have.Namespace)
	}
	return nil
}

func (l *Leases) createTables(ctx context.Context) error {
	for _, statement := range strings.SplitAfter(l.schema, ";\n") {
		if strings.TrimSpace(statement) == "" {
			continue
		}
		create := func() error {
			_, err := l.db.ExecContext(ctx, strings.TrimRight(statement, ";\n"))
			return err
		}
		err := l.patiently(ctx, create)
		if err != nil && l.bears(err, l.exists) {
			err = create()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// create makes the namespace and its rows, all or nothing.
func (l *Leases) create(ctx context.Context, n worker.Namespace, o worker.InitOptions) error {
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()                                   // does nothing after Commit
	ahead := worker.InitialFloor(n, o, time.UnixMilli(0)) // of the server's now
	unit := n.Unit.Milliseconds()
	_, err = tx.ExecContext(ctx, l.found, n.Name, n.Fingerprint, unit, n.First, n.Last, n.Window, unit, ahead)
	if err != nil {
		return err
	}
	var floor, now int64
	if err := tx.QueryRowContext(ctx, l.floor, n.Name).Scan(&floor, &now); err != nil {
		return err
	}
	const batch = 500 // far below every server's limit of arguments
	for first := n.First; first <= n.Last; first += batch {
		last := min(n.Last, first+batch-1)
		if err := l.addRows(ctx, tx, n.Name, first, last, floor-1, now); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// addRows adds free rows for the worker ids from first to last.
func (l *Leases) addRows(ctx context.Context, tx *sql.Tx, namespace string, first, last, high, now int64) error {
	const columns = 6
	var values strings.Builder
	var args []any
	for id := first; id <= last; id++ {
		var nonce worker.Nonce
		rand.Read(nonce[:])
		args = append(args, namespace, id, nonce[:], high, now, now)
		if id > first {
			values.WriteString(", ")
		}
		at := len(args) - columns
		fmt.Fprintf(&values, "(%s, %s, %s, FALSE, %s, %s, %s, '')", l.arg(at+1), l.arg(at+2), l.arg(at+3), l.arg(at+4), l.arg(at+5), l.arg(at+6))
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO uid_worker
(ns, worker_id, nonce, held, high_tick, expires_ms, renewed_ms, owner) VALUES `+values.String(), args...)
	return err
}
