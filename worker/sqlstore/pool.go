package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/ringuid/ringuid/internal/fingerprint"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// What a view reads, where the tables are there and where they are missing.
const (
	row = `w.layout, w.worker_id, w.unit_ms, w.window_ms, w.nonce, w.held, w.high_tick,
    w.expires_ms, w.renewed_ms, w.owner`
	noHead = `(SELECT NULL AS epoch, NULL AS floor_tick, NULL AS slack_ms) h ON TRUE`
	noRows = `SELECT NULL AS layout, NULL AS worker_id, NULL AS unit_ms, NULL AS window_ms,
    NULL AS nonce, NULL AS held, NULL AS high_tick, NULL AS expires_ms, NULL AS renewed_ms, NULL AS owner`
	ownRows = `SELECT ` + row + ` FROM uid_lease w WHERE w.layout = ? AND w.worker_id BETWEEN ? AND ?`
	allRows = ownRows + ` UNION ALL SELECT ` + row + ` FROM uid_lease w
    JOIN (SELECT layout, MAX(high_tick) AS high FROM uid_lease WHERE layout <> ? GROUP BY layout) g
        ON g.layout = w.layout AND (w.high_tick = g.high OR g.high IS NULL)`
)

// look reads all that a view shows at one moment: the incarnation, the clock, the head, and rows
// of a pool or, if rows is allRows, also those of other pools that were granted furthest ahead.
// The incarnation is computed once, not for each row.
func (s *tables) look(ctx context.Context, c conn, p store.Pool, first, last int64,
	head, rows string) (store.View, error) {
	v := store.View{Pool: p, Clocks: s.clocks, Others: map[store.Pool]store.Row{}}
	var args []any
	if head != noHead {
		args = []any{p.Layout, p.Layout}
	}
	if rows != noRows {
		args = append(args, p.Layout, first, last)
	}
	if rows == allRows {
		args = append(args, p.Layout)
	}
	err := each(ctx, c, `SELECT o.server, `+s.now+`, h.epoch, h.floor_tick, h.slack_ms, `+row+`
FROM (SELECT {server} AS server) o LEFT JOIN `+head+` LEFT JOIN (
    `+rows+`
) w ON TRUE WHERE {sound} ORDER BY w.layout, w.worker_id`, args,
		func(a answers) error { return scanRow(a, &v) })
	if err == nil && v.Now.IsZero() {
		err = errAnother
	}
	return v, err
}

// View reads the key counter after the rows. It reads neither that nor other layouts when it reads
// one row that this process holds: as long as the row exists as this process wrote it, no process
// of another layout has taken a row, since it would have deleted this one first.
func (s *tables) View(ctx context.Context, p store.Pool, first, last int64) (store.View, error) {
	v, err := connected(ctx, s, reading, func(ctx context.Context, c conn) (v store.View, err error) {
		if nonce, held := s.held.Load(rowKey{p.Layout, first}); held && first == last {
			v, err = s.look(ctx, c, p, first, last, s.head, ownRows)
			if err == nil && len(v.Rows) == 1 && v.Rows[0].Nonce == nonce {
				return v, nil
			}
		}
		// Each of the two tables may be missing.
		for _, there := range [][2]string{{s.head, allRows}, {s.head, noRows}, {noHead, allRows},
			{noHead, noRows}} {
			if v, err = s.look(ctx, c, p, first, last, there[0], there[1]); s.fault(err) != noTable {
				break
			}
		}
		if err != nil {
			return v, err
		}
		keys, err := s.keys(ctx, c)
		v.Keys = keys.highest
		if s.fault(err) == noTable {
			return v, nil
		}
		if v.Keys == 0 {
			v.Keys = -1
		}
		return v, err
	})
	if err != nil {
		return store.View{}, s.explain("reading worker ids", err, nothing)
	}
	return v, nil
}

// scanRow reads what every row of a lookup has, and the worker id's row if there is one.
func scanRow(is answers, v *store.View) error {
	var (
		now                           int64
		server, epoch, layout, owner  sql.NullString
		floor, id, unit, window, high sql.NullInt64
		slack, expires, renewed       sql.NullInt64
		held                          sql.NullBool
		nonce                         []byte
	)
	err := is.Scan(&server, &now, &epoch, &floor, &slack,
		&layout, &id, &unit, &window, &nonce, &held, &high, &expires, &renewed, &owner)
	if err != nil {
		return err
	}
	if !server.Valid {
		return unfit("the server does not say when it was started")
	}
	v.Server, v.Now, v.Grain = server.String, time.UnixMilli(now).UTC(), time.Millisecond
	v.Head = store.Head{Epoch: epoch.String, Floor: floor.Int64,
		Slack: time.Duration(slack.Int64) * time.Millisecond}
	if !id.Valid {
		return nil
	}
	r := store.Row{
		Worker: id.Int64, Open: high.Valid, Held: held.Bool, High: high.Int64, Owner: owner.String,
		Expires: instant(expires), Renewed: instant(renewed),
	}
	p := store.Pool{Layout: layout.String, Unit: time.Duration(unit.Int64) * time.Millisecond}
	switch {
	case copy(r.Nonce[:], nonce) != len(r.Nonce):
		v.Unreadable = errors.Join(v.Unreadable, unfit("the nonce of worker id %d of layout %s has %d "+
			"bytes, so somebody edited it", r.Worker, fingerprint.Layout(p.Layout), len(nonce)))
	case p.Unit <= 0 || p.Window()*unit.Int64 != window.Int64 || p.Layout == v.Layout && p != v.Pool:
		v.Unreadable = errors.Join(v.Unreadable, unfit("the row of worker id %d of layout %s has ticks "+
			"of %d ms and a window of %d ms, which are not those of this version", r.Worker,
			fingerprint.Layout(p.Layout), unit.Int64, window.Int64))
	case p == v.Pool:
		v.Rows = append(v.Rows, r)
		return asMade(v)
	default: // one of those that are furthest ahead
		v.Others[p] = r
	}
	return nil
}

// asMade returns an error if v cannot be of tables of Store.Schema. In those that somebody copied
// without their keys, each process that starts makes a row of its own for the same worker id. Where
// high_tick has a default, a new row can be taken below what was granted before. Where it, or
// floor_tick, is an INT, MySQL stores its largest number, unless sql_mode is strict.
func asMade(v *store.View) error {
	cut := func(tick int64) bool {
		return (tick == math.MaxInt32 || tick == math.MaxUint32) && tick < v.TickAt(v.Now)
	}
	last := v.Rows[len(v.Rows)-1]
	why := ""
	switch {
	case len(v.Rows) > 1 && v.Rows[len(v.Rows)-2].Worker == last.Worker:
		why = "comes twice, so uid_lease or uid_lease_head has no primary key"
	case last.Open && last.High == 0 && last.Renewed.IsZero(): // Open sets a later one
		why = "has high_tick 0, and nobody had it, so the column has a default"
	case last.Open && cut(last.High):
		why = fmt.Sprintf("has high_tick %d, so the column is too small", last.High)
	case v.Epoch != "" && cut(v.Floor):
		why = fmt.Sprintf("has a head with floor_tick %d, so that column is too small", v.Floor)
	default:
		return nil
	}
	return unfit("the row of worker id %d of layout %s %s: drop both tables, which is safe at any "+
		"time, and let a start make them, or Store.Schema", last.Worker,
		fingerprint.Layout(v.Layout), why)
}

// instant is the zero time for NULL.
func instant(ms sql.NullInt64) time.Time {
	if !ms.Valid {
		return time.Time{}
	}
	return time.UnixMilli(ms.Int64).UTC()
}

func (s *tables) Now(ctx context.Context) (time.Time, error) {
	now, err := connected(ctx, s, reading, func(ctx context.Context, c conn) (ms int64, err error) {
		err = c.QueryRowContext(ctx, `SELECT `+s.now+` FROM (SELECT 1) o WHERE {sound}`).Scan(&ms)
		return ms, err
	})
	if err != nil {
		return time.Time{}, s.explain("reading the clock", err, nothing)
	}
	return time.UnixMilli(now + 1).UTC(), nil // it was cut to milliseconds
}

// Create sends as few statements as servers' limits on arguments allow.
func (s *tables) Create(ctx context.Context, p store.Pool, workers []int64,
	nonce store.Nonce) error {
	unit := p.Unit.Milliseconds()
	for workers := range slices.Chunk(workers, mostRows) {
		var args []any
		for _, worker := range workers {
			args = append(args, p.Layout, worker, unit, p.Window()*unit, nonce[:])
		}
		_, err := s.making(ctx, `INSERT INTO uid_lease
(layout, worker_id, unit_ms, window_ms, nonce, owner, held) VALUES `+strings.TrimSuffix(
			repeated("(?, ?, ?, ?, ?, '', FALSE)", len(workers)), "FALSE)")+`NOT {sound})`+s.ignore, args...)
		if err != nil {
			return s.explain("creating rows of worker ids", err, unknown)
		}
	}
	return nil
}

// Open names the rows besides their nonce: a row of the same creation that the view did not
// show may have been created later.
func (s *tables) Open(ctx context.Context, p store.Pool, workers []int64,
	created store.Nonce, opened store.Row) error {
	for workers := range slices.Chunk(workers, mostRows) {
		args := []any{opened.Nonce[:], opened.High, p.Layout, created[:]}
		for _, worker := range workers {
			args = append(args, worker)
		}
		_, err := s.surely(ctx, `UPDATE uid_lease SET nonce = ?, high_tick = ?
WHERE layout = ? AND nonce = ? AND high_tick IS NULL AND worker_id IN (`+
			repeated("?", len(workers))+`) AND {sound}`, args...)
		if err != nil && s.fault(err) != noTable {
			return s.explain("opening rows of worker ids", err, unknown)
		}
	}
	return nil
}

// mostRows is how many rows one statement writes: SQLite allows 32766 arguments.
const mostRows = 2000

func repeated(s string, times int) string { return strings.Repeat(", "+s, times)[2:] }

// change returns the statement of a write. The nonce changes with every write, so the rows that
// were changed are the rows that were found.
func (d dialect) change() string {
	return d.update + `
SET nonce = ?, held = ?, high_tick = ` + d.most + `(?, CASE WHEN ? THEN ? ELSE high_tick END),
    expires_ms = ` + d.now + ` + ?, renewed_ms = ` + d.now + `, owner = ? ` + d.from + `
WHERE w.layout = h.layout AND w.worker_id = ? AND w.nonce IN (?, ?)
    AND high_tick IS NOT NULL AND unit_ms = ? AND window_ms = ?
    AND (NOT ? OR NOT held OR expires_ms <= ` + d.now + `)
    AND h.epoch = ? AND h.epoch = {server} AND h.floor_tick = ?
    AND (? OR ? <= ` + d.now + ` ` + d.div + ` unit_ms + ?) AND {sound}`
}

// Write is one statement, committed by itself, that evaluates every condition with the server's
// own clock and incarnation. It is sent again only if the first was certainly refused, because
// a SQLite file was locked. A transaction that the server aborted to let another pass has
// certainly changed nothing.
func (s *tables) Write(ctx context.Context, w store.Write) (applied bool, err error) {
	ttl, unit := w.TTL.Milliseconds(), w.Unit.Milliseconds()
	if w.Release {
		ttl = 0
	}
	applied, err = s.once(ctx, s.change(),
		w.Layout, w.Nonce[:], !w.Release, w.High, w.Release, w.High, ttl, legible(w.Owner), w.Worker,
		w.Expect[0][:], w.Expect[len(w.Expect)-1][:],
		unit, w.Window()*unit, w.Acquire, w.Epoch, w.Floor, w.Release, w.High, w.Window())
	if fault := s.fault(err); fault == undone || fault == noTable {
		return false, nil
	}
	if key := (rowKey{w.Layout, w.Worker}); applied && w.Release {
		s.held.Delete(key)
	} else if applied {
		s.held.Store(key, w.Nonce)
	}
	return applied, s.explain("writing a worker id", err, unknown)
}

func (s *tables) Delete(ctx context.Context, layout string) error {
	which := `layout = ?`
	if layout == "" { // with sql_safe_updates, MySQL requires a condition on a key
		which = `layout >= ?`
	}
	_, err := s.surely(ctx, `DELETE FROM uid_lease WHERE `+which+` AND {sound}`, layout)
	if s.fault(err) == noTable {
		return nil
	}
	return s.explain("deleting rows of worker ids", err, unknown)
}

// Raise is one statement, like Write. It makes the head if there is none.
func (s *tables) Raise(ctx context.Context, p store.Pool, was store.Head, ahead int64,
	slack time.Duration) (applied bool, err error) {
	floor := s.most + `(?, ` + s.now + ` ` + s.div + ` ? + ?)`
	statement := `UPDATE uid_lease_head SET epoch = {server}, floor_tick = ` + floor + `, slack_ms = ?
WHERE layout = ? AND epoch = ? AND floor_tick = ? AND slack_ms = ? AND {sound}`
	args := []any{was.Floor, p.Unit.Milliseconds(), ahead, milliseconds(slack), p.Layout, was.Epoch,
		was.Floor, milliseconds(was.Slack)}
	if was == (store.Head{}) {
		statement = `INSERT INTO uid_lease_head (layout, epoch, slack_ms, floor_tick)
VALUES (?, {server}, ?, ` + floor + ` + CASE WHEN {sound} THEN 0 END)`
		args = []any{p.Layout, milliseconds(slack), was.Floor, p.Unit.Milliseconds(), ahead}
	}
	applied, err = s.making(ctx, statement, args...)
	if fault := s.fault(err); fault == taken || fault == undone {
		return false, nil
	}
	return applied, s.explain("raising the floor", err, unknown)
}

// milliseconds rounds up.
func milliseconds(d time.Duration) int64 {
	return (d + time.Millisecond - 1).Milliseconds()
}

func (s *tables) Forget(ctx context.Context) (forgot bool, err error) {
	forgot, err = s.surely(ctx, `DELETE FROM uid_lease_head WHERE layout >= ? AND {sound}`, "")
	if s.fault(err) == noTable {
		return false, nil
	}
	return forgot, s.explain("deleting heads", err, unknown)
}

// making calls surely and, if tables are missing, creates them and calls it again.
func (s *tables) making(ctx context.Context, statement string, args ...any) (bool, error) {
	changed, err := s.surely(ctx, statement, args...)
	if s.fault(err) != noTable {
		return changed, err
	}
	err = s.execAll(ctx, s.leases)
	switch fault := s.fault(err); {
	case err == nil:
		return s.surely(ctx, statement, args...)
	case fault != nil && fault.is == worker.ErrDenied:
		err = fmt.Errorf("%w, and this user may not create them (%w). Somebody else has to:\n%s",
			worker.ErrNoTables, err, s.leases+s.granting(ctx))
	}
	return false, err
}

// granting returns the statement that lets this user use tables that somebody else created.
func (s *tables) granting(ctx context.Context) string {
	if s.grant == "" { // GRANT takes tables that do not exist
		return ""
	}
	statement, _ := connected(ctx, s, reading, func(ctx context.Context, c conn) (text string,
		err error) {
		err = c.QueryRowContext(ctx, s.grant).Scan(&text)
		return text, err
	})
	return "\n" + statement // an error adds nothing
}

// surely sends a statement, and sends it again if the server rolled it back to let another pass.
func (s *tables) surely(ctx context.Context, statement string, args ...any) (changed bool,
	err error) {
	for range 20 {
		changed, err = s.once(ctx, statement, args...)
		if s.fault(err) != undone || ctx.Err() != nil {
			break
		}
		pause()
	}
	return changed, err
}

// once reports whether a statement, committed by itself, changed a row.
func (s *tables) once(ctx context.Context, statement string, args ...any) (bool, error) {
	changed, err := connected(ctx, s, writing, func(ctx context.Context, c conn) (int64, error) {
		if err := c.sure(ctx, statement); err != nil {
			return 0, err
		}
		result, err := c.ExecContext(ctx, statement, args...)
		if err != nil {
			return 0, err
		}
		return result.RowsAffected()
	})
	return changed > 0 && err == nil, err
}

// sure returns the error of {sound} before a statement that has no conditions.
func (c conn) sure(ctx context.Context, statement string) (err error) {
	if !strings.Contains(statement, "{sound}") && c.d.sound != "TRUE" {
		err = c.QueryRowContext(ctx, `SELECT {sound}`).Scan(new(bool))
		if err == nil {
			err = c.ready(ctx, "WORKER_NODE") // again: the query used it up
		}
	}
	return err
}

// legible returns owner as text that every database accepts.
func legible(owner string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(owner, "?"), "\x00", "?")
}
