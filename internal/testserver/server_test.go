package testserver

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var all = map[string]func(testing.TB, ...Option) *Server{
	"MariaDB":    MariaDB,
	"MySQL":      MySQL,
	"PostgreSQL": Postgres,
	"Redis":      Redis,
	"ZooKeeper":  ZooKeeper,
	"etcd":       Etcd,
}

func TestStopKillAndStart(t *testing.T) {
	for name, startServer := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startServer(t, Durable())
			require.NoError(t, s.Ping())
			addr := s.Addr()
			assert.Contains(t, s.DSN(), addr)
			assert.Contains(t, s.URL(), addr)
			s.Start() // runs already

			for how, end := range map[string]func(){"stopped": s.Stop, "killed": s.Kill} {
				end()
				require.Error(t, s.Ping(), how)
				end()
				s.Start()
				require.NoError(t, s.Ping(), "%s, started again", how)
				assert.Equal(t, addr, s.Addr())
			}
		})
	}
}

func TestServerThatCannotStart(t *testing.T) {
	s := Redis(t)
	s.Stop()
	s.args = append(s.args, "--no-such-option", "1")
	err := s.launch()
	require.ErrorContains(t, err, "it ended")
	assert.Contains(t, s.log(), "no-such-option")
}
