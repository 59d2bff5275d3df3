package k8sstore

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"

	"github.com/ringuid/ringuid/worker/store"
)

// alone runs what one process does on a fakeServer.
func alone(t *testing.T, do func(t *testing.T, s *Store)) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeServer{t: t, random: rand.New(rand.NewPCG(1, 2)), leases: map[string]*coordinationv1.Lease{}}
		done := make(chan struct{})
		go func() { defer close(done); do(t, f.store(pod{})) }()
		f.serve(done)
	})
}

// lucky does it until no request is lost.
func lucky(t *testing.T, do func() error) {
	t.Helper()
	var err error
	for range 20 {
		if err = do(); err == nil {
			return
		}
	}
	assert.NoError(t, err)
}

// A namespace is removed, made again for other ticks, and once more for the first: it grants
// at once, and above all that was granted, and no record says the year 9999.
func TestRemovedAndMadeForOtherTicks(t *testing.T) {
	alone(t, func(t *testing.T, s *Store) {
		fast := store.Namespace{Name: "default", Fingerprint: "fast", Unit: time.Millisecond, Last: 1, Window: 60_000}
		slow := store.Namespace{Name: "default", Fingerprint: "slow", Unit: time.Second, Last: 1, Window: 60}
		granted := map[string]int64{}
		end := time.Time{} // of what was granted last
		for _, n := range []store.Namespace{fast, slow, fast, slow} {
			lucky(t, func() error { return s.Init(t.Context(), n, store.InitOptions{Fresh: true}) })
			lucky(t, func() error { return s.Quarantine(t.Context(), "default", n.TickAt(time.Now())) })
			var v store.View
			view := func() (err error) { v, err = s.View(t.Context(), "default", 0, 1); return err }
			lucky(t, view)
			until, _ := v.Parked(v.Rows[0])
			assert.Less(t, until.Sub(v.Now), 10*time.Minute)
			time.Sleep(max(0, until.Sub(v.Now)) + 2*time.Second)
			lucky(t, view)
			_, parked := v.Parked(v.Rows[0])
			assert.False(t, parked)
			next := v.Next(v.Rows[0])
			assert.Greater(t, next, granted[n.Fingerprint])
			assert.False(t, v.Start(next).Before(end), "what rows show of another layout is kept, too")
			lucky(t, func() error {
				w := write(v, true)
				w.High = v.MaxHigh()
				applied, err := s.Write(t.Context(), w)
				if err == nil && applied {
					granted[n.Fingerprint], end = w.High, v.Start(w.High+1)
				}
				return err
			})
			lucky(t, func() error {
				err := s.Remove(t.Context(), "default", store.RemoveOptions{Held: true})
				if b, reading := s.book(t.Context()); reading == nil && b.data[keyNamespace+"default"] == "" {
					return nil
				}
				return err
			})
		}
		b, err := s.book(t.Context())
		require.NoError(t, err)
		for _, n := range []store.Namespace{fast, slow} {
			space, err := store.ParseSpace(b.space(n.Fingerprint))
			assert.NoError(t, err)
			assert.Less(t, time.UnixMilli(space.GrantedUntil), time.Now().Add(time.Hour))
		}
	})
}
