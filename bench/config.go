package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"time"

	"github.com/ringuid/ringuid/internal/idset"
	"github.com/ringuid/ringuid/uid"
)

var (
	// ErrConfig is wrapped by Run for invalid settings.
	ErrConfig = errors.New("bench: invalid config")

	// ErrDuplicate is wrapped by Run when an id is duplicated.
	ErrDuplicate = errors.New("bench: duplicate ids")

	errOrder  = errors.New("bench: ids out of order")
	errTakes  = errors.New("bench: takes failed")
	errMemory = errors.New("bench: too many ids to verify")
)

// Config sets up a run. Zero fields mean the documented default.
type Config struct {
	// Generator is put under load: one of package uid, or of your own, which the report calls
	// what its method Kind() string returns, if it has one. Run always closes it: that wakes a
	// take which is still waiting when the run is over.
	Generator interface {
		GetUIDContext(context.Context) (uid.ID, error)
		AppendUIDs(dst []uid.ID, n int) ([]uid.ID, error)
		Layout() uid.Layout
		Stats() uid.Stats
		Close() error
	}

	// Goroutines is how many goroutines take ids at the same time, 1 to 10000. Zero:
	// GOMAXPROCS.
	Goroutines int

	// Duration is how long the load lasts, not counting the atomic adds and the
	// verification. Zero: 5 seconds, or as long as Count takes.
	Duration time.Duration

	// Count ends the load after this many ids, instead of Duration. Zero: no count.
	Count int64

	// Batch takes this many ids per call (1 to 2^20), by AppendUIDs; the call is timed as
	// a whole. Zero: single ids, by GetUIDContext.
	Batch int

	// Stream lets each goroutine take from its own stream, which the generator must
	// offer, as uid.CachedGenerator does. Not together with Batch.
	Stream bool

	// Rate makes the load open: this many calls a second are due, up to 10^9, at constant
	// intervals. Zero: a closed loop. Not together with Batch.
	Rate float64

	// Verify keeps every id and checks it. It may use half of the memory that the machine has
	// available, or 1 GiB where that is not known, and buffers of some 64 MiB. Order is checked
	// too, but not of batches.
	Verify bool

	// Detail adds to the report how the run went over time, which charts need.
	Detail bool

	verifyMemory int64 // what Verify may use, in bytes; 0: as documented there
}

const (
	maxGoroutines = 10_000
	maxBatch      = 1 << 20
	maxBatches    = 1 << 26 // of all goroutines together: half a GiB
	maxRate       = 1e9

	defaultDuration = 5 * time.Second
)

func (c Config) withDefaults() (Config, error) {
	if err := c.Validate(); err != nil {
		return Config{}, err
	}
	if c.Generator == nil {
		return Config{}, invalid("no generator")
	}
	if _, ok := c.Generator.(streamer); c.Stream && !ok {
		return Config{}, invalid("this generator has no streams: take single ids")
	}
	c.Goroutines = cmp.Or(c.Goroutines, runtime.GOMAXPROCS(0))
	if c.Count == 0 {
		c.Duration = cmp.Or(c.Duration, defaultDuration)
	}
	c.verifyMemory = cmp.Or(c.verifyMemory, idset.Memory())
	return c, nil
}

// Validate returns what is wrong with the settings. Errors wrap ErrConfig, except for a Count
// that cannot be verified. The Generator, which may cost a worker id, need not be set yet.
func (c Config) Validate() error {
	switch {
	case c.Goroutines < 0 || c.Goroutines > maxGoroutines:
		return invalid("%d goroutines: choose 1 to %d", c.Goroutines, maxGoroutines)
	case c.Duration < 0:
		return invalid("a duration of %v: choose a positive one, such as 5s", c.Duration)
	case c.Count < 0:
		return invalid("a count of %d: choose 1 or more", c.Count)
	case c.Duration > 0 && c.Count > 0:
		return invalid("a duration and a count: choose one of them")
	case c.Batch < 0 || c.Batch > maxBatch:
		return invalid("batches of %d: choose 1 to %d", c.Batch, maxBatch)
	case int64(c.Goroutines)*int64(c.Batch) > maxBatches:
		return invalid("%d goroutines with batches of %d: choose less than %d ids in all",
			c.Goroutines, c.Batch, maxBatches)
	case math.IsNaN(c.Rate) || c.Rate < 0 || c.Rate > maxRate:
		return invalid("a rate of %v: choose up to %.0f calls a second", c.Rate, maxRate)
	case c.Stream && c.Batch > 0:
		return invalid("a stream and batches: choose one of them")
	case c.Rate > 0 && c.Batch > 0:
		return invalid("a rate and batches: a rate is of single ids, choose one of them")
	}
	if c.Verify {
		limit := cmp.Or(c.verifyMemory, idset.Memory())
		if least := c.Count / idset.PageIDs * idset.PageCost; least > limit {
			return memoryError(least, limit)
		}
	}
	return nil
}

func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrConfig, fmt.Sprintf(format, args...))
}

// mode is how ids are taken, as reports call it.
func (c Config) mode() string {
	switch {
	case c.Batch > 0:
		return "batch"
	case c.Stream:
		return "stream"
	}
	return "single"
}
