package worker

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// registrarFunc answers as a test wants.
type registrarFunc func(context.Context, Node, Need) (int64, error)

func (f registrarFunc) Register(ctx context.Context, n Node, need Need) (int64, error) {
	return f(ctx, n, need)
}

func (registrarFunc) Class(context.Context) (Class, error) { return NeverReused, nil }

func answers(id int64) Registrar {
	return registrarFunc(func(context.Context, Node, Need) (int64, error) { return id, nil })
}

func TestDisposableRegistersAtEachAssign(t *testing.T) {
	var nodes []Node
	a := Disposable(registrarFunc(func(_ context.Context, n Node, _ Need) (int64, error) {
		nodes = append(nodes, n)
		return int64(len(nodes)), nil
	}))
	for want := int64(1); want <= 3; want++ {
		lease, err := a.Assign(t.Context(), Need{MaxID: 1023})
		require.NoError(t, err)
		assert.Equal(t, want, lease.WorkerID())
		assert.Equal(t, NeverReused, lease.Class())
		assertForever(t, lease)
	}
	this, err := ThisNode()
	require.NoError(t, err)
	for _, n := range nodes {
		assert.Equal(t, this.HostName, n.HostName)
		assert.Equal(t, this.Type, n.Type)
		assert.WithinDuration(t, this.LaunchDate, n.LaunchDate, time.Minute)
	}
}

// losing is a registrar whose settings lose rows, or cannot be read.
type losing struct {
	Registrar
	err error
}

func (l losing) Class(context.Context) (Class, error) { return 0, l.err }

func TestDisposableRefusesAStoreThatLosesRows(t *testing.T) {
	registered := false
	r := registrarFunc(func(context.Context, Node, Need) (int64, error) {
		registered = true
		return 7, nil
	})
	unsafe := losing{r, fmt.Errorf("%w: fsync is off", ErrStore)}
	lease, err := Disposable(unsafe).Assign(t.Context(), Need{MaxID: 1023})
	assert.Nil(t, lease)
	require.ErrorIs(t, err, ErrStore)
	assert.ErrorContains(t, err, "fsync is off")
	assert.False(t, registered, "no row for nothing")

	lease, err = Disposable(AllowUnfenced(unsafe)).Assign(t.Context(), Need{MaxID: 1023})
	require.NoError(t, err)
	assert.Equal(t, int64(7), lease.WorkerID())
	assert.Equal(t, Unfenced, lease.Class())

	lease, err = Disposable(AllowUnfenced(r)).Assign(t.Context(), Need{MaxID: 1023})
	require.NoError(t, err)
	assert.Equal(t, NeverReused, lease.Class(), "it loses nothing")
}

// Whoever forbids to read the settings is no store for Leased either.
func TestDisposableWithoutTheSettings(t *testing.T) {
	unknown := errors.New("permission denied")
	r := losing{answers(1), unknown}
	for _, r := range []Registrar{r, AllowUnfenced(r)} {
		_, err := Disposable(r).Assign(t.Context(), Need{MaxID: 1023})
		require.ErrorIs(t, err, unknown)
	}
}

func TestDisposableRefusesKeys(t *testing.T) {
	for _, c := range []struct {
		name  string
		id    int64
		words []string
	}{
		{"past the layout", 1024, []string{"1024", "1023", "worker bits", "recycle", "new epoch"}},
		{"lost key, as in baidu/uid-generator issue 46", 0, []string{"answered 0", "lost"}},
		{"negative, which Baidu's accepts", -3, []string{"answered -3", "from 1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			lease, err := Disposable(answers(c.id)).Assign(t.Context(), Need{MaxID: 1023})
			assert.Nil(t, lease)
			require.ErrorIs(t, err, ErrRange)
			for _, word := range c.words {
				assert.ErrorContains(t, err, word)
			}
		})
	}
}

func TestDisposablePassesErrorsOn(t *testing.T) {
	down := errors.New("store is down")
	a := Disposable(registrarFunc(func(context.Context, Node, Need) (int64, error) { return 5, down }))
	lease, err := a.Assign(t.Context(), Need{MaxID: 1023})
	assert.Nil(t, lease)
	assert.ErrorIs(t, err, down)
}

func TestDisposableDoesNotRegisterWhatHasNoName(t *testing.T) {
	half := errors.New("half a container")
	d := disposable{
		registrar: registrarFunc(func(context.Context, Node, Need) (int64, error) {
			t.Error("registered")
			return 1, nil
		}),
		self: func() (Node, error) { return Node{}, half },
	}
	_, err := d.Assign(t.Context(), Need{MaxID: 1023})
	assert.ErrorIs(t, err, half)
}
