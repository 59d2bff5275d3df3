package metrics_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/metrics"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// scrape serves the collectors and reads them as Prometheus does.
func scrape(t *testing.T, collectors ...prometheus.Collector) string {
	registry := prometheus.NewPedanticRegistry()
	for _, c := range collectors {
		require.NoError(t, registry.Register(c))
	}
	problems, err := testutil.GatherAndLint(registry)
	require.NoError(t, err)
	assert.Empty(t, problems, "names and units")

	server := httptest.NewServer(promhttp.HandlerFor(registry,
		promhttp.HandlerOpts{EnableOpenMetrics: true}))
	defer server.Close()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
	require.NoError(t, err)
	request.Header.Set("Accept", "application/openmetrics-text; version=1.0.0")
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	assert.Contains(t, response.Header.Get("Content-Type"), "openmetrics")
	return string(text)
}

func generators(t *testing.T) (*uid.CachedGenerator, *uid.DefaultGenerator) {
	noon := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	layout := uid.Layout{Epoch: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Unit: time.Second,
		TimeBits: 28, WorkerBits: 22, SeqBits: 13}
	now, quiet := func() time.Time { return noon }, slog.New(slog.DiscardHandler)
	cached, err := uid.New(t.Context(), worker.Static(7),
		uid.Config{Layout: layout, Now: now, AllowRepeats: true, Logger: quiet})
	require.NoError(t, err)
	t.Cleanup(func() { cached.Close() })
	plain, err := uid.NewDefault(t.Context(), worker.Static(8),
		uid.DefaultConfig{Layout: layout, Now: now, AllowRepeats: true, Logger: quiet})
	require.NoError(t, err)
	t.Cleanup(func() { plain.Close() })
	return cached, plain
}

func TestAScrapeShowsTheStats(t *testing.T) {
	cached, plain := generators(t)
	for range 3 {
		_, err := cached.GetUID()
		require.NoError(t, err)
		_, err = plain.GetUID()
		require.NoError(t, err)
	}
	text := scrape(t, metrics.NewCollector("cached", cached), metrics.NewCollector("plain", plain))
	for _, line := range []string{
		`ringuid_ids_total{generator="cached"} 3.0`,
		`ringuid_ids_total{generator="plain"} 3.0`,
		`ringuid_ring_size_ids{generator="cached"} 65536.0`,
		`ringuid_ring_left_ids{generator="cached"} 0.0`,
		`ringuid_ahead_seconds{generator="cached"} 1.0`,
		`ringuid_ahead_seconds{generator="plain"} 1.0`,
		`ringuid_takes_rejected_total{generator="cached"} 0.0`,
		`ringuid_store_rollbacks_total{generator="cached"} 0.0`,
		`ringuid_copies_total{generator="cached"} 0.0`,
		`ringuid_layout_end_timestamp_seconds{generator="plain"} 2.035661056e+09`,
		`ringuid_lease_info{class="Unfenced",generator="cached",worker_id="7"} 1.0`,
	} {
		assert.Contains(t, text, line+"\n")
	}
	assert.NotContains(t, text, `ringuid_ring_size_ids{generator="plain"}`, "it has no ring")
	assert.NotContains(t, text, "granted_until", "a static worker id has no end")
}

func TestALeaseShowsItsEnd(t *testing.T) {
	until := time.Date(2026, 7, 1, 12, 1, 0, 0, time.UTC)
	text := scrape(t, metrics.NewCollector("x", fake{GrantedUntil: until, Class: worker.Fenced}))
	assert.Contains(t, text,
		`ringuid_lease_granted_until_timestamp_seconds{generator="x"} 1.78290726e+09`)
	assert.Contains(t, text, `class="Fenced"`)
	assert.NotContains(t, text, "ringuid_clock", "it is not known")
	text = scrape(t, metrics.NewCollector("x", fake{ClockOffset: -2500 * time.Millisecond,
		ClockUncertainty: 20 * time.Millisecond}))
	assert.Contains(t, text, `ringuid_clock_offset_seconds{generator="x"} -2.5`)
	assert.Contains(t, text, `ringuid_clock_uncertainty_seconds{generator="x"} 0.02`)
	text = scrape(t, metrics.NewCollector("x", fake{Rollbacks: 2}))
	assert.Contains(t, text, `ringuid_store_rollbacks_total{generator="x"} 2.0`)
}

type fake uid.Stats

func (f fake) Stats() uid.Stats { return uid.Stats(f) }
func (fake) Ready() error       { return nil }

func TestAGeneratorThatHasNoIDIsNotReady(t *testing.T) {
	cached, plain := generators(t)
	shown := func(state string) {
		text := scrape(t, metrics.NewCollector("cached", cached), metrics.NewCollector("plain", plain))
		assert.Contains(t, text, `ringuid_ready{generator="cached"} `+state+"\n")
		assert.Contains(t, text, `ringuid_ready{generator="plain"} `+state+"\n")
	}
	shown("1.0")
	require.NoError(t, cached.Close())
	require.NoError(t, plain.Close())
	shown("0.0")
}

// checkDashboard: every panel shows what is chosen alone.
func checkDashboard(t *testing.T, content []byte) {
	var dashboard struct {
		Panels     []struct{ Targets []struct{ Expr string } }
		Templating struct{ List []struct{ Name string } }
	}
	require.NoError(t, json.Unmarshal(content, &dashboard))
	for _, p := range dashboard.Panels {
		for _, target := range p.Targets {
			selected := strings.Count(target.Expr, `{generator=~"$generator", instance=~"$instance"}`)
			assert.Equal(t, strings.Count(target.Expr, "ringuid_"), selected, target.Expr)
		}
	}
	assert.Len(t, dashboard.Templating.List, 3, "datasource, generator, instance")
}

// The dashboard and the alerts ask for metrics that exist.
func TestTheDashboardAndTheAlertsKnowTheMetrics(t *testing.T) {
	cached, _ := generators(t)
	_, err := cached.GetUID()
	require.NoError(t, err)
	text := scrape(t, metrics.NewCollector("x", cached)) +
		scrape(t, metrics.NewCollector("y", fake{GrantedUntil: time.Unix(1, 0), ClockUncertainty: 1}))
	name := regexp.MustCompile(`\bringuid_[a-z_]+`)
	known := name.FindAllString(text, -1)
	for _, file := range []string{"grafana/dashboard.json", "grafana/alerts.yaml"} {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		asked := name.FindAllString(string(content), -1)
		assert.NotEmpty(t, asked)
		for _, metric := range asked {
			assert.True(t, slices.Contains(known, metric) || strings.HasPrefix(metric, "ringuid_server_"),
				"%s asks for %s", file, metric) // the command's test knows those of `ringuid serve`
		}
		if strings.HasSuffix(file, ".json") {
			checkDashboard(t, content)
		}
	}
}
