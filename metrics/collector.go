// Package metrics exports the state of running generators to Prometheus.
//
//	registry.MustRegister(metrics.NewCollector("orders", gen))
//
// Each scrape reads the generator's Stats and Ready; takes cost nothing more. A Grafana
// dashboard and alert rules are in the folder grafana. For expvar no package is needed:
// see uid's ExampleStats.
package metrics

import (
	"errors"
	"strconv"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/ringuid/ringuid/uid"
)

// NewCollector returns a collector for one generator, such as a uid.CachedGenerator. name becomes
// the label "generator"; generators of one registry need different names.
func NewCollector(name string, gen interface {
	Stats() uid.Stats
	Ready() error
}) prometheus.Collector {
	desc := func(metric, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(metric, help, labels, prometheus.Labels{"generator": name})
	}
	c := &collector{stats: gen.Stats, ready: gen.Ready, lease: desc("ringuid_lease_info",
		"The worker id in use and its safety class; always 1. Absent while there is none.",
		"worker_id", "class")}
	for _, v := range values(uid.Stats{}, nil) {
		c.descs = append(c.descs, desc(v.name, v.help))
	}
	return c
}

type collector struct {
	stats func() uid.Stats
	ready func() error
	descs []*prometheus.Desc // of values, in their order
	lease *prometheus.Desc
}

// value is one number. A metric that does not apply is left out.
type value struct {
	name, help string
	number     float64
	applies    bool
}

func values(s uid.Stats, notReady error) []value {
	ready := 1.0
	if notReady != nil {
		ready = 0
	}
	lost := 0.0
	if s.LeaseLost {
		lost = 1
	}
	ring := s.RingSize > 0 // else it is not a cached generator
	return []value{
		{"ringuid_ready", "1 if a take would succeed now without waiting, else 0.", ready, true},
		{"ringuid_ids_total", "Ids handed out.", float64(s.Taken), true},
		{"ringuid_takes_waited_total", "Calls that found no id and had to wait.",
			float64(s.Waits), true},
		{"ringuid_takes_rejected_total", "Calls that returned an error.", float64(s.Rejected), true},
		{"ringuid_leases_total", "Worker ids held since the start.", float64(s.Leases), true},
		{"ringuid_lease_lost", "1 while the worker id is lost and there is no other yet, else 0.", lost,
			true},
		{"ringuid_store_rollbacks_total", "Worker ids lost because the store went back in time.",
			float64(s.Rollbacks), true},
		{"ringuid_copies_total", "How often this machine was copied, as the generation showed.",
			float64(s.Copies), true},
		{"ringuid_refills_total", "Times that ids were put into the ring.", float64(s.Refills), ring},
		{"ringuid_puts_rejected_total", "Ticks that did not fit whole into the ring.",
			float64(s.RejectedPuts), ring},
		{"ringuid_ids_discarded_total", "Ids discarded by the reject-put policy.",
			float64(s.Discarded), ring},
		{"ringuid_ids_dropped_total", "Ids discarded because they were too old, or flushed.",
			float64(s.Dropped), ring},
		{"ringuid_handler_panics_total", "Panics in the user's handlers.", float64(s.Faults), true},
		{"ringuid_ring_size_ids", "Ids that fit into the ring.", float64(s.RingSize), ring},
		{"ringuid_ring_left_ids", "Ids in the ring: none but in bursts and before a grant ends.",
			float64(s.Left), ring},
		{"ringuid_ahead_seconds",
			"How far the end of the tick whose ids are handed out lies after now; negative when before.",
			s.Ahead.Seconds(), !s.LastTick.IsZero()},
		{"ringuid_lease_granted_until_timestamp_seconds",
			"When the time that the lease granted ends; absent for a lease without an end, or lost.",
			float64(s.GrantedUntil.Unix()), !s.GrantedUntil.IsZero() && !s.LeaseLost},
		{"ringuid_clock_offset_seconds",
			"How far this machine's clock is ahead of the store's; negative when behind.",
			s.ClockOffset.Seconds(), s.ClockUncertainty > 0 && !s.LeaseLost},
		{"ringuid_clock_uncertainty_seconds", "How much ringuid_clock_offset_seconds may be wrong.",
			s.ClockUncertainty.Seconds(), s.ClockUncertainty > 0 && !s.LeaseLost},
		{"ringuid_layout_end_timestamp_seconds", "When the time bits of the layout are used up.",
			float64(s.LayoutEnd.Unix()), !s.LayoutEnd.IsZero()},
	}
}

// Describe is part of prometheus.Collector.
func (c *collector) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range c.descs {
		ch <- d
	}
	ch <- c.lease
}

// Collect is part of prometheus.Collector.
func (c *collector) Collect(ch chan<- prometheus.Metric) {
	s, notReady := c.stats(), c.ready()
	for i, v := range values(s, notReady) {
		kind := prometheus.GaugeValue
		if strings.HasSuffix(v.name, "_total") { // Prometheus's convention for names
			kind = prometheus.CounterValue
		}
		if v.applies {
			ch <- prometheus.MustNewConstMetric(c.descs[i], kind, v.number)
		}
	}
	if !s.LeaseLost && !errors.Is(notReady, uid.ErrClosed) {
		ch <- prometheus.MustNewConstMetric(c.lease, prometheus.GaugeValue, 1,
			strconv.FormatInt(s.WorkerID, 10), s.Class.String())
	}
}
