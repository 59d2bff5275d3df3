// Package limit checks the report of a load against limits.
//
//	err := limit.Limits{Ratio: 1.5, P9999: 100 * time.Microsecond}.Check(report)
package limit

import (
	"errors"
	"fmt"
	"time"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
)

// ErrMissed is wrapped by errors about a measurement that is worse than its limit.
var ErrMissed = errors.New("threshold missed")

// Limits are the worst results that a run may have. Zero fields are no limits.
type Limits struct {
	IDsPerSecond float64 // at least
	Ratio        float64 // to a shared atomic add, at most

	// Of the latency of a call, at most.
	P50, P90, P99, P999, P9999, Max time.Duration
}

// Check returns an error for each limit that the run has missed, joined, which
// wrap ErrMissed. A limit that nothing was measured for counts as missed.
func (l Limits) Check(r bench.Report) error {
	var errs []error
	if l.IDsPerSecond > 0 && r.IDsPerSecond < l.IDsPerSecond {
		errs = append(errs, fmt.Errorf("%w: %s, want %s or more", ErrMissed, bench.FormatRate(r.IDsPerSecond), bench.FormatRate(l.IDsPerSecond)))
	}
	if l.Ratio > 0 && (r.Ratio == 0 || r.Ratio > l.Ratio) {
		got := human.Number(r.Ratio)
		if r.Ratio == 0 {
			got = "an unknown number of"
		}
		errs = append(errs, fmt.Errorf("%w: %s times a shared atomic add, want %s or less", ErrMissed, got, human.Number(l.Ratio)))
	}
	for _, q := range []struct {
		name  string
		got   int64
		limit time.Duration
	}{
		{"p50", r.Latency.P50, l.P50},
		{"p90", r.Latency.P90, l.P90},
		{"p99", r.Latency.P99, l.P99},
		{"p99.9", r.Latency.P999, l.P999},
		{"p99.99", r.Latency.P9999, l.P9999},
		{"max", r.Latency.Max, l.Max},
	} {
		switch {
		case q.limit == 0:
		case q.got == 0:
			errs = append(errs, fmt.Errorf("%w: %s of the latency is not known from %s: take more ids",
				ErrMissed, q.name, human.Count(r.LatencySamples, "call")))
		case q.limit >= bench.LongestLatency && time.Duration(q.got) >= bench.LongestLatency:
			errs = append(errs, fmt.Errorf("%w: %s of the latency is %s or more, which is not told apart, want %s or less", ErrMissed, q.name, span(bench.LongestLatency), span(q.limit)))
		case time.Duration(q.got) > q.limit:
			errs = append(errs, fmt.Errorf("%w: %s of the latency is %s, want %s or less", ErrMissed, q.name, span(time.Duration(q.got)), span(q.limit)))
		}
	}
	return errors.Join(errs...)
}

func span(d time.Duration) string { return bench.FormatSpan(d.Seconds()) }
