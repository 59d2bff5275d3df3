package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/internal/cli"
)

// errMissed is wrapped by errors about a measurement that is worse than a limit allows.
var errMissed = errors.New("threshold missed")

// The metrics of --fail besides the latencies, by their keys in JSON.
const (
	failRate  = "ids_per_second"
	failRatio = "ratio"
)

// latencies are the other metrics of --fail.
var latencies = []string{"p50", "p90", "p99", "p999", "p9999", "max"}

// A limit says what makes a run a failure: p99>1ms.
type limit struct {
	metric string  // as JSON has it
	bound  float64 // of a latency, in nanoseconds
	text   string  // as typed
}

// parseLimit reads a limit as it is typed.
func parseLimit(text string) (limit, error) {
	text = strings.TrimSpace(text)
	if value, ok := strings.CutPrefix(text, failRate+"<"); ok {
		l := limit{metric: failRate, text: text}
		if (cli.Amount{Value: &l.bound}).Set(value) != nil {
			return l, errLimit(text)
		}
		return l, nil
	}
	name, value, _ := strings.Cut(text, ">")
	l := limit{metric: strings.ReplaceAll(name, ".", ""), text: text}
	var err error
	switch {
	case l.metric == failRatio:
		l.bound, err = strconv.ParseFloat(value, 64)
	case slices.Contains(latencies, l.metric):
		var d time.Duration
		d, err = time.ParseDuration(value)
		l.bound = float64(d)
	}
	if err != nil || !(l.bound > 0) {
		return l, errLimit(text)
	}
	return l, nil
}

// errLimit returns an error that says what can be typed.
func errLimit(text string) error {
	return cli.Usagef("--fail %q: type %s; `uidbench --help` lists the flags", text, limitForms())
}

func failUsage() string {
	return "exit with 4 if this `EXPRESSION` is true: " + limitForms() +
		"; ratio is the time per id in atomic adds; type several with commas, or repeat the flag"
}

func limitForms() string {
	return fmt.Sprintf("%s<50M, %s>4, or %s with a time, such as p99>1ms",
		failRate, failRatio, cli.Either(latencies))
}

// checkLimits returns an error for each limit that a run has missed. A percentile that is not
// known counts as missed.
func checkLimits(limits []limit, r bench.Report) error {
	var errs []error
	for _, one := range limits {
		if found := one.missed(r); found != "" {
			errs = append(errs, fmt.Errorf("%w: %s: %s", errMissed, one.text, found))
		}
	}
	return errors.Join(errs...)
}

// missed says what was measured if that is worse than the limit.
func (l limit) missed(r bench.Report) string {
	ns, known := r.Latency[l.metric]
	switch {
	case l.metric == failRate && r.IDsPerSecond < l.bound:
		return "it was " + bench.FormatRate(r.IDsPerSecond)
	case l.metric == failRatio && r.Ratio > l.bound:
		return fmt.Sprintf("it was %.3f", r.Ratio)
	case l.metric == failRate || l.metric == failRatio:
		return ""
	case !known:
		return fmt.Sprintf("that is not known from %s: take more ids",
			cli.Count(r.LatencySamples, "call"))
	case float64(ns) > l.bound:
		return "it was " + bench.FormatSpan(float64(ns)/1e9)
	}
	return ""
}
