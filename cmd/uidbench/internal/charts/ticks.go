package charts

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot"

	"github.com/ringuid/ringuid/bench"
)

// fewTicks is about how many a figure has room for on an axis.
const fewTicks = 5

// niceStep is 1, 2 or 5 times a power of ten, so that there are about fewTicks of
// it up to top.
func niceStep(top float64) float64 {
	if !(top > 0) {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(top/fewTicks)))
	for _, n := range []float64{1, 2, 5} {
		if top/(n*unit) <= fewTicks+1 {
			return n * unit
		}
	}
	return 10 * unit
}

// linear are ticks at round values from 0 to top.
func linear(top float64, label func(float64) string) (ticks plot.ConstantTicks) {
	step := niceStep(top)
	for i := 0.0; i*step <= top*1.001; i++ {
		ticks = append(ticks, plot.Tick{Value: i * step, Label: label(i * step)})
	}
	return ticks
}

// whole are ticks at round whole numbers from 1 to top.
func whole(top int) (ticks plot.ConstantTicks) {
	step := max(int(niceStep(float64(top))), 1)
	for i := step; i <= top; i += step {
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: strconv.Itoa(i)})
	}
	return ticks
}

// rates are ticks of ids a second.
func rates(top float64) plot.ConstantTicks { return linear(top, bench.FormatRate) }

// percents are ticks of parts from 0 to 1.
func percents() plot.ConstantTicks {
	return linear(1, func(x float64) string { return fmt.Sprintf("%.0f %%", 100*x) })
}

// spans are ticks of seconds, at round numbers of the unit that suits the largest.
func spans(top float64) (ticks plot.ConstantTicks) {
	unit, name := 1.0, "s"
	for _, u := range []struct {
		name    string
		seconds float64
	}{
		{"ns", 1e-9}, {"µs", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"min", 60}, {"h", 3600}, {"days", 86400},
		{"years", 365.2425 * 86400},
	} {
		if top >= 2*u.seconds || u.name == "ns" {
			unit, name = u.seconds, u.name
		}
	}
	ticks = linear(top/unit, func(x float64) string { return number(x) + " " + name })
	for i := range ticks {
		ticks[i].Value *= unit
	}
	return ticks
}

// number writes a tick's value without noise in its last digits.
func number(x float64) string {
	return strconv.FormatFloat(math.Round(x*1e9)/1e9, 'f', -1, 64)
}

// decades are ticks at powers of ten from low to high.
func decades(low, high float64, label func(float64) string) (ticks plot.ConstantTicks) {
	for e := math.Ceil(math.Log10(low) - 1e-9); e <= math.Log10(high)+1e-9; e++ {
		x := math.Pow(10, e)
		ticks = append(ticks, plot.Tick{Value: x, Label: label(x)})
	}
	return ticks
}

// headroom is where an axis ends whose largest value is most.
func headroom(most float64) float64 {
	if most <= 0 {
		return 1
	}
	return most * 1.12
}

// logarithms are ticks of an axis whose points are logarithms. A plot.LogScale makes room at
// the right for the axis's name as if that stood there.
func logarithms(ticks plot.ConstantTicks) plot.ConstantTicks {
	for i := range ticks {
		ticks[i].Value = math.Log10(ticks[i].Value)
	}
	return ticks
}
