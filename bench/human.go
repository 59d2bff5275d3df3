package bench

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/ringuid/ringuid/internal/machine"
)

// FormatRate formats a rate of ids with three digits: 182 M/s, 8.19 k/s.
func FormatRate(perSecond float64) string {
	const prefixes = " kMGT"
	i := 0
	for perSecond >= 999.5 && i < len(prefixes)-1 {
		perSecond /= 1000
		i++
	}
	if i == 0 {
		return threeDigits(perSecond) + " /s"
	}
	return fmt.Sprintf("%s %c/s", threeDigits(perSecond), prefixes[i])
}

// FormatSpan formats a duration in a suitable unit, with three digits: 42 ns, 1.25 ms,
// 30.4 h, 3.1 years.
func FormatSpan(seconds float64) string {
	if seconds == 0 {
		return "0 s"
	}
	units := [...]struct {
		name    string
		seconds float64
		upTo    float64
	}{
		{"ns", 1e-9, 999.5},
		{"µs", 1e-6, 999.5},
		{"ms", 1e-3, 999.5},
		{"s", 1, 300},
		{"min", 60, 120},
		{"h", 3600, 72},
		{"days", 86400, 730},
		{"years", 365.2425 * 86400, math.Inf(1)},
	}
	for _, u := range units {
		if n := seconds / u.seconds; math.Abs(n) < u.upTo {
			return threeDigits(n) + " " + u.name
		}
	}
	return fmt.Sprintf("%g s", seconds)
}

func formatNS(ns float64) string { return FormatSpan(ns / float64(time.Second)) }

// threeDigits writes three significant digits, more before the point if need be,
// and no zeros after it.
func threeDigits(x float64) string {
	if math.Abs(x) >= 100 {
		return humanize.Comma(int64(math.Round(x)))
	}
	rounded, _ := strconv.ParseFloat(fmt.Sprintf("%.3g", x), 64)
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

func thisMachine() string {
	cpus, used := runtime.NumCPU(), ""
	if n := runtime.GOMAXPROCS(0); n != cpus {
		used = fmt.Sprintf(" (%d used)", n)
	}
	return fmt.Sprintf("%d x %s%s, %s/%s, %s", cpus, cmp.Or(machine.CPU(), "unknown CPU"), used,
		runtime.GOOS, runtime.GOARCH, runtime.Version())
}
