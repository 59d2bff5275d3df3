package bench

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

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

// sum makes one report of those who have reported, and compares their ids.
func (r *processesRun) sum() (Report, error) {
	var (
		told  []*child
		each  []Report
		calls = newHistogram()
		ages  []time.Duration
		errs  []error
	)
	for _, c := range r.children {
		m := c.last
		if m.Kind != reported || m.Report == nil || m.Calls == nil {
			continue
		}
		told, each = append(told, c), append(each, *m.Report)
		calls.Merge(hdrhistogram.Import(m.Calls))
		ages = append(ages, m.Ages...)
		if m.Error != nil {
			errs = append(errs, fmt.Errorf("%w: process %d: %w", ErrProcess, c.number+1, m.Error))
		}
		if m.Report.Layout != each[0].Layout {
			errs = append(errs, fmt.Errorf("%w: process %d has the layout %s, and process %d %s: give them one",
				ErrProcess, c.number+1, m.Report.Layout, told[0].number+1, each[0].Layout))
		}
	}
	if len(each) == 0 {
		return Report{}, nil // why is known
	}
	total := merge(each)
	total.Latency, total.LatencySamples = latencyOf(calls), calls.TotalCount()
	total.Age = ageOf(ages)
	if r.Detail {
		total.Percentiles = percentilesOf(calls)
	}
	if r.Verify {
		errs = append(errs, r.compare(told, &total))
	}
	return total, errors.Join(append(errs, wrongIDs(total)...)...)
}

// compare looks for ids that two processes had.
func (r *processesRun) compare(told []*child, total *Report) error {
	clock := newClock()
	layout, failed := uid.ParseLayout(total.Layout)
	all := newSeen(r.VerifyMemory/2, layout)
	compared := int64(0)
	for _, c := range told {
		if failed == nil {
			failed = c.pages(all)
		}
		if failed == nil {
			compared += c.last.Report.IDs - c.last.Report.UnverifiedIDs
		}
	}
	total.UnverifiedIDs = total.IDs - compared
	duplicates := *total.Duplicates + all.duplicates
	total.Duplicates = &duplicates
	total.FirstDuplicates = firstOf(append(total.FirstDuplicates, all.first...))
	total.VerifySeconds += clock.now().Seconds()
	total.VerifyBytes += all.bytes()
	return failed
}

// firstOf leaves as many examples as are shown.
func firstOf[T any](all []T) []T { return all[:min(len(all), examples)] }

// merge makes one report of those of processes that ran at the same time, but for
// the latencies.
func merge(each []Report) Report {
	each = slices.SortedFunc(slices.Values(each), func(a, b Report) int { return cmp.Compare(a.WorkerID, b.WorkerID) })
	total := each[0]
	total.Rounds, total.Samples = mergeRounds(each), mergeSamples(each)
	total.Processes = []ProcessReport{processReport(each[0])}
	for _, r := range each[1:] {
		total.Processes = append(total.Processes, processReport(r))
		total.Interrupted = total.Interrupted || r.Interrupted
		total.Class = min(total.Class, r.Class) // all are worth what the least of them is
		total.Granted = earliest(total.Granted, r.Granted)
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
		total.UnverifiedIDs += r.UnverifiedIDs
		total.VerifySeconds = max(total.VerifySeconds, r.VerifySeconds)
		total.VerifyBytes += r.VerifyBytes
	}
	slices.Sort(total.FirstErrors)
	total.FirstErrors = firstOf(slices.Compact(total.FirstErrors))
	total.IDsPerSecond = quotient(float64(total.IDs), total.Seconds)
	total.NSPerID = quotient(total.Seconds*1e9, float64(total.IDs))
	total.relate()
	mergeVerified(&total, each)
	return total
}

func processReport(r Report) ProcessReport {
	return ProcessReport{
		WorkerID: r.WorkerID, IDs: r.IDs, Seconds: r.Seconds, IDsPerSecond: r.IDsPerSecond, AtomicAddNS: r.AtomicAddNS,
		RejectedTakes: r.RejectedTakes, AheadSeconds: r.AheadSeconds, Latency: r.Latency,
	}
}

// earliest of two times as reports have them, where "" is no limit.
func earliest(a, b string) string {
	if a == "" || b != "" && b < a {
		return b
	}
	return a
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
		adds, calls := 0.0, 0.0 // a nanosecond
		for _, r := range each {
			o := r.Rounds[i]
			all[i].IDs += o.IDs
			all[i].Seconds = max(all[i].Seconds, o.Seconds)
			adds += quotient(1, o.AtomicAddNS)
			calls += quotient(1, o.AtomicCallNS)
		}
		all[i].NSPerID = quotient(all[i].Seconds*1e9, float64(all[i].IDs))
		all[i].AtomicAddNS, all[i].AtomicCallNS = quotient(1, adds), quotient(1, calls)
	}
	return all
}

// mergeSamples adds to each sample of the process that went on for the longest those
// of the others that were taken at about the same time. One that has ended takes no
// more ids.
func mergeSamples(each []Report) (all []Sample) {
	longest := slices.MaxFunc(each, func(a, b Report) int { return cmp.Compare(lastOf(a).Seconds, lastOf(b).Seconds) })
	for _, at := range longest.Samples {
		sum := Sample{Seconds: at.Seconds}
		for _, r := range each {
			s := nearest(r.Samples, at.Seconds)
			if over := at.Seconds - s.Seconds; over > r.Seconds/float64(max(len(r.Samples), 1)) {
				s.IDsPerSecond = 0
			}
			sum.IDs += s.IDs
			sum.IDsPerSecond += s.IDsPerSecond
			sum.RingFill += s.RingFill / float64(len(each))
			sum.AheadSeconds = max(sum.AheadSeconds, s.AheadSeconds)
		}
		all = append(all, sum)
	}
	return all
}

func lastOf(r Report) (last Sample) {
	if n := len(r.Samples); n > 0 {
		last = r.Samples[n-1]
	}
	return last
}

// nearest is the sample of about that time; of none, one of nothing.
func nearest(samples []Sample, seconds float64) (s Sample) {
	if len(samples) == 0 {
		return s
	}
	i, _ := slices.BinarySearchFunc(samples, seconds, func(s Sample, at float64) int { return cmp.Compare(s.Seconds, at) })
	if i == len(samples) || i > 0 && seconds-samples[i-1].Seconds < samples[i].Seconds-seconds {
		i--
	}
	return samples[i]
}
