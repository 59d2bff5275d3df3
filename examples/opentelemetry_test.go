package examples

import (
	"bytes"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	bridge "go.opentelemetry.io/contrib/bridges/prometheus"
	"go.opentelemetry.io/otel/exporters/stdout/stdoutmetric"
	"go.opentelemetry.io/otel/sdk/metric"

	"github.com/ringuid/ringuid/metrics"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// OpenTelemetry's bridge reads a Prometheus registry at each export, here one into a buffer.
func TestMetricsGoThroughOpenTelemetry(t *testing.T) {
	gen, err := uid.New(t.Context(), worker.Static(7), uid.Config{})
	require.NoError(t, err)
	defer gen.Close()
	var sent bytes.Buffer
	exporter, err := stdoutmetric.New(stdoutmetric.WithWriter(&sent)) // or otlpmetricgrpc.New
	require.NoError(t, err)
	registry := prometheus.NewRegistry()
	registry.MustRegister(metrics.NewCollector("orders", gen))
	provider := metric.NewMeterProvider(metric.WithReader(metric.NewPeriodicReader(exporter,
		metric.WithProducer(bridge.NewMetricProducer(bridge.WithGatherer(registry))))))

	_, err = gen.AppendUIDs(nil, 5)
	require.NoError(t, err)
	require.NoError(t, provider.Shutdown(t.Context())) // exports what there is
	assert.Regexp(t, `"ringuid_ids_total"[^]]*"orders"[^]]*][^]]*"Value":5[,}]`, sent.String())
	assert.Regexp(t, `"ringuid_ready"[^]]*"orders"[^]]*][^]]*"Value":1[,}]`, sent.String())
}
