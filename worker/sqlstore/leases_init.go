package sqlstore

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ringuid/ringuid/worker/internal/namespaces"
	"github.com/ringuid/ringuid/worker/store"
)

// Init creates the tables if they are missing, reserves the worker ids, and creates the
// namespace with all its rows in one transaction. Any number of processes may do this at
// once.
//
// Its error also wraps store.ErrOverlap for worker ids that are keys of WORKER_NODE.
func (l *Leases) Init(ctx context.Context, n store.Namespace, o store.InitOptions) error {
	if err := n.Validate(); err != nil {
		return err
	}
	if err := l.createTables(ctx); err != nil {
		return l.wrap("creating the tables", err)
	}
	if err := store.Init(ctx, l.Catalog(), n, o); err != nil {
		return l.wrap("making a namespace", err)
	}
	return nil
}

func (l *Leases) createTables(ctx context.Context) error {
	if err := l.ready(ctx, l); err != nil {
		return err
	}
	return l.execAll(ctx, l.schema)
}

// Catalog is what Init creates namespaces with, for tests that do something between its
// steps.
func (l *Leases) Catalog() store.Catalog { return catalog{l} }

// catalog is the store.Catalog of Leases.
type catalog struct{ *Leases }

func (c catalog) Clock(ctx context.Context) (time.Time, bool, error) {
	var now int64
	err := c.ask(ctx, &now, c.now)
	return time.UnixMilli(now), true, err
}

func (c catalog) Namespace(ctx context.Context, name string) (n store.Namespace, err error) {
	err = c.reading(ctx, func(ctx context.Context, h handle) error {
		v, err := c.look(ctx, h, name, 1, 0)
		n = v.Namespace
		return err
	})
	return n, err
}

func (c catalog) Namespaces(ctx context.Context) (all []store.Namespace, err error) {
	var names []string
	err = c.reading(ctx, func(ctx context.Context, h handle) (err error) {
		names, err = texts(ctx, h, `SELECT ns FROM uid_ns`)
		return err
	})
	for _, name := range names {
		var n store.Namespace
		if n, err = c.Namespace(ctx, name); err != nil {
			break
		}
		if n.Name != "" {
			all = append(all, n)
		}
	}
	return all, err
}

// texts reads a column.
func texts(ctx context.Context, h handle, query string, args ...any) (all []string, err error) {
	rows, err := h.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return all, rows.Err()
}

func (c catalog) Space(ctx context.Context, fingerprint string) (text string, err error) {
	err = c.ask(ctx, &text, c.bind(`SELECT record FROM uid_space WHERE fingerprint = ?`), fingerprint)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return text, err
}

func (c catalog) ReplaceSpace(ctx context.Context, fingerprint, old, text string) (bool, error) {
	if old != "" {
		return c.change(ctx, "writing the record of worker ids", "",
			c.bind(`UPDATE uid_space SET record = ? WHERE fingerprint = ? AND record = ?`), text,
			fingerprint, old)
	}
	added, err := c.change(ctx, "writing the record of worker ids", "",
		c.bind(`INSERT INTO uid_space (record, fingerprint) VALUES (?, ?)`), text, fingerprint)
	if err != nil && c.bears(err, c.taken) {
		return false, nil
	}
	return added, err
}

func (c catalog) HighestKey(ctx context.Context) (highest int64, err error) {
	err = c.ask(ctx, &highest, `SELECT COALESCE(MAX(ID), 0) FROM WORKER_NODE`)
	if err != nil && c.bears(err, c.noTable) {
		err = nil
	}
	return highest, err
}

// ask reads one value.
func (c catalog) ask(ctx context.Context, to any, query string, args ...any) error {
	return c.reading(ctx, func(ctx context.Context,
		h handle) error {
		return h.QueryRowContext(ctx, query, args...).Scan(to)
	})
}

func (c catalog) Make(ctx context.Context, n, have store.Namespace, space string,
	floor func(time.Time) int64) (made bool, err error) {
	err = c.transaction(ctx, func(ctx context.Context, h handle) (err error) {
		made, err = c.make(ctx, h, n, have, space, floor)
		return err
	})
	if err != nil && (c.bears(err, c.taken) || c.bears(err, c.undone)) {
		return false, nil // somebody was faster
	}
	return made, err
}

// make makes what is missing, in a transaction.
func (c catalog) make(ctx context.Context, h handle, n, have store.Namespace, space string,
	floor func(time.Time) int64) (bool, error) {
	var text string
	err := h.QueryRowContext(ctx,
		c.bind(`SELECT record FROM uid_space WHERE fingerprint = ?`)+c.forUpdate,
		n.Fingerprint).Scan(&text)
	switch {
	case err != nil && !errors.Is(err, sql.ErrNoRows):
		return false, err
	case text != space:
		return false, nil
	}
	var is store.Namespace
	err = h.QueryRowContext(ctx,
		c.bind(`SELECT first_worker, last_worker, epoch, floor_tick FROM uid_ns WHERE ns = ?`)+c.forUpdate, n.Name).
		Scan(&is.First, &is.Last, &is.Epoch, &is.Floor)
	switch there := err == nil; {
	case err != nil && !errors.Is(err, sql.ErrNoRows):
		return false, err
	case there != (have.Name != ""), is.First != have.First, is.Last != have.Last,
		is.Epoch != have.Epoch, is.Floor != have.Floor:
		return false, nil
	}
	highs, err := c.highs(ctx, h, n)
	if err != nil || have.Has(n.First) && have.Has(n.Last) && int64(len(highs)) == n.Last-n.First+1 {
		return err == nil, err // nothing is missing
	}
	var now int64
	if err := h.QueryRowContext(ctx, c.now).Scan(&now); err != nil {
		return false, err
	}
	begin := max(floor(time.UnixMilli(now)), have.Floor)
	for id, high := range highs {
		if begin, err = namespaces.Above(begin, n, have, id, high, time.UnixMilli(now)); err != nil {
			return false, err
		}
	}
	if err := c.addRows(ctx, h, n, highs, begin-1, now); err != nil {
		return false, err
	}
	counted, err := namespaces.Counted(space)
	if err != nil {
		return false, err
	}
	if _, err := h.ExecContext(ctx, c.bind(`UPDATE uid_space SET record = ? WHERE fingerprint = ?`),
		counted, n.Fingerprint); err != nil {
		return false, err
	}
	err = c.settle(ctx, h, n, have, begin)
	return err == nil, err
}

// settle adds the namespace, or gives it more worker ids.
func (c catalog) settle(ctx context.Context, h handle, n, have store.Namespace, floor int64) error {
	var err error
	switch {
	case have.Name == "":
		_, err = h.ExecContext(ctx, c.found, n.Name, n.Fingerprint, n.Unit.Milliseconds(), n.First,
			n.Last, n.Window, floor, n.Seal())
	case n.First != have.First || n.Last != have.Last:
		_, err = h.ExecContext(ctx,
			c.bind(`UPDATE uid_ns SET first_worker = ?, last_worker = ?, seal = ? WHERE ns = ?`), n.First,
			n.Last, n.Seal(), n.Name)
	}
	return err
}

// highs are those of the rows of n that are there.
func (c catalog) highs(ctx context.Context, h handle, n store.Namespace) (map[int64]int64, error) {
	rows, err := h.QueryContext(ctx,
		c.bind(`SELECT worker_id, high_tick FROM uid_worker WHERE ns = ? AND worker_id BETWEEN ? AND ?`),
		n.Name, n.First, n.Last)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	highs := map[int64]int64{}
	for rows.Next() {
		var id, high int64
		if err := rows.Scan(&id, &high); err != nil {
			return nil, err
		}
		highs[id] = high
	}
	return highs, rows.Err()
}

// addRows adds free rows for the worker ids of n that have none.
func (c catalog) addRows(ctx context.Context, h handle, n store.Namespace, there map[int64]int64,
	high, now int64) error {
	const batch = 500 // far below every server's limit of arguments
	var args []any
	rows := 0
	for id := n.First; id <= n.Last; id++ {
		if _, ok := there[id]; !ok {
			var nonce store.Nonce
			rand.Read(nonce[:])
			args = append(args, n.Name, id, nonce[:], high, now, now)
			rows++
		}
		if rows == batch || id == n.Last && rows > 0 {
			values := strings.Repeat(", (?, ?, ?, FALSE, ?, ?, ?, '')", rows)[2:]
			if _, err := h.ExecContext(ctx, c.bind(`INSERT INTO uid_worker
(ns, worker_id, nonce, held, high_tick, expires_ms, renewed_ms, owner) VALUES `+values), args...); err != nil {
				return fmt.Errorf("rows up to %d: %w", id, err)
			}
			args, rows = nil, 0
		}
	}
	return nil
}
