package bench

import (
	"time"

	"github.com/ringuid/ringuid/uid"
)

// Sample is the state of a run at one moment.
type Sample struct {
	ids          int64   // taken until then
	Seconds      float64 `json:"seconds"`        // under load
	IDsPerSecond float64 `json:"ids_per_second"` // since the previous sample
	RingFill     float64 `json:"ring_fill"`      // 0 to 1; also 0 if there is no ring
	AheadSeconds float64 `json:"ahead_seconds"`  // of the clock
}

// A sample is taken every sampleInterval. When there are mostSamples, every other one is
// dropped, and samples are taken half as often. So there are enough to chart a short run, and
// not too many of a long one.
const (
	sampleInterval = time.Millisecond
	mostSamples    = 256
)

// sampler takes samples of a run. It belongs to one loader, which calls it between two of its
// calls: a goroutine of its own would get a CPU when the others wait, and would see the ring
// empty more often than it is.
type sampler struct {
	run      *run
	due      time.Duration // on the run's clock
	interval time.Duration // between two samples
	samples  []Sample
}

// observe takes a sample if one is due at this time. A nil sampler takes none.
func (s *sampler) observe(now time.Duration) {
	switch {
	case s == nil || now < s.due:
		return
	case s.due == 0: // the load begins: there is no rate yet
		s.due = now + s.interval
		return
	}
	s.take(s.run.Generator.Stats())
	s.due = now + s.interval
}

func (s *sampler) take(stats uid.Stats) {
	s.samples = append(s.samples, Sample{
		Seconds:      s.run.loadTime().Seconds(),
		ids:          s.run.ids(),
		RingFill:     quotient(float64(stats.Left), float64(stats.RingSize)),
		AheadSeconds: max(stats.Ahead.Seconds(), 0),
	})
	if len(s.samples) == mostSamples {
		s.thin()
	}
}

func (s *sampler) thin() {
	for i := range len(s.samples) / 2 {
		s.samples[i] = s.samples[2*i+1]
	}
	s.samples = s.samples[:len(s.samples)/2]
	s.interval *= 2
}

// finish returns the samples, with the rates between them, now that it is known which ones
// stay. A run that ended before any was due has one sample, of its end.
func (s *sampler) finish() []Sample {
	if len(s.samples) == 0 && s.run.ids() > 0 {
		s.take(s.run.after)
	}
	var last Sample
	for i := range s.samples {
		p := &s.samples[i]
		p.IDsPerSecond = quotient(float64(p.ids-last.ids), p.Seconds-last.Seconds)
		last = *p
	}
	return s.samples
}
