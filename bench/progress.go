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
	quit := make(chan struct{})
	var stopped sync.WaitGroup
	stopped.Go(func() {
		tick := time.NewTicker(progressInterval)
		defer tick.Stop()
		var (
			p       Progress
			hadIDs  int64
			hadLoad time.Duration
		)
		for {
			select {
			case <-quit:
				return
			case <-tick.C:
			}
			ids, load, elapsed := r.ids(), r.loadTime(), r.clock.now()
			if load > hadLoad {
				p.Rate = float64(ids-hadIDs) / (load - hadLoad).Seconds()
			}
			hadIDs, hadLoad = ids, load
			p.Part = min(load.Seconds()/r.Duration.Seconds(), 1)
			if r.Count > 0 {
				p.Part = min(float64(ids)/float64(r.Count), 1)
			}
			if p.Part > 0 {
				// The rest takes as long, in proportion, as what is done, including pauses.
				p.Left = time.Duration(float64(elapsed) * (1 - p.Part) / p.Part)
			}
			r.Progress(p)
		}
	})
	return func() {
		close(quit)
		stopped.Wait()
	}
}
