//go:build unix

package uid

import (
	"cmp"
	"os"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
)

// TestAges takes at steady rates, each for the time that UID_AGES says, and logs how old the
// ids were, how long the takes took, and how much of a CPU the process used, the test included:
//
//	UID_AGES=60s go test -run TestAges -count 1 -timeout 1h -v ./uid
func TestAges(t *testing.T) {
	each, err := time.ParseDuration(cmp.Or(os.Getenv("UID_AGES"), "200ms"))
	require.NoError(t, err)
	for name, c := range map[string]struct {
		layout Layout
		kind   string
	}{
		"milliseconds": {SnowflakeLayout(), "cached"}, "seconds": {DefaultLayout(), "cached"},
		"default": {SnowflakeLayout(), "default"},
	} {
		t.Run(name, func(t *testing.T) {
			layout := c.layout
			g, err := constructors[c.kind](t.Context(), worker.Static(1), settings{Layout: layout,
				AllowRepeats: true, Logger: testConfig().Logger})
			require.NoError(t, err)
			defer g.Close()
			for _, rate := range []int64{0, 1, 10, 40, 500, 5_000, 1_000_000} {
				if rate > (layout.maxSeq()+1)*int64(time.Second/layout.Unit) {
					continue // ids would be of the future
				}
				cpu, start := usedCPU(t), time.Now()
				ages, takes := agesAt(t, g, rate, each)
				part := 100 * float64(usedCPU(t)-cpu) / float64(time.Since(start))
				t.Logf("%d a second: %.3f %% of a CPU; age p50 %v p99 %v max %v; take p50 %v p99 %v max %v",
					rate, part, quantile(ages, 0.5), quantile(ages, 0.99), quantile(ages, 1),
					quantile(takes, 0.5), quantile(takes, 0.99), quantile(takes, 1))
			}
		})
	}
}

// agesAt takes ids when they are due, five million at most, and returns their ages and how long
// the takes took, sorted.
func agesAt(t *testing.T, g generator, rate int64, each time.Duration) (
	ages, takes []time.Duration) {
	if rate == 0 {
		time.Sleep(each)
		return nil, nil
	}
	start, last := time.Now(), ID(-1)
	for i := range min(int64(each.Seconds()*float64(rate)), 5_000_000) {
		time.Sleep(time.Duration(i)*time.Second/time.Duration(rate) - time.Since(start))
		before := time.Now()
		id, err := g.GetUID()
		after := time.Now()
		require.NoError(t, err)
		if id <= last {
			require.Greater(t, id, last)
		}
		last = id
		p, err := g.ParseUID(id)
		require.NoError(t, err)
		ages, takes = append(ages, after.Sub(p.Time)), append(takes, after.Sub(before))
	}
	slices.Sort(ages)
	slices.Sort(takes)
	return ages, takes
}

// quantile is the value below which this part of sorted ones lies.
func quantile(sorted []time.Duration, part float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[int(part*float64(len(sorted)-1))].Round(100 * time.Nanosecond)
}

func usedCPU(t *testing.T) time.Duration {
	var u syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
