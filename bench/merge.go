package bench

import (
	"cmp"
	"slices"
)

// ProcessReport is what one of several processes did.
type ProcessReport struct {
	WorkerID      int64   `json:"worker_id"`
	IDs           int64   `json:"ids"`
	Seconds       float64 `json:"seconds"`
	IDsPerSecond  float64 `json:"ids_per_second"`
	AtomicAddNS   float64 `json:"atomic_add_ns"`
	RejectedTakes int64   `json:"rejected_takes"` // as in Report
	AheadSeconds  float64 `json:"ahead_seconds"`
	Latency       Latency `json:"latency_ns"`
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
		total.NeverRan += r.NeverRan
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
	total.Duplicates, total.FirstDuplicates, total.OrderViolations = nil, nil, nil
	for _, r := range each {
		total.Duplicates = sumOf(total.Duplicates, r.Duplicates)
		total.FirstDuplicates = append(total.FirstDuplicates, r.FirstDuplicates...)
		total.OrderViolations = sumOf(total.OrderViolations, r.OrderViolations)
	}
}

// sumOf is nil when neither is known.
func sumOf(a, b *int64) *int64 {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	sum := *a + *b
	return &sum
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
