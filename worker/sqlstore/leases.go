package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ringuid/ringuid/worker/internal/rollback"
	"github.com/ringuid/ringuid/worker/store"
)

// Leases are worker ids that are recycled: the tables uid_ns and uid_worker in a
// database. It is a store.Store. Its methods may be called from any goroutine.
type Leases struct {
	*access
	leaseDialect
	file   file
	memory rollback.Memory
}

// Leases is the part of the Store for recycled worker ids alone, each time a new one,
// which remembers by itself what the store has shown it.
func (s *Store) Leases() *Leases { return &Leases{access: s.access, leaseDialect: s.leases()} }

// Schema returns the statements of Init, each ended by a semicolon.
func (l *Leases) Schema() string { return l.schema }

// View reads in one statement, so that everything it shows is from one moment.
func (l *Leases) View(ctx context.Context, namespace string, first, last int64) (store.View,
	error) {
	var v store.View
	var alarm error
	err := l.reading(ctx, func(ctx context.Context, h handle) (err error) {
		if err = l.watch(ctx, h, l); err != nil {
			return err
		}
		before := l.memory.Of(namespace)
		if _, alarm = l.remember(ctx, h, namespace, before); alarm != nil &&
			!errors.Is(alarm, store.ErrRolledBack) {
			return alarm
		}
		if v, err = l.look(ctx, h, namespace, first, last); alarm != nil {
			v.Floor = before.Raise(v.Namespace)
		}
		return err
	})
	switch {
	case err != nil:
		return store.View{}, l.wrap("reading worker ids", err)
	case v.Name == "":
		return store.View{}, fmt.Errorf(
			"sqlstore: reading worker ids in %s: %w: %q is not in uid_ns: make it with `uidbench worker "+
				"init --namespace %s` or worker.MakeNamespace",
			l.name, store.ErrNoNamespace, namespace, namespace)
	}
	if alarm != nil {
		return v, l.wrap("reading worker ids", alarm)
	}
	return v, nil
}

// remember compares what the store counts with a mark from before. An error that wraps
// store.ErrRolledBack says that it went back in time.
func (l *Leases) remember(ctx context.Context, h handle, namespace string,
	before rollback.Mark) (is rollback.Mark, err error) {
	if l.count == "" {
		return is, nil
	}
	var n store.Namespace
	var count, unit int64
	err = h.QueryRowContext(ctx, l.count, namespace).Scan(&count, &n.Floor, &unit)
	if errors.Is(err, sql.ErrNoRows) {
		return is, nil // what comes next says that there is no namespace
	}
	if err != nil {
		return is, err
	}
	n.Unit = time.Duration(unit) * time.Millisecond
	is = rollback.At(count, n)
	return is, l.memory.Note(namespace, before, is)
}

// look returns a view without a name when the namespace is not there.
func (l *Leases) look(ctx context.Context, h handle, namespace string, first,
	last int64) (v store.View, err error) {
	rows, err := h.QueryContext(ctx, l.view, first, last, namespace)
	if err != nil {
		return v, err
	}
	defer rows.Close()
	for rows.Next() {
		v.Name = namespace
		r, err := scanLease(rows, &v)
		if err != nil {
			return v, err
		}
		if r != nil {
			v.Rows = append(v.Rows, *r)
		}
	}
	return v, rows.Err()
}

// scanLease reads the namespace into v, and the worker id's row if there is one.
func scanLease(rows *sql.Rows, v *store.View) (*store.Row, error) {
	var (
		unit, now                   int64
		id, high, expires, renewed  sql.NullInt64
		held                        sql.NullBool
		nonce                       []byte
		fingerprint, server, byWhom sql.NullString
		seal                        string
	)
	err := rows.Scan(&fingerprint, &unit, &v.First, &v.Last, &v.Window, &v.Epoch, &v.Floor, &seal,
		&server, &now,
		&id, &nonce, &held, &high, &expires, &renewed, &byWhom)
	if err != nil {
		return nil, err
	}
	if !server.Valid {
		return nil, fmt.Errorf("%w: the server does not say when it was started", store.ErrStore)
	}
	v.Fingerprint, v.Unit = fingerprint.String, time.Duration(unit)*time.Millisecond
	v.Server, v.Now = server.String, time.UnixMilli(now).UTC()
	if err := v.Validate(); err != nil {
		return nil, fmt.Errorf("%w: the row of %q in uid_ns was edited: %w", store.ErrStore, v.Name, err)
	}
	if err := v.CheckSeal(seal); err != nil {
		return nil, err
	}
	if !id.Valid {
		return nil, nil
	}
	r := store.Row{
		Worker: id.Int64, Held: held.Bool, High: high.Int64, Owner: byWhom.String,
		Expires: time.UnixMilli(expires.Int64).UTC(), Renewed: time.UnixMilli(renewed.Int64).UTC(),
	}
	if copy(r.Nonce[:], nonce) != len(r.Nonce) {
		return nil, fmt.Errorf("%w: the nonce of worker id %d was edited: it has %d bytes",
			store.ErrStore, r.Worker, len(nonce))
	}
	return &r, nil
}

// Write is one statement, committed by itself, that evaluates every condition with the
// server's own clock and incarnation. It is sent again only if the first was certainly
// refused, because a SQLite file was locked.
func (l *Leases) Write(ctx context.Context, w store.Write) (applied bool, err error) {
	ttl := w.TTL.Milliseconds()
	if w.Release {
		ttl = 0
	}
	expect := [2][]byte{w.Expect[0][:], w.Expect[len(w.Expect)-1][:]}
	return l.change(ctx, "writing a worker id", w.Namespace, l.write,
		w.Nonce[:], !w.Release, w.High, w.Release, w.High, ttl, legible(w.Owner),
		w.Namespace, w.Worker, expect[0], expect[1], w.Acquire,
		w.Fingerprint, w.Epoch, w.Floor, w.Release, w.High)
}

// Raise is one statement like Write.
func (l *Leases) Raise(ctx context.Context, r store.Raise) (applied bool, err error) {
	return l.change(ctx, "raising the floor", r.Namespace, l.raise, r.Margin, r.Namespace, r.Epoch,
		r.Floor)
}

// Quarantine raises the floor, and never lowers it. A store that went back in time serves
// again once the floor is higher than it was before.
func (l *Leases) Quarantine(ctx context.Context, namespace string, floor int64) error {
	if _, err := l.View(ctx, namespace, 1, 0); err != nil && !errors.Is(err, store.ErrRolledBack) {
		return err
	}
	_, err := l.change(ctx, "raising the floor", "", l.quarantine, floor, namespace)
	return err
}

// change says whether a statement changed a row. A transaction that the server
// broke off to let another pass has changed nothing, and that is certain. Nothing is
// changed in a namespace that went back in time, if one is named.
func (l *Leases) change(ctx context.Context, doing, namespace, statement string, args ...any) (bool,
	error) {
	var changed int64
	var counted rollback.Mark
	err := l.access.writing(ctx, func(ctx context.Context, h handle) error {
		if err := l.watch(ctx, h, l); err != nil {
			return err
		}
		if namespace != "" {
			var err error
			if counted, err = l.remember(ctx, h, namespace, l.memory.Of(namespace)); err != nil {
				return err
			}
		}
		result, err := h.ExecContext(ctx, statement, args...)
		if err != nil {
			return err
		}
		changed, err = result.RowsAffected()
		return err
	})
	if err == nil && changed > 0 && l.count != "" && statement == l.write {
		counted.Count++ // this one, at least; not each change of a namespace counts
		err = l.memory.Note(namespace, counted, counted)
	}
	switch {
	case err == nil:
		return changed > 0, nil
	case l.bears(err, l.undone):
		return false, nil
	}
	return false, l.wrap(doing, err)
}

// legible is what every database takes as text.
func legible(owner string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(owner, "?"), "\x00", "?")
}
