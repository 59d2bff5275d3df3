package plan

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ringuid/ringuid/preset"
	"github.com/ringuid/ringuid/uid"
)

// ErrMisfit is wrapped by Preset when the preset does not grant all wishes.
var ErrMisfit = errors.New("plan: the preset does not fit")

// Preset is Layouts for one preset alone, with its own epoch. When it does not fit
// the error says everything that it lacks and wraps ErrMisfit.
func Preset(name string, w Wishes, now time.Time) (Fit, error) {
	w, err := w.settled(now)
	if err != nil {
		return Fit{}, err
	}
	c, err := preset.Named(name)
	if err != nil {
		return Fit{}, err
	}
	if misses := w.misses(c, now); len(misses) > 0 {
		return Fit{}, fmt.Errorf("%w: %s %s", ErrMisfit, name, strings.Join(misses, "; it "))
	}
	return newFit(name, c, w, now), nil
}

// misses says what settings lack that is wished for.
func (w Wishes) misses(c uid.Config, now time.Time) (all []string) {
	l, until := c.Layout, w.until(now)
	if l.Epoch.After(now) {
		all = append(all, fmt.Sprintf("begins at %s", l.Epoch.Format(time.RFC3339)))
	}
	if l.End().Before(until) {
		all = append(all, fmt.Sprintf("ends at %s, it is to last until %s", l.End().Format(time.RFC3339), until.Format(time.RFC3339)))
	}
	if bitsFor(w.workers()) > l.WorkerBits {
		all = append(all, fmt.Sprintf("has %d worker ids, %s are needed", l.MaxWorker()+1, number(w.workers())))
	}
	if rate(c) < w.IDsPerSecond {
		all = append(all, fmt.Sprintf("makes %s ids a second, %s are wished for", number(rate(c)), number(w.IDsPerSecond)))
	}
	return all
}
