package bench

import (
	"math"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/ringuid/ringuid/uid"
)

// Report is the result of a run. The names of its keys in JSON do not change.
type Report struct {
	Generator string    `json:"generator"`
	Started   time.Time `json:"started"`

	Layout     uid.Layout `json:"layout,omitzero"` // not of a server, as Class
	WorkerID   int64      `json:"worker_id"`       // -1: of a server, which does not say it
	Class      string     `json:"class,omitempty"`
	Mode       string     `json:"mode"`  // "single", "batch" or "stream"
	Batch      int        `json:"batch"` // ids per call; 0 in other modes than batch
	Rate       float64    `json:"rate"`  // calls due in a second; 0: no rate
	Goroutines int        `json:"goroutines"`

	IDs          int64   `json:"ids"`
	Seconds      float64 `json:"seconds"` // under load, without what is done in between
	IDsPerSecond float64 `json:"ids_per_second"`
	NSPerID      float64 `json:"ns_per_id"`      // wall time / ids
	AtomicAddNS  float64 `json:"atomic_add_ns"`  // wall time / adds to a shared counter
	Ratio        float64 `json:"ratio,omitzero"` // NSPerID / AtomicAddNS; not with Rate

	// AtomicCallNS is the cost of a call that is not inlined, adds to a shared counter,
	// and returns an id and an error: the least that ids in one order can cost.
	AtomicCallNS float64 `json:"atomic_call_ns"`
	CallRatio    float64 `json:"call_ratio,omitzero"` // NSPerID / AtomicCallNS; not with Rate
	rounds       []round

	// Latency is that of a call, with the timer's own cost, or the wait of one without an answer.
	Latency        map[string]int64 `json:"latency_ns"`
	LatencySamples int64            `json:"latency_samples"`
	NeverRan       int64            `json:"never_ran"` // of these: were due, and had no answer at the end
	timer          time.Duration    // the timer's own cost

	Samples []Sample `json:"samples,omitempty"` // with Config.Detail

	Errors int64 `json:"errors"` // takes that failed

	// RejectedTakes counts takes that had to wait, which uid.Stats.Waits is. Those that then
	// failed are in Errors, and in uid.Stats.Rejected, which the metric
	// ringuid_takes_rejected_total shows.
	RejectedTakes int64 `json:"rejected_takes"`

	RingSize     int64   `json:"ring_size"`
	AheadSeconds float64 `json:"ahead_seconds"` // of the clock, at the end
	LifeUsed     float64 `json:"life_used"`     // part of the layout's time, 0 to 1

	Duplicates      *int64 `json:"duplicates"`       // nil: not verified
	OrderViolations *int64 `json:"order_violations"` // nil: not verified, or no order promised
	UnverifiedIDs   int64  `json:"unverified_ids"`   // ids that there was no memory for

	Machine string `json:"machine"`
}

// A round is a part of a run, and what an add and a call cost then, in nanoseconds.
type round struct {
	ids       int64
	took      time.Duration
	add, call float64
}

func (r *run) report() Report {
	layout, calls := r.Generator.Layout(), r.calls()
	rep := Report{
		Generator: kindOf(r.Generator),
		Started:   r.started.UTC(),

		WorkerID:   r.after.WorkerID,
		Mode:       r.mode(),
		Batch:      r.Batch,
		Rate:       r.Rate,
		Goroutines: r.Goroutines,

		IDs:     r.ids(),
		Seconds: r.loadTime().Seconds(),
		rounds:  r.rounds,

		Latency:        spansOf(calls),
		LatencySamples: calls.TotalCount(),
		NeverRan:       r.neverRan,
		timer:          timerCost(r.clock),

		Errors:        r.failures.errors,
		RejectedTakes: r.after.Waits - r.before.Waits,
		RingSize:      r.after.RingSize,
		AheadSeconds:  r.after.Ahead.Seconds(),
		LifeUsed:      lifeUsed(layout, r.started, r.before, r.after),

		Machine: thisMachine(),
	}
	if rep.WorkerID >= 0 {
		rep.Layout, rep.Class = layout, r.after.Class.String()
	}
	if r.Detail {
		rep.Samples = r.sampler.finish()
	}
	for _, o := range r.rounds { // which have equal weight, as each adds about as often
		rep.AtomicAddNS += o.add / float64(len(r.rounds))
		rep.AtomicCallNS += o.call / float64(len(r.rounds))
	}
	rep.NSPerID = quotient(rep.Seconds*float64(time.Second), float64(rep.IDs))
	rep.IDsPerSecond = quotient(float64(rep.IDs), rep.Seconds)
	if r.Rate == 0 { // else the pace is given
		rep.Ratio = quotient(rep.NSPerID, rep.AtomicAddNS)
		rep.CallRatio = quotient(rep.NSPerID, rep.AtomicCallNS)
	}
	r.reportVerified(&rep)
	return rep
}

func kindOf(g any) string {
	switch g := g.(type) {
	case *uid.CachedGenerator:
		return "cached"
	case *uid.DefaultGenerator:
		return "default"
	case interface{ Kind() string }:
		return g.Kind()
	}
	return "other"
}

func (r *run) calls() *hdrhistogram.Histogram {
	all := newHistogram()
	for _, l := range r.loaders {
		all.Merge(l.calls)
	}
	return all
}

func (r *run) reportVerified(rep *Report) {
	if r.seen == nil {
		return
	}
	rep.Duplicates = &r.seen.duplicates
	rep.UnverifiedIDs = rep.IDs - r.seen.ids
	if r.Batch == 0 {
		rep.OrderViolations = new(int64)
		for _, l := range r.loaders {
			*rep.OrderViolations += l.unsorted
		}
	}
}

// lifeUsed returns the part of the layout's time that lies between the highest tick minted
// before the run and the highest one after it.
func lifeUsed(l uid.Layout, started time.Time, before, after uid.Stats) float64 {
	from := before.LastTick
	if from.IsZero() {
		from = started
	}
	if !after.LastTick.After(from) {
		return 0
	}
	return secondsBetween(from, after.LastTick) / layoutSeconds(l)
}

// layoutSeconds and secondsBetween do not return Durations: these end after 292 years, but a
// layout need not.
func layoutSeconds(l uid.Layout) float64 { return math.Ldexp(l.Unit.Seconds(), l.TimeBits) }

func secondsBetween(from, to time.Time) float64 {
	return float64(to.Unix()-from.Unix()) + float64(to.Nanosecond()-from.Nanosecond())/1e9
}

// quotient returns a/b, or 0 if b is 0: JSON has no infinity.
func quotient(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
