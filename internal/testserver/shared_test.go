package testserver

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestASharedServerOutlastsItsTests(t *testing.T) {
	if _, ok := redis().find(); !ok {
		Missing(t, redis().name, redis().install)
	}
	var servers []*Server
	shared := Share(func(t testing.TB) *Server {
		servers = append(servers, Redis(t))
		return servers[len(servers)-1]
	})
	code := shared.Around(Around(func() int {
		for _, name := range []string{"first", "second"} {
			t.Run(name, func(t *testing.T) { require.NoError(t, shared.Get(t).Ping()) })
		}
		return 7
	})).Run()
	assert.Equal(t, 7, code)
	require.Len(t, servers, 1)
	assert.Error(t, servers[0].Ping(), "it is stopped behind the last test")
}
