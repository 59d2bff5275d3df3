package metrics_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/metrics"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/memstore"
	"github.com/ringuid/ringuid/worker/store"
)

// scrapes is how often Prometheus asks, and evaluates the rules.
const scrapes = 15 * time.Second

// film is what Prometheus sees of a few processes, and which alerts are to fire when.
type film struct {
	t         *testing.T
	begin     time.Time // time 0 of promtool
	scraped   int
	processes []*process
	series    map[string][]string // of each, a value for each scrape
	expected  strings.Builder
}

// process is what one instance has.
type process struct {
	name   string
	gen    generator
	gather prometheus.Gatherer
	load   int // ids that it takes between two scrapes
}

type generator interface {
	Stats() uid.Stats
	Ready() error
	GetUIDContext(ctx context.Context) (uid.ID, error)
	Close() error
}

// quick takes ids without waiting, so that the scrapes stay 15 seconds apart.
func (p *process) quick(ctx context.Context) {
	for range p.load {
		if p.gen.Ready() != nil {
			return
		}
		_, _ = p.gen.GetUIDContext(ctx)
	}
}

func (f *film) add(name string, g generator) *process {
	registry := prometheus.NewPedanticRegistry()
	require.NoError(f.t, registry.Register(metrics.NewCollector("g", g)))
	p := &process{name: name, gen: g, gather: registry, load: 10}
	f.processes = append(f.processes, p)
	return p
}

// end closes a process, which is scraped no more.
func (f *film) end(p *process) {
	require.NoError(f.t, p.gen.Close())
	f.processes = slices.DeleteFunc(f.processes, func(o *process) bool { return o == p })
	f.stale(p, nil)
}

// stale ends the series of a process that a scrape does not show any more, as Prometheus does.
func (f *film) stale(p *process, shown map[string]bool) {
	for key := range f.series {
		if !shown[key] && strings.Contains(key, fmt.Sprintf("instance=%q", p.name)) {
			f.series[key] = append(f.series[key], "stale")
		}
	}
}

// run lets time pass, after which these alerts fire and no others.
func (f *film) run(long time.Duration, alerts ...string) {
	for range long / scrapes {
		time.Sleep(time.Until(f.begin.Add(time.Duration(f.scraped) * scrapes)))
		synctest.Wait()
		for _, p := range f.processes {
			f.scrape(p)
		}
		f.scraped++
		for _, p := range f.processes {
			p.quick(f.t.Context())
		}
	}
	slices.Sort(alerts)
	fmt.Fprintf(&f.expected, `      - expr: count by (alertname) (ALERTS{alertstate="firing"})
        eval_time: %ds
        exp_samples:
`, (f.scraped-1)*int(scrapes/time.Second))
	for _, alert := range alerts {
		fmt.Fprintf(&f.expected, "          - {labels: '{alertname=\"%s\"}', value: 1}\n", alert)
	}
}

func (f *film) scrape(p *process) {
	families, err := p.gather.Gather()
	require.NoError(f.t, err)
	shown := map[string]bool{}
	for _, family := range families {
		for _, m := range family.GetMetric() {
			labels := []string{fmt.Sprintf("instance=%q", p.name)}
			for _, l := range m.GetLabel() {
				labels = append(labels, fmt.Sprintf("%s=%q", l.GetName(), l.GetValue()))
			}
			value := m.GetGauge().GetValue() + m.GetCounter().GetValue()
			if strings.HasSuffix(family.GetName(), "_timestamp_seconds") {
				value -= float64(f.begin.Unix())
			}
			key := family.GetName() + "{" + strings.Join(labels, ",") + "}"
			shown[key] = true
			for len(f.series[key]) < f.scraped {
				f.series[key] = append(f.series[key], "_")
			}
			f.series[key] = append(f.series[key], fmt.Sprintf("%f", value))
		}
	}
	f.stale(p, shown)
}

// write writes a test for promtool.
func (f *film) write(file string) {
	rules, err := filepath.Abs("grafana/alerts.yaml")
	require.NoError(f.t, err)
	var text strings.Builder
	fmt.Fprintf(&text, "rule_files: [%q]\nevaluation_interval: 15s\ntests:\n  - interval: 15s\n"+
		"    input_series:\n", rules)
	for key, values := range f.series {
		fmt.Fprintf(&text, "      - {series: '%s', values: %s}\n", key, strings.Join(values, " "))
	}
	fmt.Fprintf(&text, "    promql_expr_test:\n%s", f.expected.String())
	require.NoError(f.t, os.WriteFile(file, []byte(text.String()), 0o600))
}

// flaky is a store that can be down for the processes that ask it through this one.
type flaky struct {
	store.Store
	down atomic.Bool
}

func (s *flaky) View(ctx context.Context, p store.Pool, first, last int64) (store.View, error) {
	if s.down.Load() {
		return store.View{}, errors.New("the store is down")
	}
	return s.Store.View(ctx, p, first, last)
}

func (s *flaky) Write(ctx context.Context, w store.Write) (bool, error) {
	if s.down.Load() {
		return false, errors.New("the store is down")
	}
	return s.Store.Write(ctx, w)
}

// Prometheus's own tool evaluates the rules over what generators export in each state. What
// an alert says is then so.
func TestTheAlertsOfEachStateAreTrue(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		testserver.Missing(t, "promtool", "apt-get install prometheus, or brew install prometheus")
	}
	const (
		notReady   = "RinguidNotReady"
		notRenewed = "RinguidLeaseNotRenewed"
		lost       = "RinguidWorkerIdLost"
		twice      = "RinguidWorkerIdHeldTwice"
		future     = "RinguidBorrowsTheFuture"
	)
	var files []string // of all films, for one start of the tool
	quiet := slog.New(slog.DiscardHandler)
	var shared store.Store
	// claim takes the one worker id there is.
	claim := worker.Claim{First: 1, Count: 1, Slack: time.Second, Logger: quiet}
	config := func() uid.Config {
		return uid.Config{Logger: quiet, Layout: uid.Layout{
			Epoch: time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC), Unit: 10 * time.Millisecond,
			TimeBits: 38, WorkerBits: 13, SeqBits: 3}}
	}
	cached := func(f *film, name string, a worker.Assigner, c uid.Config) *process {
		g, err := uid.New(f.t.Context(), a, c)
		require.NoError(f.t, err)
		return f.add(name, g)
	}
	plain := func(f *film, name string, a worker.Assigner, c uid.Config) *process {
		g, err := uid.NewDefault(f.t.Context(), a, uid.DefaultConfig{Layout: c.Layout, Now: c.Now,
			AllowRepeats: c.AllowRepeats, OnLeaseLost: c.OnLeaseLost, Logger: c.Logger})
		require.NoError(f.t, err)
		return f.add(name, g)
	}
	type starter func(*film, string, worker.Assigner, uid.Config) *process
	for name, kind := range map[string]starter{"cached": cached, "default": plain} {
		for state, play := range map[string]func(f *film){
			"a new pool, steady, closed": func(f *film) {
				p := kind(f, "a", worker.Leased(shared, claim), config())
				f.run(time.Minute)
				f.run(30 * time.Minute)
				require.NoError(f.t, p.gen.Close())
				f.run(time.Minute+scrapes*2, notReady)
			},
			"a worker id goes to the next process": func(f *film) {
				p := kind(f, "a", worker.Leased(shared, claim), config())
				f.run(5 * time.Minute)
				require.NoError(f.t, p.gen.Close()) // and is still scraped
				kind(f, "b", worker.Leased(shared, claim), config())
				f.run(5*time.Minute, notReady)
			},
			"the store is down, then back": func(f *film) {
				s := &flaky{Store: shared}
				kind(f, "a", worker.Leased(s, claim), config()).load = 250
				f.run(5 * time.Minute)
				s.down.Store(true)
				f.run(time.Minute, notRenewed)
				f.run(3*time.Minute, notRenewed, notReady)
				s.down.Store(false)
				f.run(time.Minute)
			},
			"fenced, and no other is free": func(f *film) {
				s := &flaky{Store: shared}
				p := kind(f, "a", worker.Leased(s, claim), config())
				p.load = 625
				f.run(5 * time.Minute)
				s.down.Store(true) // cut off, or paused: another takes the worker id
				f.run(3*time.Minute, notRenewed, notReady)
				b := kind(f, "b", worker.Leased(shared, claim), config())
				f.run(4*time.Minute, notRenewed, notReady)
				s.down.Store(false)
				f.run(10*time.Minute, lost, notReady)
				f.end(b)
				f.run(5*time.Minute, lost)
				f.run(20 * time.Minute)
				require.EqualValues(f.t, 2, p.gen.Stats().Leases)
			},
			"deleted, then acquired again": func(f *film) {
				p := kind(f, "a", worker.Leased(shared, claim), config())
				f.run(5 * time.Minute)
				require.NoError(f.t, shared.Delete(f.t.Context(), ""))
				f.run(5*time.Minute, lost)
				f.run(20 * time.Minute)
				require.EqualValues(f.t, 2, p.gen.Stats().Leases)
			},
			"two processes with one number": func(f *film) {
				kind(f, "a", worker.Static(7), config())
				f.run(5 * time.Minute)
				b := kind(f, "b", worker.Static(7), config())
				f.run(5*time.Minute, twice)
				f.end(b)
				f.run(5 * time.Minute)
			},
			"the clock was two hours ahead": func(f *film) {
				c, ahead := config(), atomic.Int64{}
				c.Now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
				ahead.Store(int64(2 * time.Hour))
				kind(f, "a", worker.Static(7), c).load = 125
				f.run(5 * time.Minute)
				ahead.Store(0)
				f.run(10*time.Minute, future, notReady)
				f.run(2 * time.Hour)
			},
		} {
			file := filepath.Join(t.TempDir(), name+": "+state)
			files = append(files, file)
			t.Run(name+": "+state, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					shared = memstore.New()
					f := &film{t: t, begin: time.Now(), series: map[string][]string{}}
					play(f)
					for _, p := range f.processes {
						require.NoError(t, p.gen.Close())
					}
					f.write(file)
				})
			})
		}
	}
	arguments := append([]string{"test", "rules"}, files...)
	out, err := exec.CommandContext(t.Context(), promtool, arguments...).CombinedOutput()
	require.NoError(t, err, string(out))
}
