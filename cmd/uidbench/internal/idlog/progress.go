package idlog

import (
	"sync"
	"time"

	"github.com/ringuid/ringuid/bench"
)

// readingPart is how much of the work is reading, where ids are sorted on disk; to
// merge them is the rest.
const readingPart = 0.7

// watch calls Progress until it is stopped.
func (k *check) watch() (stop func()) {
	if k.Progress == nil {
		return func() {}
	}
	var watching sync.WaitGroup
	quit := make(chan struct{})
	watching.Go(func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		var had int64
		for at := k.began; ; {
			select {
			case <-quit:
				return
			case <-tick.C:
			}
			p, now := k.progress(), time.Now()
			done := p.IDs + k.compared.Load()
			p.Rate = float64(done-had) / now.Sub(at).Seconds()
			k.Progress(p)
			had, at = done, now
		}
	})
	return func() {
		close(quit)
		watching.Wait()
	}
}

// progress has a Part of 0 as long as that is not known.
func (k *check) progress() bench.Progress {
	p := bench.Progress{IDs: k.ids.Load()}
	if n := k.compared.Load(); n > 0 {
		p.Part = readingPart + (1-readingPart)*min(float64(n)/float64(p.IDs), 1)
	} else if total := k.size(); total > 0 {
		p.Part = readingPart * min(float64(k.bytes.Load())/float64(total), 1)
	}
	if p.Part > 0 {
		p.Left = time.Duration(float64(time.Since(k.began)) * (1 - p.Part) / p.Part)
	}
	return p
}

// size is that of all inputs, or 0.
func (k *check) size() (total int64) {
	for _, in := range k.inputs {
		if in.Size == 0 {
			return 0
		}
		total += in.Size
	}
	return total
}
