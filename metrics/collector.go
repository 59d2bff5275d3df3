// Package metrics exports the state of running generators to Prometheus.
//
//	registry.MustRegister(metrics.NewCollector("orders", gen))
//
// Each scrape reads the generator's Stats and Ready; takes cost nothing more. A Grafana
// dashboard and alert rules are in the folder grafana. For expvar no package is needed:
// see uid's ExampleStats.
package metrics

import (
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/ringuid/ringuid/uid"
)

// Source is a generator, such as a uid.CachedGenerator or a uid.DefaultGenerator.
type Source interface {
	Stats() uid.Stats
	Ready() error
}

// NewCollector returns a collector for one generator. name becomes the label "generator";
// generators of one registry need different names.
func NewCollector(name string, s Source) prometheus.Collector {
	desc := func(metric, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(metric, help, labels, prometheus.Labels{"generator": name})
	}
	c := &collector{
		source: s,
		ready:  desc("ringuid_ready", "1 if a take would succeed now without waiting, else 0."),
		lease: desc("ringuid_lease_info", "The worker id in use and its safety class; always 1.",
			"worker_id", "class"),
	}
	for _, m := range values {
		c.descs = append(c.descs, desc(m.name, m.help))
	}
	return c
}

type collector struct {
	source Source
	descs  []*prometheus.Desc // of values, in their order
	ready  *prometheus.Desc
	lease  *prometheus.Desc
}

// value is one number of Stats. A metric that does not apply is left out.
type value struct {
	name, help string
	of         func(uid.Stats) (v float64, applies bool)
}

var values = []value{
	{"ringuid_ids_total", "Ids handed out.",
		count(func(s uid.Stats) int64 { return s.Taken })},
	{"ringuid_takes_waited_total", "Calls that found no id and had to wait.",
		count(func(s uid.Stats) int64 { return s.Waits })},
	{"ringuid_takes_rejected_total", "Calls that returned an error.",
		count(func(s uid.Stats) int64 { return s.Rejected })},
	{"ringuid_leases_total", "Worker ids held since the start.",
		count(func(s uid.Stats) int64 { return s.Leases })},
	{"ringuid_store_rollbacks_total", "Worker ids lost because the store went back in time.",
		count(func(s uid.Stats) int64 { return s.Rollbacks })},
	{"ringuid_refills_total", "Times that ids were put into the ring.",
		ofRing(func(s uid.Stats) int64 { return s.Refills })},
	{"ringuid_puts_rejected_total", "Ticks that did not fit whole into the ring.",
		ofRing(func(s uid.Stats) int64 { return s.RejectedPuts })},
	{"ringuid_ids_discarded_total", "Ids discarded by the reject-put policy.",
		ofRing(func(s uid.Stats) int64 { return s.Discarded })},
	{"ringuid_ids_dropped_total", "Ids discarded because they were too old, or flushed.",
		ofRing(func(s uid.Stats) int64 { return s.Dropped })},
	{"ringuid_handler_panics_total", "Panics in the user's handlers.",
		count(func(s uid.Stats) int64 { return s.Faults })},
	{"ringuid_ring_size_ids", "Ids that fit into the ring.",
		ofRing(func(s uid.Stats) int64 { return s.RingSize })},
	{"ringuid_ring_left_ids", "Ids in the ring.",
		ofRing(func(s uid.Stats) int64 { return s.Left })},
	{"ringuid_ahead_seconds",
		"How far the end of the tick whose ids are handed out lies after now; negative when before.",
		func(s uid.Stats) (float64, bool) { return s.Ahead.Seconds(), !s.LastTick.IsZero() }},
	{"ringuid_lag_seconds",
		"Now minus the end of the oldest tick in the ring, or of what a stream or CPU took last; " +
			"negative when ahead.",
		func(s uid.Stats) (float64, bool) { return s.Lag.Seconds(), s.Left > 0 || s.Lag != 0 }},
	{"ringuid_lease_granted_until_timestamp_seconds",
		"When the time that the lease granted ends; absent for a lease without an end.",
		instant(func(s uid.Stats) time.Time { return s.GrantedUntil })},
	{"ringuid_layout_end_timestamp_seconds", "When the time bits of the layout are used up.",
		instant(func(s uid.Stats) time.Time { return s.LayoutEnd })},
}

// kind is a counter's, by the convention of Prometheus for names, or a gauge's.
func (v value) kind() prometheus.ValueType {
	if strings.HasSuffix(v.name, "_total") {
		return prometheus.CounterValue
	}
	return prometheus.GaugeValue
}

func count(of func(uid.Stats) int64) func(uid.Stats) (float64, bool) {
	return func(s uid.Stats) (float64, bool) { return float64(of(s)), true }
}

// ofRing is for what only a cached generator has.
func ofRing(of func(uid.Stats) int64) func(uid.Stats) (float64, bool) {
	return func(s uid.Stats) (float64, bool) { return float64(of(s)), s.RingSize > 0 }
}

func instant(of func(uid.Stats) time.Time) func(uid.Stats) (float64, bool) {
	return func(s uid.Stats) (float64, bool) { return float64(of(s).Unix()), !of(s).IsZero() }
}

// Describe is part of prometheus.Collector.
func (c *collector) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range c.descs {
		ch <- d
	}
	ch <- c.ready
	ch <- c.lease
}

// Collect is part of prometheus.Collector.
func (c *collector) Collect(ch chan<- prometheus.Metric) {
	s := c.source.Stats()
	for i, m := range values {
		if v, ok := m.of(s); ok {
			ch <- prometheus.MustNewConstMetric(c.descs[i], m.kind(), v)
		}
	}
	ready := 1.0
	if c.source.Ready() != nil {
		ready = 0
	}
	ch <- prometheus.MustNewConstMetric(c.ready, prometheus.GaugeValue, ready)
	ch <- prometheus.MustNewConstMetric(c.lease, prometheus.GaugeValue, 1,
		strconv.FormatInt(s.WorkerID, 10), s.Class.String())
}
