package testserver

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestServerThatCannotStart(t *testing.T) {
	s := Redis(t)
	s.Stop()
	s.args = append(s.args, "--no-such-option", "1")
	err := s.launch()
	require.ErrorContains(t, err, "it ended")
	assert.Contains(t, s.log(), "no-such-option")
}
