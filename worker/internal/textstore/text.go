package textstore

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/ringuid/ringuid/worker/internal/sentinel"
	"github.com/ringuid/ringuid/worker/store"
)

// row is the text of a store.Row. Its layout and worker id are in its key.
type row struct {
	Nonce   string    `json:"nonce"`
	High    *int64    `json:"high,omitempty"` // none: the row is not open
	Held    bool      `json:"held,omitempty"`
	Expires time.Time `json:"expires,omitzero"`
	Renewed time.Time `json:"renewed,omitzero"`
	Owner   string    `json:"owner,omitempty"`

	UnitMillis   int64 `json:"unit_ms"`
	WindowMillis int64 `json:"window_ms"`
}

// Marshal is the text of a row of the pool.
func Marshal(p store.Pool, r store.Row) string {
	t := row{Nonce: fmt.Sprintf("%x", r.Nonce), Held: r.Held, Owner: r.Owner,
		Expires: r.Expires.UTC(), Renewed: r.Renewed.UTC(),
		UnitMillis: p.Unit.Milliseconds(), WindowMillis: windowMillis(p)}
	if r.Open {
		t.High = &r.High
	}
	text, _ := json.Marshal(t) // JSON can say all of it
	return string(text)
}

func windowMillis(p store.Pool) int64 { return p.Window() * p.Unit.Milliseconds() }

const deleteIt = "delete it, which is safe at any time"

// Parse reads the text of a row. An error wraps worker.ErrStore: somebody else wrote it.
func Parse(k Key, text string) (store.Pool, store.Row, error) {
	fail := func(err error) (store.Pool, store.Row, error) {
		return store.Pool{}, store.Row{}, fmt.Errorf("%w: the row of worker id %d of layout %s was "+
			"written by somebody else: %w", sentinel.ErrStore, k.Worker, k.Layout, err)
	}
	var t row
	if err := json.Unmarshal([]byte(text), &t); err != nil {
		return fail(fmt.Errorf("%w: %s", err, deleteIt))
	}
	nonce, err := hex.DecodeString(t.Nonce)
	switch {
	case err != nil || len(nonce) != len(store.Nonce{}):
		return fail(fmt.Errorf("nonce %q, want 32 hexadecimal digits: %s", t.Nonce, deleteIt))
	case t.High == nil && t.Held:
		return fail(errors.New("it is held, and has no high: " + deleteIt))
	case t.UnitMillis <= 0 || t.UnitMillis > math.MaxInt64/int64(time.Millisecond):
		return fail(fmt.Errorf("a tick of %d ms: %s", t.UnitMillis, deleteIt))
	}
	p := store.Pool{Layout: k.Layout, Unit: time.Duration(t.UnitMillis) * time.Millisecond}
	if w := windowMillis(p); t.WindowMillis != w {
		// Its process may have been granted more than this version allows for.
		return fail(fmt.Errorf("with a window of %d ms, and this version has %d ms: stop the processes "+
			"of the other version, wait as long as the longer window, and delete the rows",
			t.WindowMillis, w))
	}
	r := store.Row{Worker: k.Worker, Nonce: store.Nonce(nonce), Open: t.High != nil, Held: t.Held,
		Expires: t.Expires, Renewed: t.Renewed, Owner: t.Owner}
	if r.Open {
		r.High = *t.High
	}
	return p, r, nil
}
