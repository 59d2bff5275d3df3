package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/ringuid/ringuid/uid"
)

// ProcessReport is what one of several processes did.
type ProcessReport struct {
	WorkerID      int64   `json:"worker_id"`
	IDs           int64   `json:"ids"`
	Seconds       float64 `json:"seconds"`
	IDsPerSecond  float64 `json:"ids_per_second"`
	AtomicAddNS   float64 `json:"atomic_add_ns"`
	RejectedTakes int64   `json:"rejected_takes"`
	AheadSeconds  float64 `json:"ahead_seconds"`
	Latency       Latency `json:"latency_ns"`
}

// sum makes one report of all, and compares their ids.
func (r *processesRun) sum(ctx context.Context) (Report, error) {
	var (
		each  []Report
		calls = newHistogram()
		errs  []error
	)
	for _, c := range r.children {
		m := c.last
		if m.Report == nil {
			return Report{}, fmt.Errorf("%w: process %d has reported nothing", ErrProcess, c.number+1)
		}
		each = append(each, *m.Report)
		if m.Calls != nil {
			calls.Merge(hdrhistogram.Import(m.Calls))
		}
		if m.Error != "" {
			errs = append(errs, fmt.Errorf("%w: process %d: %s", ErrProcess, c.number+1, m.Error))
		}
	}
	total := merge(each)
	total.Latency, total.LatencySamples = latencyOf(calls), calls.TotalCount()
	if r.Detail {
		total.Percentiles = percentilesOf(calls)
	}
	if r.Verify {
		errs = append(errs, r.compare(&total))
	}
	errs = append(errs, wrongIDs(total)...)
	if ctx.Err() != nil {
		errs = append(errs, fmt.Errorf("bench: interrupted: %w", context.Cause(ctx)))
	}
	return total, errors.Join(errs...)
}

// compare looks for ids that two processes had.
func (r *processesRun) compare(total *Report) error {
	clock := newClock()
	layout, failed := uid.ParseLayout(total.Layout)
	all := newSeen(r.VerifyMemory/2, layout)
	for _, c := range r.children {
		if failed == nil {
			failed = c.pages(all)
		}
	}
	duplicates := *total.Duplicates + all.duplicates
	total.Duplicates = &duplicates
	total.FirstDuplicates = append(total.FirstDuplicates, all.first...)
	total.FirstDuplicates = total.FirstDuplicates[:min(len(total.FirstDuplicates), examples)]
	total.VerifySeconds += clock.now().Seconds()
	total.VerifyBytes += all.bytes()
	return failed
}

// merge makes one report of those of processes that ran at the same time, but for
// the latencies.
func merge(each []Report) Report {
	total := each[0]
	total.Interrupted, total.Goroutines, total.IDs, total.Seconds, total.Rate = false, 0, 0, 0, 0
	total.Errors, total.FirstErrors, total.RejectedTakes, total.Refills = 0, nil, 0, 0
	total.VerifySeconds, total.VerifyBytes = 0, 0
	total.Rounds = mergeRounds(each)
	total.Samples = mergeSamples(each)
	for _, r := range each {
		total.Processes = append(total.Processes, ProcessReport{
			WorkerID: r.WorkerID, IDs: r.IDs, Seconds: r.Seconds, IDsPerSecond: r.IDsPerSecond, AtomicAddNS: r.AtomicAddNS,
			RejectedTakes: r.RejectedTakes, AheadSeconds: r.AheadSeconds, Latency: r.Latency,
		})
		total.Interrupted = total.Interrupted || r.Interrupted
		total.Goroutines += r.Goroutines
		total.IDs += r.IDs
		total.Seconds = max(total.Seconds, r.Seconds)
		total.Rate += r.Rate
		total.Errors += r.Errors
		total.FirstErrors = append(total.FirstErrors, r.FirstErrors...)
		total.RejectedTakes += r.RejectedTakes
		total.Refills += r.Refills
		total.AheadSeconds = max(total.AheadSeconds, r.AheadSeconds)
		total.LifeUsed = max(total.LifeUsed, r.LifeUsed)
		total.LifeLeftSeconds = leastPositive(total.LifeLeftSeconds, r.LifeLeftSeconds)
		total.VerifySeconds = max(total.VerifySeconds, r.VerifySeconds)
		total.VerifyBytes += r.VerifyBytes
	}
	slices.SortFunc(total.Processes, func(a, b ProcessReport) int { return cmp.Compare(a.WorkerID, b.WorkerID) })
	total.WorkerID = total.Processes[0].WorkerID
	slices.Sort(total.FirstErrors)
	total.FirstErrors = slices.Compact(total.FirstErrors)
	total.FirstErrors = total.FirstErrors[:min(len(total.FirstErrors), examples)]
	total.IDsPerSecond = quotient(float64(total.IDs), total.Seconds)
	total.NSPerID = quotient(total.Seconds*1e9, float64(total.IDs))
	total.AtomicAddNS = meanAtomicAdd(total.Rounds)
	total.Ratio = quotient(total.NSPerID, total.AtomicAddNS)
	mergeVerified(&total, each)
	return total
}

func leastPositive(a, b float64) float64 {
	if a <= 0 || b > 0 && b < a {
		return b
	}
	return a
}

// mergeVerified counts what each has found among its own ids.
func mergeVerified(total *Report, each []Report) {
	if total.Duplicates == nil {
		return
	}
	var duplicates, unsorted int64
	total.FirstDuplicates = nil
	for _, r := range each {
		duplicates += *r.Duplicates
		total.FirstDuplicates = append(total.FirstDuplicates, r.FirstDuplicates...)
		if r.OrderViolations != nil {
			unsorted += *r.OrderViolations
		}
	}
	total.Duplicates = &duplicates
	if total.OrderViolations != nil {
		total.OrderViolations = &unsorted
	}
}

// mergeRounds adds up the rounds that all processes have.
func mergeRounds(each []Report) []Round {
	n := len(each[0].Rounds)
	for _, r := range each {
		n = min(n, len(r.Rounds))
	}
	all := make([]Round, n)
	for i := range all {
		adds := 0.0 // a nanosecond
		for _, r := range each {
			o := r.Rounds[i]
			all[i].IDs += o.IDs
			all[i].Seconds = max(all[i].Seconds, o.Seconds)
			adds += quotient(1, o.AtomicAddNS)
		}
		all[i].NSPerID = quotient(all[i].Seconds*1e9, float64(all[i].IDs))
		all[i].AtomicAddNS = quotient(1, adds)
	}
	return all
}

// mergeSamples adds to each sample of the process with the fewest those of the
// others that were taken at about the same time.
func mergeSamples(each []Report) (all []Sample) {
	fewest := slices.MinFunc(each, func(a, b Report) int { return len(a.Samples) - len(b.Samples) })
	for _, at := range fewest.Samples {
		sum := Sample{Seconds: at.Seconds}
		for _, r := range each {
			s := nearest(r.Samples, at.Seconds)
			sum.IDs += s.IDs
			sum.IDsPerSecond += s.IDsPerSecond
			sum.RingFill += s.RingFill / float64(len(each))
			sum.AheadSeconds = max(sum.AheadSeconds, s.AheadSeconds)
		}
		all = append(all, sum)
	}
	return all
}

// nearest is the sample of about that time. There is one.
func nearest(samples []Sample, seconds float64) Sample {
	i, _ := slices.BinarySearchFunc(samples, seconds, func(s Sample, at float64) int { return cmp.Compare(s.Seconds, at) })
	if i == len(samples) || i > 0 && seconds-samples[i-1].Seconds < samples[i].Seconds-seconds {
		i--
	}
	return samples[i]
}
