package worker

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/store"
)

// millis is a layout whose ticks are a thousand times as many as need's.
var millis = Need{Unit: time.Millisecond, MaxID: 1023, Fingerprint: "of milliseconds"}

// remake gives the namespace to another layout, whoever holds its worker ids.
func (s *env) remake(n Need) {
	require.NoError(s, s.Remove(s.Context(), "default",
		store.RemoveOptions{Held: true, Slack: DefaultSlack}))
	ns, err := NewNamespace("default", n, 0, 1, 0)
	require.NoError(s, err)
	require.NoError(s, s.Init(s.Context(), ns, InitOptions{Fresh: true, Slack: DefaultSlack}))
}

// assignFor takes a worker id for a layout, until the end of the test.
func (s *env) assignFor(a Assigner, n Need) Lease {
	l, err := a.Assign(s.Context(), n)
	require.NoError(s, err)
	s.leases = append(s.leases, l)
	return l
}

// noticed lets a holder see the store go back in time, and returns what was granted to it.
func (s *env) noticed(a Assigner, restore func(), n Need) (last int64) {
	l := s.assignFor(a, n)
	time.Sleep(20 * time.Second)
	_, last = l.Grant()
	restore()
	time.Sleep(time.Minute)
	synctest.Wait()
	require.ErrorIs(s, l.Err(), ErrRolledBack)
	return last
}

// soonUsable: the namespace grants something soon.
func (s *env) soonUsable() {
	v, err := s.Store.View(s.Context(), "default", 0, 1)
	require.NoError(s, err)
	require.Equal(s, need.Fingerprint, v.Fingerprint)
	require.Less(s, v.Floor, nowTick()+300)
}

// The floor that was due in milliseconds would close a namespace of seconds for some
// thirty thousand years.
func TestARollbackIsNotRepairedInTheTicksOfAnotherLayout(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, s *env) {
		s.remake(millis)
		a := Leased(s.flaky, s.claim)
		s.noticed(a, s.backup(), millis)
		require.NoError(t, s.assignFor(a, millis).Release(t.Context(), math.MinInt64),
			"the floor is raised")
		s.remake(need)

		_, err := a.Assign(t.Context(), millis)
		require.ErrorIs(t, err, ErrNamespace)
		s.soonUsable()
		s.assignFor(a, need)
	})
}

func TestAHolderDoesNotRepairARollbackInTheTicksOfAnotherLayout(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, s *env) {
		s.remake(millis)
		a := Leased(s.flaky, s.claim)
		s.noticed(a, s.backup(), millis)
		l := s.assignFor(a, millis)
		s.remake(need)

		time.Sleep(time.Minute)
		synctest.Wait()
		require.ErrorIs(t, l.Err(), ErrNamespace)
		s.soonUsable()
	})
}

// The floor was not raised before the namespace was made again. Then somebody restores the
// backup once more.
func TestARollbackStaysKnownWhileTheNamespaceIsAnothers(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, s *env) {
		s.remake(millis)
		a := Leased(refusing{s.flaky}, s.claim)
		restore := s.backup()
		granted := s.noticed(a, restore, millis)
		s.remake(need)
		_, err := a.Assign(t.Context(), millis)
		require.ErrorIs(t, err, ErrNamespace)
		s.soonUsable()

		restore()
		_, err = a.Assign(t.Context(), millis)
		require.ErrorIs(t, err, ErrRolledBack)
		require.ErrorIs(t, err, errPermission)
		require.NoError(t, s.Quarantine(t.Context(), "default", granted+1), "an operator does it")
		lo, _ := s.assignFor(a, millis).Grant()
		assert.Greater(t, lo, granted)
	})
}
