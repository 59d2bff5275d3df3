package storetest_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/memstore"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

// A suite is worth what it finds. Each store here breaks one sentence of the
// contract, and the suite, run in a process of its own, must fail in the test
// named.
var broken = map[string]struct {
	in    string // a part of the name of the test that must fail
	write func(s *memstore.Store, w store.Write) (bool, error)
	view  func(v store.View, first, last int64) store.View
	raise func(s *memstore.Store, r store.Raise) (bool, error)

	remove func(s *memstore.Store, namespace string, o store.RemoveOptions) error
}{
	"believes any nonce": {in: "conditions", write: func(s *memstore.Store, w store.Write) (bool,
		error) {
		row, _ := rowOf(s, w)
		w.Expect = []store.Nonce{row.Nonce}
		return s.Write(context.Background(), w)
	}},
	"compares the first half of a nonce": {in: "conditions",
		write: func(s *memstore.Store, w store.Write) (bool, error) {
			row, _ := rowOf(s, w)
			for i, n := range w.Expect {
				if [8]byte(n[:8]) == [8]byte(row.Nonce[:8]) {
					w.Expect = append(w.Expect[:i:i], row.Nonce)
				}
			}
			return s.Write(context.Background(), w)
		}},
	"forgets the second nonce": {in: "second_expected",
		write: func(s *memstore.Store, w store.Write) (bool, error) {
			w.Expect = w.Expect[:1]
			return s.Write(context.Background(), w)
		}},
	"takes held rows": {in: "held", write: func(s *memstore.Store, w store.Write) (bool, error) {
		w.Acquire = false
		return s.Write(context.Background(), w)
	}},
	"keeps expired rows": {in: "an_expired_row", write: func(s *memstore.Store, w store.Write) (bool,
		error) {
		if row, _ := rowOf(s, w); w.Acquire && row.Held {
			return false, nil
		}
		return s.Write(context.Background(), w)
	}},
	"asks for no layout": {in: "conditions", write: func(s *memstore.Store, w store.Write) (bool,
		error) {
		_, v := rowOf(s, w)
		w.Fingerprint = v.Fingerprint
		return s.Write(context.Background(), w)
	}},
	"knows no case": {in: "conditions", write: func(s *memstore.Store, w store.Write) (bool, error) {
		w.Namespace = strings.ToLower(w.Namespace)
		return s.Write(context.Background(), w)
	}},
	"asks for no floor": {in: "conditions", write: func(s *memstore.Store, w store.Write) (bool,
		error) {
		_, v := rowOf(s, w)
		w.Floor = v.Floor
		return s.Write(context.Background(), w)
	}},
	"asks for no epoch": {in: "conditions", write: func(s *memstore.Store, w store.Write) (bool,
		error) {
		_, v := rowOf(s, w)
		w.Epoch = v.Epoch
		return s.Write(context.Background(), w)
	}},
	"has no window": {in: "window_is_exact", write: func(s *memstore.Store, w store.Write) (bool,
		error) {
		_, v := rowOf(s, w)
		if most := v.TickAt(v.Now) + v.Window; w.High > most && !w.Release {
			low := w
			low.High = most
			return s.Write(context.Background(), low)
		}
		return s.Write(context.Background(), w)
	}},
	"never lowers High": {in: "only_a_release", write: func(s *memstore.Store, w store.Write) (bool,
		error) {
		row, _ := rowOf(s, w)
		w.High = max(w.High, row.High)
		return s.Write(context.Background(), w)
	}},
	"cuts owners": {in: "owners", write: func(s *memstore.Store, w store.Write) (bool, error) {
		w.Owner = w.Owner[:min(255, len(w.Owner))]
		return s.Write(context.Background(), w)
	}},
	"writes nothing": {in: "leaves", write: func(*memstore.Store, store.Write) (bool,
		error) {
		return true, nil
	}},
	"repeats a write": {in: "linearizable", write: func(s *memstore.Store, w store.Write) (bool,
		error) {
		s.Write(context.Background(), w)
		return s.Write(context.Background(), w)
	}},
	"loses one write in ten": {in: "linearizable", write: func(s *memstore.Store, w store.Write) (bool,
		error) {
		if w.Owner == storetest.Owner && w.Nonce[0] < 26 {
			return true, nil
		}
		return s.Write(context.Background(), w)
	}},
	"fails where it should miss": {in: "conditions",
		write: func(s *memstore.Store, w store.Write) (bool, error) {
			applied, err := s.Write(context.Background(), w)
			if !applied && err == nil {
				err = errors.New("missed")
			}
			return applied, err
		}},
	"shows rows backwards": {in: "View", view: func(v store.View, _, _ int64) store.View {
		for i, j := 0, len(v.Rows)-1; i < j; i, j = i+1, j-1 {
			v.Rows[i], v.Rows[j] = v.Rows[j], v.Rows[i]
		}
		return v
	}},
	"rounds far ticks": {in: "far_ticks", view: func(v store.View, _, _ int64) store.View {
		for i := range v.Rows {
			v.Rows[i].High = int64(float32(v.Rows[i].High))
		}
		return v
	}},
	"keeps seconds": {in: "leaves", view: func(v store.View, _, _ int64) store.View {
		for i := range v.Rows {
			v.Rows[i].Renewed = v.Rows[i].Renewed.Truncate(time.Second)
		}
		return v
	}},
	"removes what is held": {in: "is_removed", remove: func(s *memstore.Store, namespace string,
		o store.RemoveOptions) error {
		o.Held = true
		return s.Remove(context.Background(), namespace, o)
	}},
	"removes what was closed off": {in: "remembered", remove: func(s *memstore.Store, namespace string,
		_ store.RemoveOptions) error {
		s.Drop(namespace)
		return nil
	}},
	"removes and leaves the namespace": {in: "is_removed",
		remove: func(*memstore.Store, string, store.RemoveOptions) error {
			return nil
		}},
	"raises the same epoch": {in: "Raise", raise: func(s *memstore.Store, r store.Raise) (bool,
		error) {
		return true, s.Quarantine(context.Background(), r.Namespace, r.Floor+1)
	}},
}

// rowOf is the row that w is about, in an honest store.
func rowOf(s *memstore.Store, w store.Write) (store.Row, store.View) {
	v, err := s.View(context.Background(), w.Namespace, w.Worker, w.Worker)
	if err != nil || len(v.Rows) == 0 {
		return store.Row{}, v
	}
	return v.Rows[0], v
}

// flawed is memstore with one thing wrong.
type flawed struct {
	*memstore.Store
	flaw string
}

func (f flawed) Write(ctx context.Context, w store.Write) (bool, error) {
	if b := broken[f.flaw]; b.write != nil && ctx.Err() == nil {
		return b.write(f.Store, w)
	}
	return f.Store.Write(ctx, w)
}

func (f flawed) View(ctx context.Context, namespace string, first, last int64) (store.View, error) {
	v, err := f.Store.View(ctx, namespace, first, last)
	if b := broken[f.flaw]; b.view != nil && err == nil {
		v = b.view(v, first, last)
	}
	return v, err
}

func (f flawed) Raise(ctx context.Context, r store.Raise) (bool, error) {
	if b := broken[f.flaw]; b.raise != nil && ctx.Err() == nil {
		return b.raise(f.Store, r)
	}
	return f.Store.Raise(ctx, r)
}

func (f flawed) Remove(ctx context.Context, namespace string, o store.RemoveOptions) error {
	if b := broken[f.flaw]; b.remove != nil {
		return b.remove(f.Store, namespace, o)
	}
	return f.Store.Remove(ctx, namespace, o)
}

const asFlawed = "STORETEST_FLAW"

func TestBrokenStoresAreFound(t *testing.T) {
	if flaw := os.Getenv(asFlawed); flaw != "" {
		storetest.Run(t, func(*testing.T) store.Store { return flawed{memstore.New(), flaw} })
		return
	}
	for flaw, b := range broken {
		t.Run(flaw, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestBrokenStoresAreFound$/"+b.in)
			cmd.Env = append(os.Environ(), asFlawed+"="+flaw)
			out, err := cmd.CombinedOutput()
			exit := (*exec.ExitError)(nil)
			require.ErrorAs(t, err, &exit, "the suite finds nothing wrong")
			assert.Contains(t, string(out), "--- FAIL: TestBrokenStoresAreFound/", "it ended otherwise")
		})
	}
}
