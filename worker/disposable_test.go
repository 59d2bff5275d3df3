package worker

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/machine"
	"github.com/ringuid/ringuid/worker/store"
)

// registrarFunc answers as a test wants.
type registrarFunc func(context.Context, store.Node, int64) (int64, error)

func (f registrarFunc) Register(ctx context.Context, n store.Node, maxID int64) (int64, error) {
	return f(ctx, n, maxID)
}

func (registrarFunc) Kept(context.Context) error { return nil }

func answers(id int64) store.Registrar {
	return registrarFunc(func(context.Context, store.Node, int64) (int64, error) { return id, nil })
}

func TestDisposableRegistersAtEachAssign(t *testing.T) {
	var nodes []store.Node
	a := Disposable(registrarFunc(func(_ context.Context, n store.Node, _ int64) (int64, error) {
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
	this, err := thisNode()
	require.NoError(t, err)
	for _, n := range nodes {
		assert.Equal(t, this.HostName, n.HostName)
		assert.Equal(t, this.Type, n.Type)
		assert.WithinDuration(t, this.LaunchDate, n.LaunchDate, time.Minute)
	}
}

// losing is a registrar whose settings lose rows, or cannot be read.
type losing struct {
	store.Registrar
	err error
}

func (l losing) Kept(context.Context) error { return l.err }

func TestDisposableRefusesAStoreThatLosesRows(t *testing.T) {
	registered := false
	r := registrarFunc(func(context.Context, store.Node, int64) (int64, error) {
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

	unknown := losing{r, fmt.Errorf("%w: to read the settings", ErrDenied)}
	for _, r := range []store.Registrar{unknown, AllowUnfenced(unknown)} {
		_, err := Disposable(r).Assign(t.Context(), Need{MaxID: 1023})
		require.ErrorIs(t, err, unknown.err)
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
			require.ErrorIs(t, err, ErrIDRange)
			for _, word := range c.words {
				assert.ErrorContains(t, err, word)
			}
		})
	}
}

// on is a machine with the given environment, addresses (CIDR) and host name; no name means
// that it cannot be had.
func on(env map[string]string, hostName string, cidrs ...string) machine.Machine {
	return machine.Machine{
		Getenv: func(k string) string { return env[k] },
		Addrs: func() ([]net.Addr, error) {
			if cidrs == nil {
				return nil, errors.New("no network")
			}
			var addrs []net.Addr
			for _, c := range cidrs {
				ip, n, err := net.ParseCIDR(c)
				if err != nil {
					return nil, err
				}
				addrs = append(addrs, &net.IPNet{IP: ip, Mask: n.Mask})
			}
			return addrs, nil
		},
		HostName: func() (string, error) {
			if hostName == "" {
				return "", errors.New("no name")
			}
			return hostName, nil
		},
	}
}

// setMachine lets the process run on another machine until the end of the test.
func setMachine(t *testing.T, m machine.Machine) {
	this := machine.This
	machine.This = m
	t.Cleanup(func() { machine.This = this })
}

func TestNodeOfAMachine(t *testing.T) {
	const loop4, loop6, link4, link6 = "127.0.0.1/8", "::1/128", "169.254.3.4/16", "fe80::1/64"
	long := "checkout-" + strings.Repeat("x", 60) + "-7d9f-abcde"
	for _, c := range []struct {
		name  string
		at    machine.Machine
		wants string
	}{
		{"IPv4", on(nil, "box", loop4, "10.1.2.3/24"), "10.1.2.3"},
		{"IPv6", on(nil, "box", loop6, link6, "2001:db8::7/64"), "2001:db8::7"},
		{"first of many", on(nil, "box", loop4, loop6, link4, "192.0.2.1/24", "10.1.2.3/24"),
			"192.0.2.1"},
		{"no address: pod name", on(map[string]string{"POD_NAME": "shop-0"}, "box", loop4, link6),
			"shop-0"},
		{"no address, no pod: host name", on(nil, "box", loop4, loop6), "box"},
		{"no network at all", on(nil, "box"), "box"},
		{"nothing", on(nil, ""), "localhost"},
		{"an address goes before the pod name", on(map[string]string{"POD_NAME": "shop-0"}, "box",
			"10.1.2.3/24"), "10.1.2.3"},
		{"longer than the column", on(nil, long), long[:30] + "..." + long[len(long)-31:]},
		{"letters that the column may not hold", on(nil, "büro-pc\x00"), "b?ro-pc?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			setMachine(t, c.at)
			n, err := thisNode()
			require.NoError(t, err)
			assert.Equal(t, c.wants, n.HostName)
			assert.LessOrEqual(t, len(n.HostName), 64)
			assert.Equal(t, 2, n.Type, "ACTUAL")
			assert.WithinDuration(t, time.Now(), n.LaunchDate, time.Minute)
			assert.Regexp(t, fmt.Sprintf(`^%d-\d{1,5}$`, n.LaunchDate.UnixMilli()), n.Port)
		})
	}
}

func TestNodeOfAContainer(t *testing.T) {
	for _, c := range []struct {
		name       string
		env        map[string]string
		host, port string
		err        string
	}{
		{"host and port", map[string]string{"JPAAS_HOST": "10.9.8.7", "JPAAS_HTTP_PORT": "8081"},
			"10.9.8.7", "8081", ""},
		{"the other port", map[string]string{"JPAAS_HOST": "10.9.8.7", "JPAAS_HOST_PORT_8080": "32001"},
			"10.9.8.7", "32001", ""},
		{"both ports", map[string]string{"JPAAS_HOST": "h", "JPAAS_HTTP_PORT": "1",
			"JPAAS_HOST_PORT_8080": "2"}, "h", "1", ""},
		{"blank counts as unset", map[string]string{"JPAAS_HOST": "h", "JPAAS_HTTP_PORT": " ",
			"JPAAS_HOST_PORT_8080": "2"}, "h", "2", ""},
		{"no port", map[string]string{"JPAAS_HOST": "10.9.8.7"}, "", "",
			`JPAAS_HOST is "10.9.8.7", and the port in JPAAS_HTTP_PORT or JPAAS_HOST_PORT_8080 ""`},
		{"no host", map[string]string{"JPAAS_HTTP_PORT": "8081"}, "", "", `JPAAS_HOST is ""`},
		{"no host, other port", map[string]string{"JPAAS_HOST_PORT_8080": "8081"}, "", "",
			`8080 "8081": set both`},
	} {
		t.Run(c.name, func(t *testing.T) {
			setMachine(t, on(c.env, "box", "10.1.2.3/24"))
			n, err := thisNode()
			if c.err != "" {
				require.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, store.Node{HostName: c.host, Port: c.port, Type: 1,
				LaunchDate: n.LaunchDate}, n)
		})
	}
}

func TestDisposableDoesNotRegisterWhatHasNoName(t *testing.T) {
	t.Setenv("JPAAS_HOST", "10.9.8.7")
	_, err := Disposable(registrarFunc(func(context.Context, store.Node, int64) (int64, error) {
		t.Error("registered")
		return 1, nil
	})).Assign(t.Context(), Need{MaxID: 1023})
	assert.ErrorContains(t, err, "set both, or neither")
}
