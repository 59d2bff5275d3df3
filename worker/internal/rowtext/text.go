package rowtext

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// namespace is the text of a store.Namespace. Such stores have no epoch.
type namespace struct {
	Fingerprint string `json:"fingerprint"`
	UnitMillis  int64  `json:"unit_ms"`
	First       int64  `json:"first"`
	Last        int64  `json:"last"`
	Window      int64  `json:"window"`
	Floor       int64  `json:"floor"`
	Seal        string `json:"seal"`
}

// Namespace is the text of n.
func Namespace(n store.Namespace) []byte {
	return marshal(namespace{n.Fingerprint, n.Unit.Milliseconds(), n.First, n.Last, n.Window, n.Floor,
		n.Seal()})
}

// ParseNamespace reads the text of the namespace of this name. An error wraps
// store.ErrStore: somebody else wrote it; or store.ErrNamespace: somebody
// changed its settings.
func ParseNamespace(name string, text []byte) (store.Namespace, error) {
	var t namespace
	if err := json.Unmarshal(text, &t); err != nil {
		return store.Namespace{}, fmt.Errorf("%w: namespace %q is not what Init wrote: %w; %s",
			store.ErrStore, name, err, mend)
	}
	n := store.Namespace{
		Name: name, Fingerprint: t.Fingerprint, Unit: time.Duration(t.UnitMillis) * time.Millisecond,
		First: t.First, Last: t.Last, Window: t.Window, Floor: t.Floor,
	}
	if err := n.Validate(); err != nil {
		return store.Namespace{}, fmt.Errorf("%w: namespace %q is not what Init wrote: %v; %s",
			store.ErrStore, name, err, mend)
	}
	return n, n.CheckSeal(t.Seal)
}

const mend = "restore the text by hand, or quarantine after restoring it from a backup"

// row is the text of a store.Row. Its worker id is in its name.
type row struct {
	Nonce   string    `json:"nonce"`
	Held    bool      `json:"held"`
	High    *int64    `json:"high"` // a row without one must not pass for one never granted
	Expires time.Time `json:"expires"`
	Renewed time.Time `json:"renewed"`
	Owner   string    `json:"owner,omitempty"`

	UnitMillis int64 `json:"unit_ms,omitempty"` // of High, where the text says it
}

// Row is the text of r.
func Row(r store.Row) []byte {
	return RowIn(r, 0)
}

// RowIn is the text of r that says which unit its High is counted in, for a store whose rows
// outlive their namespace: the next one of that name may count others. ParseRow reads it, too.
func RowIn(r store.Row, unit time.Duration) []byte {
	return marshal(row{r.Nonce.String(), r.Held, &r.High, r.Expires.UTC(), r.Renewed.UTC(), r.Owner,
		unit.Milliseconds()})
}

// ParseRow reads the text of the row of a worker id. An error wraps
// store.ErrStore: somebody else wrote it.
func ParseRow(id int64, text []byte) (store.Row, error) {
	r, _, err := ParseRowIn(id, text)
	return r, err
}

// ParseRowIn returns also the unit that High is counted in; 0 where the text does not say it.
func ParseRowIn(id int64, text []byte) (store.Row, time.Duration, error) {
	var t row
	err := json.Unmarshal(text, &t)
	nonce, bad := hex.DecodeString(t.Nonce)
	switch {
	case err != nil:
	case bad != nil || len(nonce) != len(store.Nonce{}):
		err = fmt.Errorf("nonce %q: want 32 hexadecimal digits", t.Nonce)
	case t.High == nil:
		err = fmt.Errorf("no high")
	case t.UnitMillis < 0 || t.UnitMillis > math.MaxInt64/int64(time.Millisecond):
		err = fmt.Errorf("a tick of %d ms", t.UnitMillis)
	}
	if err != nil {
		return store.Row{}, 0, fmt.Errorf("%w: the row of worker id %d was edited: %w; %s",
			store.ErrStore, id, err, mend)
	}
	return store.Row{
		Worker: id, Nonce: store.Nonce(nonce), Held: t.Held, High: *t.High,
		Expires: t.Expires, Renewed: t.Renewed, Owner: t.Owner,
	}, time.Duration(t.UnitMillis) * time.Millisecond, nil
}

// marshal is for the types above, which JSON can always say.
func marshal(v any) []byte {
	text, _ := json.Marshal(v)
	return text
}
