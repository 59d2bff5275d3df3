package textstore

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/ringuid/ringuid/worker/internal/sentinel"
	"github.com/ringuid/ringuid/worker/store"
)

// row is a store.Row as JSON. Its layout and worker id are in its key.
type row struct {
	Nonce   string    `json:"nonce"`
	High    *int64    `json:"high,omitempty"` // nil: the row is not open
	Held    bool      `json:"held,omitempty"`
	Expires time.Time `json:"expires,omitzero"`
	Renewed time.Time `json:"renewed,omitzero"`
	Owner   string    `json:"owner,omitempty"`

	UnitMillis   int64 `json:"unit_ms"`
	WindowMillis int64 `json:"window_ms"`
}

// Marshal returns the text of a row of the pool.
func Marshal(p store.Pool, r store.Row) string {
	t := row{Nonce: fmt.Sprintf("%x", r.Nonce), Held: r.Held, Owner: r.Owner,
		Expires: r.Expires.UTC(), Renewed: r.Renewed.UTC(),
		UnitMillis: p.Unit.Milliseconds(), WindowMillis: windowMillis(p)}
	if r.Open {
		t.High = &r.High
	}
	text, _ := json.Marshal(t) // JSON can represent all of it
	return string(text)
}

func windowMillis(p store.Pool) int64 { return p.Window() * p.Unit.Milliseconds() }

const deleteIt = "delete it, which is safe at any time"

// Parse reads the text of a row. An error wraps worker.ErrStore: something else wrote the text.
func Parse(k Key, text string) (store.Pool, store.Row, error) {
	var t row
	err := json.Unmarshal([]byte(text), &t)
	nonce, bad := hex.DecodeString(t.Nonce)
	p := store.Pool{Layout: k.Layout, Unit: time.Duration(t.UnitMillis) * time.Millisecond}
	todo := deleteIt
	switch {
	case err != nil:
	case bad != nil || len(nonce) != len(store.Nonce{}):
		err = fmt.Errorf("nonce %q, want 32 hexadecimal digits", t.Nonce)
	case p.Unit <= 0 || p.Unit.Milliseconds() != t.UnitMillis:
		err = fmt.Errorf("a tick of %d ms", t.UnitMillis)
	case t.WindowMillis != windowMillis(p):
		// The process that wrote it may have been granted more than this version allows for.
		err = fmt.Errorf("with a window of %d ms, and this version has %d ms", t.WindowMillis,
			windowMillis(p))
		todo = "stop the processes of the other version, wait as long as the longer window, and " +
			"delete the rows"
	}
	if err != nil {
		return store.Pool{}, store.Row{}, fmt.Errorf("%w: the row of worker id %d of layout %s was "+
			"written by somebody else: %w: %s", sentinel.ErrStore, k.Worker, k.Layout, err, todo)
	}
	r := store.Row{Worker: k.Worker, Nonce: store.Nonce(nonce), Open: t.High != nil, Held: t.Held,
		Expires: t.Expires, Renewed: t.Renewed, Owner: t.Owner}
	if r.Open {
		r.High = *t.High
	}
	return p, r, nil
}
