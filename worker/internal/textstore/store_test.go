package textstore

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

// server keeps texts in memory. Its clock is the test's.
type server struct {
	mu      sync.Mutex
	texts   map[Key]string
	now     func() time.Time
	between func()       // runs after a Get
	lost    func() error // is the answer to CompareAndSet, which does nothing
	failed  error        // of every call
}

// refuses returns why a call fails, if it does.
func (s *server) refuses(ctx context.Context) error { return cmp.Or(ctx.Err(), s.failed) }

func newServer(now func() time.Time) *server { return &server{texts: map[Key]string{}, now: now} }

func (s *server) Check(ctx context.Context) error { return s.refuses(ctx) }

func (s *server) List(ctx context.Context, _ string) (all []Entry, _ error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for k, text := range s.texts {
		all = append(all, Entry{k, text})
	}
	return all, s.refuses(ctx)
}

func (s *server) Get(ctx context.Context, k Key) (string, error) {
	s.mu.Lock()
	text := s.texts[k]
	s.mu.Unlock()
	if s.between != nil {
		s.between()
	}
	return text, s.refuses(ctx)
}

func (s *server) Create(ctx context.Context, k Key, text string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, there := s.texts[k]; there || s.refuses(ctx) != nil {
		return false, s.refuses(ctx)
	}
	s.texts[k] = text
	return true, nil
}

func (s *server) CompareAndSet(ctx context.Context, k Key, old, text string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lost != nil {
		return false, s.lost()
	}
	if is, there := s.texts[k]; !there || is != old || s.refuses(ctx) != nil {
		return false, s.refuses(ctx)
	}
	s.texts[k] = text
	return true, nil
}

func (s *server) DeleteAll(ctx context.Context, layout string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.texts, func(k Key, _ string) bool { return layout == "" || k.Layout == layout })
	return s.refuses(ctx)
}

func (s *server) Time(ctx context.Context) (time.Time, time.Duration, error) {
	return s.now(), 0, s.refuses(ctx)
}

func (s *server) Advice(err error) (do string, is error) {
	if errors.Is(err, s.failed) {
		return "ask somebody", store.ErrDenied
	}
	return "", nil
}

var pool = store.Pool{Layout: "a layout", Unit: time.Second}

// opened is a store with the row of worker id 0, which another opened.
func opened(t *testing.T, sv Server, machine clock.Clock) (*Store, store.Write) {
	s := New("another", 0, sv, machine)
	ids := []int64{0}
	require.NoError(t, s.Create(t.Context(), pool, ids, store.Nonce{1}))
	require.NoError(t, s.Open(t.Context(), pool, ids, store.Nonce{1},
		store.Row{Nonce: store.Nonce{2}, Open: true}))
	return New("teststore", 0, sv, machine), store.Write{Pool: pool, High: 7, TTL: time.Minute,
		Expect: []store.Nonce{{2}}, Nonce: store.Nonce{3}, Acquire: true}
}

func TestContract(t *testing.T) {
	storetest.Run(t, func(*testing.T) store.Store {
		return New("teststore", 0, newServer(time.Now), clock.Real())
	}, storetest.Options{})
}

// No write is sent again: not after an error, nor if the row is there that was not found.
func TestAWriteIsSentOnce(t *testing.T) {
	for _, lost := range []error{errors.New("no answer"), nil} {
		sv := newServer(time.Now)
		s, w := opened(t, sv, clock.Real())
		viewed(t, s)
		sets := 0
		sv.lost = func() error { sets++; return lost }
		applied, err := s.Write(t.Context(), w)
		require.ErrorIs(t, err, lost)
		assert.False(t, applied)
		assert.Equal(t, 1, sets)
	}
}

// A write begins with what the last view showed, and reads the row only if that is no longer
// there: what another process wrote meanwhile may be expected as well.
func TestAWriteBeginsWithWhatTheViewShowed(t *testing.T) {
	sv := newServer(time.Now)
	s, w := opened(t, sv, clock.Real())
	viewed(t, s)
	for _, change := range []func(w *store.Write){
		func(w *store.Write) { w.Epoch = "e" }, func(w *store.Write) { w.Floor = 1 },
	} {
		headed := w // such a store has no heads
		change(&headed)
		applied, err := s.Write(t.Context(), headed)
		require.NoError(t, err)
		assert.False(t, applied)
	}
	reads := 0
	sv.between = func() { reads++ }
	applied, err := s.Write(t.Context(), w)
	require.NoError(t, err)
	require.True(t, applied)
	assert.Zero(t, reads)
	other := w
	other.Expect, other.Nonce, other.Acquire = []store.Nonce{{3}}, store.Nonce{4}, false
	applied, err = New("another", 0, sv, clock.Real()).Write(t.Context(), other)
	require.NoError(t, err)
	require.True(t, applied)
	assert.Equal(t, 1, reads, "nobody showed it")
	w.Expect, w.Nonce, w.Acquire = []store.Nonce{{2}, {4}}, store.Nonce{5}, false
	applied, err = s.Write(t.Context(), w)
	require.NoError(t, err)
	assert.True(t, applied)
	assert.Equal(t, 2, reads)
}

// A renewal does not list the rows of others. A claim of one worker id does, as does a process
// whose row was written by somebody else.
func TestARowThatIsHeldIsReadAlone(t *testing.T) {
	sv := newServer(time.Now)
	s, w := opened(t, sv, clock.Real())
	sv.texts[Key{Layout: "another", Worker: 5}] = store.Row{}.Text(store.Pool{Unit: time.Minute})
	assert.Len(t, viewed(t, s).Others, 1)
	applied, err := s.Write(t.Context(), w)
	require.NoError(t, err)
	require.True(t, applied)
	v := viewed(t, s)
	assert.Len(t, v.Rows, 1)
	assert.Empty(t, v.Others)
	assert.Len(t, viewed(t, New("of another process", 0, sv, clock.Real())).Others, 1)
	sv.texts[Key{Layout: pool.Layout}] = store.Row{Nonce: store.Nonce{9}, Open: true}.Text(pool)
	assert.Len(t, viewed(t, s).Others, 1)
	w.Expect, w.Nonce, w.Acquire, w.Release = []store.Nonce{{9}}, store.Nonce{10}, false, true
	applied, err = s.Write(t.Context(), w)
	require.NoError(t, err)
	require.True(t, applied)
	assert.Len(t, viewed(t, s).Others, 1, "it was given back")
}

func viewed(t *testing.T, s *Store) store.View {
	v, err := s.View(t.Context(), pool, 0, 0)
	require.NoError(t, err)
	return v
}

func TestErrors(t *testing.T) {
	sv := newServer(time.Now)
	s, w := opened(t, sv, clock.Real())
	viewed(t, s)
	sv.failed = errors.New("refused")
	some := []int64{0, 1, 2}
	for what, call := range map[string]func() error{
		"checking": func() error { _, err := s.Check(t.Context()); return err },
		"reading":  func() error { _, err := s.View(t.Context(), pool, 0, 3); return err },
		"asking":   func() error { _, err := s.Now(t.Context()); return err },
		"creating": func() error { return s.Create(t.Context(), pool, some, store.Nonce{}) },
		"opening": func() error {
			return s.Open(t.Context(), pool, some, store.Nonce{}, store.Row{})
		},
		"writing":  func() error { _, err := s.Write(t.Context(), w); return err },
		"deleting": func() error { return s.Delete(t.Context(), "") },
	} {
		err := call()
		require.ErrorIs(t, err, sv.failed, what)
		assert.ErrorContains(t, err, "teststore: "+what, what)
		assert.ErrorContains(t, err, "refused: ask somebody", what)
	}
	sv.failed = nil
	sv.texts[Key{Layout: pool.Layout}] = store.Row{}.Text(store.Pool{Unit: time.Minute})
	v, err := s.View(t.Context(), pool, 0, 0)
	require.NoError(t, err)
	require.ErrorIs(t, v.Unreadable, worker.ErrStore)
	assert.ErrorContains(t, v.Unreadable, "1m0s")
	assert.Empty(t, v.Rows)
	applied, err := s.Write(t.Context(), w)
	require.NoError(t, err)
	assert.False(t, applied)
	sv.texts[Key{Layout: "another", Worker: 0}] = "{}"
	v, err = s.View(t.Context(), store.Pool{}, 0, 0)
	require.NoError(t, err)
	require.ErrorIs(t, v.Unreadable, worker.ErrStore)
}

// What was not sent leaves no doubt.
func TestAContextThatHasEnded(t *testing.T) {
	sv := newServer(time.Now)
	s, _ := opened(t, sv, clock.Real())
	before := maps.Clone(sv.texts)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, s.Create(ctx, pool, []int64{1}, store.Nonce{}), context.Canceled)
	require.ErrorIs(t, s.Delete(ctx, ""), context.Canceled)
	assert.Equal(t, before, sv.texts)
}

func TestAClientThatPanicsAtOneOfManyCalls(t *testing.T) {
	err := Each(t.Context(), 3, func(int) error { panic("a hook") })
	assert.ErrorContains(t, err, "panicked: a hook")
}
