package store

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"
)

// These are the errors of package worker that stores which do not import it return.
var (
	ErrStore  = errors.New("worker: the store is not set up for worker ids")
	ErrDenied = errors.New("worker: the store denies access")
)

// text is a Row as JSON. Its layout and worker id are in its key.
type text struct {
	Nonce   string    `json:"nonce"`
	High    *int64    `json:"high,omitempty"` // nil: the row is not open
	Held    bool      `json:"held,omitempty"`
	Expires time.Time `json:"expires,omitzero"`
	Renewed time.Time `json:"renewed,omitzero"`
	Owner   string    `json:"owner,omitempty"`

	UnitMillis   int64  `json:"unit_ms"`
	WindowMillis int64  `json:"window_ms"`
	SlackMillis  *int64 `json:"slack_ms"` // nil: another version wrote it
}

// Text returns a row of a pool as JSON, for a store that keeps each row as a text:
//
//	{"nonce":"9f...","high":1772600767,"held":true,"expires":"2026-03-04T05:06:07Z",...}
//
// No two writes make the same text, since each has a new nonce.
func (r Row) Text(p Pool) string {
	t := text{Nonce: fmt.Sprintf("%x", r.Nonce), Held: r.Held, Owner: r.Owner,
		Expires: r.Expires.UTC(), Renewed: r.Renewed.UTC(),
		UnitMillis: p.Unit.Milliseconds(), WindowMillis: windowMillis(p),
		SlackMillis: new((r.Slack + time.Millisecond - 1).Milliseconds())}
	if r.Open {
		t.High = &r.High
	}
	b, _ := json.Marshal(t) // JSON can represent all of it
	return string(b)
}

func windowMillis(p Pool) int64 { return p.Window() * p.Unit.Milliseconds() }

// ParseRow reads what Row.Text returned. Its error wraps ErrStore: something else wrote the text.
func ParseRow(layout string, worker int64, written string) (Pool, Row, error) {
	var t text
	err := json.Unmarshal([]byte(written), &t)
	nonce, bad := hex.DecodeString(t.Nonce)
	p := Pool{Layout: layout, Unit: time.Duration(t.UnitMillis) * time.Millisecond}
	switch {
	case err != nil:
	case t.SlackMillis == nil || *t.SlackMillis < 0 ||
		*t.SlackMillis > math.MaxInt64/int64(time.Millisecond):
		err = errors.New("without a slack_ms that this version knows")
	case bad != nil || len(nonce) != len(Nonce{}):
		err = fmt.Errorf("nonce %q, want 32 hexadecimal digits", t.Nonce)
	case p.Unit <= 0 || p.Unit.Milliseconds() != t.UnitMillis:
		err = fmt.Errorf("a tick of %d ms", t.UnitMillis)
	case t.WindowMillis != windowMillis(p):
		// The process that wrote it may have been granted more than this version allows for.
		err = fmt.Errorf("with a window of %d ms, and this version has %d ms", t.WindowMillis,
			windowMillis(p))
	}
	if err != nil {
		return Pool{}, Row{}, fmt.Errorf("%w: the row of worker id %d of layout %s was written by "+
			"somebody else: %w", ErrStore, worker, layout, err)
	}
	r := Row{Worker: worker, Nonce: Nonce(nonce), Open: t.High != nil, Held: t.Held,
		Expires: t.Expires, Renewed: t.Renewed, Owner: t.Owner,
		Slack: time.Duration(*t.SlackMillis) * time.Millisecond}
	if r.Open {
		r.High = *t.High
	}
	return p, r, nil
}
