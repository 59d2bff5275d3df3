package bench

import (
	"sync"
	"time"
)

// Progress is how far a run has come.
type Progress struct {
	Rate float64       // ids a second since the last call
	Part float64       // of the run that is done, 0 to 1
	Left time.Duration // estimated
}

const progressInterval = 200 * time.Millisecond

// watch calls Config.Progress until it is stopped.
func (r *run) watch() (stop func()) {
	if r.Progress == nil {
		return func() {}
	}
	var (
		quit    = make(chan struct{})
		stopped sync.WaitGroup
	)
	stopped.Go(func() {
		tick := time.NewTicker(progressInterval)
		defer tick.Stop()
		var w watcher
		for {
			select {
			case <-quit:
				return
			case <-tick.C:
				r.Progress(w.progress(r))
			}
		}
	})
	return func() {
		close(quit)
		stopped.Wait()
	}
}

// watcher keeps what the last progress said.
type watcher struct {
	ids  int64
	load time.Duration
	rate float64
}

func (w *watcher) progress(r *run) Progress {
	ids, load, elapsed := r.ids(), r.loadTime(), r.clock.now()
	if load > w.load {
		w.rate = float64(ids-w.ids) / (load - w.load).Seconds()
	}
	w.ids, w.load = ids, load

	p := Progress{Rate: w.rate}
	if r.Count > 0 {
		p.Part = float64(ids) / float64(r.Count)
	} else {
		p.Part = load.Seconds() / r.Duration.Seconds()
	}
	p.Part = min(p.Part, 1)
	if p.Part > 0 {
		// What is left takes as long as what is done did, pauses and all.
		p.Left = time.Duration(float64(elapsed) * (1 - p.Part) / p.Part)
	}
	return p
}
