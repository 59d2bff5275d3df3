package charts

import (
	"fmt"
	"math"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/ringuid/ringuid/bench"
)

// A figure is a chart and the text that goes with it. page.html draws it, on 380 by 250 units
// of which the chart has those between the sides below; words are 12 units high.
type figure struct {
	Name    string // one lower-case word, such as throughput
	Title   string
	Caption string // what is to be seen, in numbers
	Style   string // "area" below a line, "line" with dots, or "dots"
	X, Y    []tick
	Under   string // what the words below are
	points  []point
}

// The sides of a chart.
const left, right, top, bottom = 64, 360, 40, 205

type point struct{ x, y float64 }

// A tick is a word beside a chart, or below it.
type tick struct {
	At   float64
	Text string
}

// Line leads from point to point, as an SVG path has it.
func (f figure) Line() string {
	var b strings.Builder
	for i, p := range f.points {
		fmt.Fprintf(&b, "%c%.1f,%.1f", "ML"[min(i, 1)], p.x, p.y)
	}
	return b.String()
}

// Area is what lies below the line.
func (f figure) Area() string {
	return fmt.Sprintf("%sV%dH%.1fZ", f.Line(), bottom, f.points[0].x)
}

// Dots are the points alone.
func (f figure) Dots() string { return strings.ReplaceAll(f.Line(), "L", "h0M") + "h0" }

// figuresOf draws throughput, latency, fill and ahead. Fill and ahead are about the ring, and
// left out if there is none; so is any figure without measurements.
func figuresOf(r run) (figures []figure) {
	for _, f := range []figure{throughput(r), latency(r), fill(r), ahead(r)} {
		if len(f.points) > 0 {
			figures = append(figures, f)
		}
	}
	return figures
}

// A scale puts values where a picture has them.
type scale struct{ from, to, begin, end float64 }

func (s scale) at(v float64) float64 {
	return s.begin + (v-s.from)/(s.to-s.from)*(s.end-s.begin)
}

// ticks are three to six round numbers, of a scale from zero.
func (s scale) ticks() (all []tick) {
	step := math.Pow(10, math.Floor(math.Log10(s.to/3)))
	for _, factor := range []float64{5, 2} {
		if s.to >= 3*factor*step {
			step *= factor
			break
		}
	}
	for i := 0.0; i*step <= s.to*(1+1e-9); i++ {
		all = append(all, tick{s.at(i * step), fmt.Sprintf("%.6g", i*step)})
	}
	return all
}

// overTime draws a value of each sample, of which the chart shows those up to high.
func (f figure) overTime(r run, high float64, value func(sample) float64) figure {
	x, y := scale{0, 1e-9, left, right}, scale{0, max(high, 1e-9), bottom, top}
	for _, s := range r.Samples {
		x.to = max(x.to, r.Seconds, s.Seconds)
	}
	for _, s := range r.Samples {
		f.points = append(f.points, point{x.at(s.Seconds), y.at(value(s))})
	}
	f.X, f.Y, f.Under = x.ticks(), y.ticks(), "seconds under load"
	return f
}

// most is the largest value of the samples.
func most(r run, value func(sample) float64) (m float64) {
	for _, s := range r.Samples {
		m = max(m, value(s))
	}
	return m
}

func throughput(r run) figure {
	high := most(r, func(s sample) float64 { return s.IDsPerSecond })
	scaled, prefix := humanize.ComputeSI(high)
	unit := 1.0
	if scaled > 0 {
		unit = high / scaled
	}
	f := figure{Name: "throughput", Style: "area",
		Title:   strings.TrimSuffix("Ids a second, in "+prefix, ", in "),
		Caption: bench.FormatRate(r.IDsPerSecond) + " on average"}
	if r.Rate > 0 {
		f.Caption += ", asked for " + bench.FormatRate(r.Rate)
	}
	f.Caption += "."
	return f.overTime(r, 1.12*high/unit, func(s sample) float64 { return s.IDsPerSecond / unit })
}

// latency has a scale of powers of ten.
func latency(r run) figure {
	f := figure{Name: "latency", Style: "line", Title: "Latency of a call"}
	if r.LatencySamples < 2 { // one call makes no distribution
		return f
	}
	var known []string
	var powers []float64
	for _, key := range []string{"p50", "p90", "p99", "p999", "p9999", "max"} {
		if ns, measured := r.Latency[key]; measured {
			name := strings.Replace(key, "p99", "p99.", 1) // p999 is p99.9
			f.X = append(f.X, tick{Text: strings.TrimSuffix(name, ".")})
			powers = append(powers, math.Log10(float64(ns)/1e9))
			known = append(known, f.X[len(f.X)-1].Text+" "+bench.FormatSpan(float64(ns)/1e9))
		}
	}
	f.Caption = strings.Join(known, ", ") + "."
	first, last := math.Floor(powers[0]), math.Ceil(powers[len(powers)-1]+0.01)
	y := scale{first, last, bottom, top}
	for power := first; power <= last; power += math.Ceil((last - first) / 7) {
		f.Y = append(f.Y, tick{y.at(power), bench.FormatSpan(math.Pow(10, power))})
	}
	x := scale{0, float64(len(f.X)), left, right}
	for i := range f.X {
		f.X[i].At = x.at(float64(i) + 0.5)
		f.points = append(f.points, point{f.X[i].At, y.at(powers[i])})
	}
	return f
}

// fill has no line: between two points the ring was full and empty many times.
func fill(r run) figure {
	f := figure{Name: "fill", Style: "dots", Title: "How full the ring was, in percent",
		Caption: fmt.Sprintf("A ring of %s ids, found empty by %s takes.", humanize.Comma(r.RingSize),
			humanize.Comma(r.RejectedTakes))}
	if r.RingSize == 0 {
		return f
	}
	return f.overTime(r, 100, func(s sample) float64 { return 100 * min(s.RingFill, 1) })
}

func ahead(r run) figure {
	f := figure{Name: "ahead", Style: "area", Caption: bench.FormatSpan(r.AheadSeconds) +
		" at the end. What a layout's ticks do not hold is borrowed from the future."}
	if r.RingSize == 0 {
		return f
	}
	high := most(r, func(s sample) float64 { return s.AheadSeconds })
	unit, seconds := "seconds", 1.0
	for _, u := range []struct {
		name    string
		seconds float64
	}{{"minutes", 60}, {"hours", 3600}, {"days", 86400}, {"years", 365.2425 * 86400}} {
		if high >= 2*u.seconds {
			unit, seconds = u.name, u.seconds
		}
	}
	f.Title = "How far ahead of the clock the ids are, in " + unit
	return f.overTime(r, 1.12*high/seconds,
		func(s sample) float64 { return s.AheadSeconds / seconds })
}
