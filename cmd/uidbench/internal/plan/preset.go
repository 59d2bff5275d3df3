package plan

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
	"github.com/ringuid/ringuid/preset"
	"github.com/ringuid/ringuid/uid"
)

// ErrMisfit is wrapped by Preset when the preset does not meet all requirements.
var ErrMisfit = errors.New("plan: the preset does not fit")

// Preset is Layouts for one preset alone, with its own epoch. When it does not fit
// the error says everything that it lacks and wraps ErrMisfit.
func Preset(name string, w Requirements, from time.Time) (Fit, error) {
	if err := w.validate(); err != nil {
		return Fit{}, err
	}
	c, err := preset.Named(name)
	if err != nil {
		return Fit{}, err
	}
	if misses := w.misses(c, from); len(misses) > 0 {
		return Fit{}, fmt.Errorf("%w: %s %s", ErrMisfit, name, strings.Join(misses, "; it "))
	}
	return newFit(name, c, w, from), nil
}

// misses says what settings lack that is required.
func (w Requirements) misses(c uid.Config, from time.Time) (all []string) {
	l, until := c.Layout, w.until(from)
	if l.Epoch.After(from) {
		all = append(all, fmt.Sprintf("begins at %s", l.Epoch.Format(time.RFC3339)))
	}
	if l.End().Before(until) {
		all = append(all, fmt.Sprintf("ends at %s, it is to last until %s", l.End().Format(time.RFC3339),
			until.Format(time.RFC3339)))
	}
	if needed := w.workers(l.Unit); bitsFor(needed) > l.WorkerBits {
		text := fmt.Sprintf("has %d worker ids, %s are needed", l.MaxWorker()+1, human.Number(needed))
		if w.Recycled && l.Unit >= longTick {
			text += ", two for each node: one that comes back cannot be used before the next tick"
		}
		all = append(all, text)
	}
	if rate(c) < w.IDsPerSecond {
		all = append(all, fmt.Sprintf("makes %s ids a second, %s are required", human.Number(rate(c)),
			human.Number(w.IDsPerSecond)))
	}
	return all
}
