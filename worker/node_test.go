package worker

import (
	"errors"
	"net"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ringuid/ringuid/internal/machine"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var launch = time.Date(2026, 3, 4, 5, 6, 7, 89e6, time.UTC)

// place describes surroundings with the given environment, addresses (CIDR) and
// host name; no name means that it cannot be had.
func place(env map[string]string, hostName string, cidrs ...string) surroundings {
	m := machine.Machine{
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
	return surroundings{m, func() time.Time { return launch }, func(n int) int { return n - 1 }}
}

func TestNodeOfAMachine(t *testing.T) {
	const loop4, loop6, link4, link6 = "127.0.0.1/8", "::1/128", "169.254.3.4/16", "fe80::1/64"
	long := "checkout-" + strings.Repeat("x", 60) + "-7d9f-abcde"
	for _, c := range []struct {
		name  string
		at    surroundings
		wants string
	}{
		{"IPv4", place(nil, "box", loop4, "10.1.2.3/24"), "10.1.2.3"},
		{"IPv6", place(nil, "box", loop6, link6, "2001:db8::7/64"), "2001:db8::7"},
		{"first of many", place(nil, "box", loop4, loop6, link4, "192.0.2.1/24", "10.1.2.3/24"),
			"192.0.2.1"},
		{"no address: pod name", place(map[string]string{"POD_NAME": "shop-0"}, "box", loop4, link6),
			"shop-0"},
		{"no address, no pod: host name", place(nil, "box", loop4, loop6), "box"},
		{"no network at all", place(nil, "box"), "box"},
		{"nothing", place(nil, ""), "localhost"},
		{"an address goes before the pod name", place(map[string]string{"POD_NAME": "shop-0"}, "box",
			"10.1.2.3/24"), "10.1.2.3"},
		{"longer than the column", place(nil, long), long[:30] + "..." + long[len(long)-31:]},
		{"letters that the column may not hold", place(nil, "büro-pc\x00"), "b?ro-pc?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, err := c.at.node()
			require.NoError(t, err)
			assert.Equal(t, Node{c.wants, "1772600767089-99999", Actual, launch}, n)
			assert.LessOrEqual(t, len(n.HostName), 64)
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
			"set JPAAS_HTTP_PORT or JPAAS_HOST_PORT_8080"},
		{"no host", map[string]string{"JPAAS_HTTP_PORT": "8081"}, "", "", "set JPAAS_HOST"},
		{"no host, other port", map[string]string{"JPAAS_HOST_PORT_8080": "8081"}, "", "",
			"set JPAAS_HOST"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, err := place(c.env, "box", "10.1.2.3/24").node()
			if c.err != "" {
				require.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, Node{c.host, c.port, Container, launch}, n)
		})
	}
}

func TestThisNode(t *testing.T) {
	for _, k := range []string{"JPAAS_HOST", "JPAAS_HTTP_PORT", "JPAAS_HOST_PORT_8080"} {
		t.Setenv(k, "")
	}
	n, err := ThisNode()
	require.NoError(t, err)
	assert.Equal(t, Actual, n.Type)
	assert.NotEmpty(t, n.HostName)
	assert.Regexp(t, regexp.MustCompile(`^\d{13}-\d{1,5}$`), n.Port)
	assert.WithinDuration(t, time.Now(), n.LaunchDate, time.Minute)
}

func TestNodeTypesAreBaidus(t *testing.T) {
	assert.EqualValues(t, 1, Container)
	assert.EqualValues(t, 2, Actual)
	assert.Equal(t, "CONTAINER ACTUAL NodeType(3)",
		Container.String()+" "+Actual.String()+" "+NodeType(3).String())
}
