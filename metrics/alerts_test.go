package metrics_test

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
)

// Prometheus's own tool runs the rules over metrics that are written down in
// alerts_test.yaml, with what is to fire when.
func TestTheAlertsFireWhenTheyShouldAndElseNot(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		testserver.Missing(t, "promtool", "apt-get install prometheus, or brew install prometheus")
	}
	for _, arguments := range [][]string{
		{"check", "rules", "alerts.yaml"},
		{"test", "rules", "alerts_test.yaml"},
	} {
		command := exec.Command(promtool, arguments...)
		command.Dir = "grafana"
		out, err := command.CombinedOutput()
		require.NoError(t, err, string(out))
	}
}
