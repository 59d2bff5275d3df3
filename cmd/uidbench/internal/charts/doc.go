// Package charts puts a report of package bench on an HTML page, with figures.
//
//	report, err := bench.Run(ctx, bench.Config{Generator: g, Detail: true})
//	err = charts.WriteHTML(file, report)
//
// A page is one file with the figures as SVG, the style as CSS, and no script. It loads
// nothing, and its content security policy forbids that. Each figure can be read on a
// phone, where they stand one below the other.
package charts
