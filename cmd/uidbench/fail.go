package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/internal/cli"
)

// errMissed is wrapped by errors about a measurement that is worse than a limit allows.
var errMissed = errors.New("threshold missed")

// A limit says what makes a run a failure: p99>1ms.
type limit struct {
	metric string  // as JSON has it
	bound  float64 // of a latency, in nanoseconds
	text   string  // as typed
}

const (
	failRate   = "ids_per_second"
	failRatio  = "ratio"
	limitForms = "ids_per_second<50M, ratio>4, or p50, p90, p99, p999, p9999 or max, > and a time, " +
		"such as p99>1ms"
)

var expression = regexp.MustCompile(`^ *(?:(ids_per_second)<|(ratio|p50|p90|p99|p999|p9999|max)>)(.+)$`)

func parseLimit(text string) (limit, error) {
	l := limit{text: text}
	m := expression.FindStringSubmatch(text)
	var err error
	if m == nil {
		return l, errLimit(text)
	}
	switch l.metric = m[1] + m[2]; l.metric {
	case failRate:
		err = cli.Amount(&l.bound, false).Set(m[3])
	case failRatio:
		l.bound, err = strconv.ParseFloat(m[3], 64)
	default:
		var d time.Duration
		d, err = time.ParseDuration(m[3])
		l.bound = float64(d)
	}
	if err != nil || !(l.bound > 0) {
		return l, errLimit(text)
	}
	return l, nil
}

func errLimit(text string) error { return cli.Usagef("--fail %q: type %s", text, limitForms) }

// checkLimits returns an error for each limit that a run has missed. A percentile that is not
// known counts as missed.
func checkLimits(limits []limit, r bench.Report) error {
	var errs []error
	for _, l := range limits {
		ns, known := r.Latency[l.metric]
		missed, was := float64(ns) > l.bound, bench.FormatSpan(float64(ns)/1e9)
		switch {
		case l.metric == failRate:
			missed, was = r.IDsPerSecond < l.bound, bench.FormatRate(r.IDsPerSecond)
		case l.metric == failRatio:
			missed, was = r.Ratio > l.bound || r.IDs == 0, fmt.Sprintf("%.3f", r.Ratio)
		case !known:
			missed, was = true, fmt.Sprintf("not known from %s: take more ids",
				cli.Count(r.LatencySamples, "call"))
		}
		if missed {
			errs = append(errs, fmt.Errorf("%w: %s: it was %s", errMissed, l.text, was))
		}
	}
	return errors.Join(errs...)
}
