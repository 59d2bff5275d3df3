package docstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/rows"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

// What something else wrote is an error of every call that needs it, and stays as it is.
func TestForeignDocuments(t *testing.T) {
	b := &bucket{}
	leasetest.Make(t, b.open())
	w := leasetest.Acquisition(leasetest.View(t, b.open()))
	w.Worker = 3
	good := string(b.values[3].text)
	layout, _, _ := strings.Cut(good[strings.Index(good, `"rows":{"`)+len(`"rows":{"`):], "/")
	row := good[strings.LastIndex(good, `{"nonce`) : len(good)-2]
	for what, value := range map[string]string{
		"empty":                "",
		"no JSON":              "worker ids",
		"HTML":                 "<html><body>Please log in",
		"a list":               "[]",
		"null":                 "null",
		"an object":            "{}",
		"a text":               `"` + strings.ReplaceAll(good, `"`, `\"`) + `"`,
		"cut off":              good[:len(good)-1],
		"twice":                good + good,
		"more after it":        good + "x",
		"an unknown field":     strings.Replace(good, `"made"`, `"kept":1,"made"`, 1),
		"another format":       strings.Replace(good, `"ringuid":1`, `"ringuid":2`, 1),
		"no format":            strings.Replace(good, `"ringuid":1,`, "", 1),
		"another part":         strings.Replace(good, `"part":3`, `"part":4`, 1),
		"no version":           strings.Replace(good, `"version":"`, `"version":"","x":"`, 1),
		"a row of another":     strings.Replace(good, `003":{`, `004":{`, 1),
		"a row of a negative":  strings.Replace(good, layout+`/0`, layout+`/-`, 1),
		"a path that is none":  strings.Replace(good, layout+`/0`, layout, 1),
		"made in no time":      strings.Replace(good, `"made":{"`, `"made":{"x":"soon","`, 1),
		"rows that are a list": strings.Replace(good, good[strings.Index(good, `"rows"`):], `"rows":[]}`, 1),
	} {
		t.Run(what, func(t *testing.T) {
			require.NotEqual(t, good, value)
			b.edit(3, []byte(value))
			s := b.open()
			calls := leasetest.Calls(t.Context(), s, w)
			delete(calls, "Now")
			delete(calls, "Create") // of another document
			delete(calls, "Open")
			calls["create"] = func() error { return s.Create(t.Context(), w.Pool, []int64{3, 19}, w.Nonce) }
			for name, call := range calls {
				err := call()
				require.ErrorIs(t, err, worker.ErrStore, name)
				require.ErrorContains(t, err, "it stays as it is: stop all processes; then delete it by hand")
				require.NotContains(t, err.Error(), "another place", "two would give out the same worker ids")
			}
			require.ErrorIs(t, s.Delete(t.Context(), ""), worker.ErrStore)
			assert.Equal(t, value, string(b.values[3].text))
		})
	}
	b.edit(3, make([]byte, MaxValue+1)) // Load cuts off what is larger
	_, err := b.open().View(t.Context(), w.Pool, 3, 3)
	require.ErrorIs(t, err, worker.ErrStore)
	require.ErrorContains(t, err, "it has more than 4194304 bytes")
	// A row that is wrong is seen, and only a Delete touches it.
	b.edit(3, []byte(strings.Replace(good, row, `{"nonce":"?"}`, 1)))
	s := b.open()
	v, err := s.View(t.Context(), w.Pool, 0, 5)
	require.NoError(t, err)
	require.ErrorIs(t, v.Unreadable, worker.ErrStore)
	assert.ErrorContains(t, v.Unreadable, "worker id 3")
	require.NoError(t, s.Create(t.Context(), w.Pool, []int64{3, 19}, w.Nonce))
	applied, err := s.Write(t.Context(), w)
	require.NoError(t, err)
	assert.False(t, applied)
	assert.Contains(t, string(b.values[3].text), `{"nonce":"?"}`)
	assert.Contains(t, string(b.values[3].text), `019":{`)
	require.NoError(t, s.Delete(t.Context(), w.Layout))
	assert.NotContains(t, string(b.values[3].text), "nonce")
}

// A newer version may add to rows. A change leaves those that it does not need as they are.
func TestRowsAreKeptAsTheyWereRead(t *testing.T) {
	b := &bucket{}
	s := b.open()
	require.NoError(t, s.Create(t.Context(), leasetest.Pool, []int64{1, 17}, leasetest.Nonce()))
	newer := strings.ReplaceAll(string(b.values[1].text), `"nonce"`, `"mood":"good","nonce"`)
	b.edit(1, []byte(newer))
	row := leasetest.View(t, s).Rows[0]
	require.NoError(t, s.Open(t.Context(), leasetest.Pool, []int64{17}, row.Nonce,
		store.Row{Nonce: leasetest.Nonce(), Open: true}))
	var d text
	require.NoError(t, json.Unmarshal(b.values[1].text, &d))
	require.Len(t, d.Rows, 2)
	for path, row := range d.Rows {
		assert.Equal(t, strings.HasSuffix(path, "01"), strings.Contains(string(row), `"mood":"good"`), path)
	}
}

func TestStoresThatDoNotCompare(t *testing.T) {
	for _, b := range []*bucket{{lax: true}, {laxNew: true}, {lax: true, laxNew: true}} {
		_, err := b.open().Check(t.Context())
		require.ErrorIs(t, err, worker.ErrStore)
		assert.ErrorContains(t, err, "use a store that compares")
	}
	b := &bucket{}
	for range 2 { // the first makes the documents
		_, err := b.open().Check(t.Context())
		require.NoError(t, err)
	}
	for _, tag := range []string{"", `""`, `"d0"`, "8", "0", "zz-9", "==", `W/"ab"`} {
		assert.NotEqual(t, tag, other(tag))
		assert.NotEmpty(t, other(tag))
	}
	assert.Equal(t, `"0x8D0"`, other(`"0x8D7"`))
	assert.Equal(t, "1764267600000001", other("1764267600000000"))
}

// twice lets the next Save with rows arrive twice, and returns the second answer. Meanwhile is
// called after that.
func (b *bucket) twice(meanwhile func()) {
	b.answer = func(v *value, save func() bool) (bool, error) {
		saved := save()
		if saved && strings.Contains(string(v.text), "nonce") {
			b.answer = nil
			saved = save()
			meanwhile()
		}
		return saved, nil
	}
}

// A request is repeated on its way, and the answer is that it was refused. Meanwhile others open
// the row, use and delete it.
func TestARepeatedCreationMakesNoSecondRow(t *testing.T) {
	b := &bucket{}
	created := leasetest.Nonce()
	b.twice(func() {
		s := b.open()
		require.NoError(t, s.Open(t.Context(), leasetest.Pool, []int64{1}, created,
			store.Row{Nonce: leasetest.Nonce(), Open: true}))
		v := leasetest.View(t, s)
		w := leasetest.Acquisition(v)
		leasetest.Write(t, s, w)
		require.NoError(t, s.Delete(t.Context(), leasetest.Pool.Layout))
	})
	require.NoError(t, b.open().Create(t.Context(), leasetest.Pool, []int64{1}, created))
	assert.Empty(t, leasetest.View(t, b.open()).Rows)
	require.NoError(t, b.open().Create(t.Context(), leasetest.Pool, []int64{1}, created))
	assert.Len(t, leasetest.View(t, b.open()).Rows, 1, "another call makes it again")
}

// The same with a write: its outcome is known, whether or not others have changed the document.
func TestARepeatedWriteIsApplied(t *testing.T) {
	for name, meanwhile := range map[string]func(store.Store){
		"alone": func(store.Store) {},
		"beside others": func(s store.Store) {
			require.NoError(t, s.Create(t.Context(), leasetest.Pool, []int64{16}, leasetest.Nonce()))
		},
	} {
		b := &bucket{}
		leasetest.Make(t, b.open())
		s := b.open()
		w := leasetest.Acquisition(leasetest.View(t, s))
		b.twice(func() { meanwhile(b.open()) })
		leasetest.Write(t, s, w)
		require.Nil(t, b.answer, name)
		assert.Equal(t, w.Nonce, leasetest.View(t, s).Rows[0].Nonce)
	}
}

// The first request, which may be repeated much later, has no rows.
func TestTheFirstSaveIsEmpty(t *testing.T) {
	b := &bucket{}
	b.answer = func(v *value, save func() bool) (bool, error) {
		missing := v.text == nil
		saved := save()
		assert.NotEqual(t, missing, strings.Contains(string(v.text), "nonce"))
		return saved, nil
	}
	require.NoError(t, b.open().Create(t.Context(), leasetest.Pool, []int64{1, 2}, leasetest.Nonce()))
	assert.Len(t, leasetest.View(t, b.open()).Rows, 2)
}

// The advice about a full document leads to no second place, where the same ids would be made.
func TestAFullDocument(t *testing.T) {
	d := empty(0, "v")
	d.rows = rows.Rows{{Layout: "x"}: {Text: `"` + strings.Repeat("x", MaxValue) + `"`}}
	_, err := d.value()
	require.ErrorIs(t, err, worker.ErrStore)
	assert.ErrorContains(t, err, "would have more than 4194304 bytes: claim fewer worker ids")
}

// Creations are forgotten after an hour.
func TestMadeIsForgotten(t *testing.T) {
	d, now := empty(3, "v"), time.Now()
	d.made["old"], d.made["new"] = now.Add(-remembered), now.Add(time.Second-remembered)
	assert.Equal(t, map[string]time.Time{"new": d.made["new"]}, d.next("w", now).made)
}

// Who only loses races knows that nothing was written. Of a change that has to be made, that is
// an error.
func TestLostRaces(t *testing.T) {
	b := &bucket{latency: time.Millisecond}
	leasetest.Make(t, b.open())
	s := b.open()
	w := leasetest.Acquisition(leasetest.View(t, s))
	b.answer = func(*value, func() bool) (bool, error) { return false, nil }
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	applied, err := s.Write(ctx, w)
	require.NoError(t, err)
	assert.False(t, applied)
	ctx, cancel = context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	err = s.Create(ctx, w.Pool, []int64{100}, w.Nonce)
	require.ErrorIs(t, err, errRaces)
	assert.ErrorContains(t, err, "memory: creating rows of worker ids: other processes kept changing")

	b.answer = func(_ *value, save func() bool) (bool, error) {
		save()
		return false, errors.New("lost")
	}
	_, err = s.Write(t.Context(), w)
	require.ErrorContains(t, err, "whether it was done is not known")
	assert.Equal(t, w.Nonce, leasetest.View(t, b.open()).Rows[0].Nonce)
}

// An error names the package, or this one.
func TestNames(t *testing.T) {
	failed := errors.New("no route to host")
	for name, want := range map[string]string{"": "docstore", "otherstore": "otherstore"} {
		s := New(func(int) Document { return broken{failed} }, Options{Name: name})
		_, err := s.Check(t.Context())
		require.ErrorIs(t, err, failed)
		assert.EqualError(t, err, fmt.Sprintf("%s: checking the store: %v", want, failed))
	}
}

type broken struct{ err error }

func (b broken) Load(context.Context) (Snapshot, error)             { return Snapshot{}, b.err }
func (b broken) Save(context.Context, []byte, string) (bool, error) { return false, b.err }

// deaf is a Document whose client knows no contexts, and hears no answer to a Save or, without a
// Document, to anything.
type deaf struct {
	Document
	answer chan struct{}
}

func (d deaf) Load(ctx context.Context) (s Snapshot, err error) {
	if d.Document != nil {
		return d.Document.Load(ctx)
	}
	<-d.answer
	return s, err
}

func (d deaf) Save(context.Context, []byte, string) (bool, error) {
	<-d.answer
	return true, nil
}

// Else a lease would never be renewed again.
func TestACallThatHearsNothingEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &bucket{}
		leasetest.Make(t, b.open())
		w := leasetest.Acquisition(leasetest.View(t, b.open()))
		never := make(chan struct{})
		defer close(never)
		hears := New(func(part int) Document { return deaf{b.at(part), never} }, Options{})
		nothing := New(func(int) Document { return deaf{nil, never} }, Options{})
		for s, names := range map[store.Store]string{hears: "Write Delete",
			nothing: "Check View Now Create Open Write Delete"} {
			for _, name := range strings.Fields(names) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				assert.ErrorIs(t, leasetest.Calls(ctx, s, w)[name](), context.DeadlineExceeded, name)
			}
		}
	})
}
