// Package charts draws the reports of package bench as SVG, and puts the figures on an
// HTML page.
//
//	report, err := bench.Run(ctx, bench.Config{Generator: g, Detail: true})
//	page, err := charts.RunPage(report)
//	err = charts.WriteHTML(file, page)
//
// A page is one file with the figures as SVG, the style as CSS, and no script. It loads
// nothing, and its content security policy forbids that. Each figure can be read on a
// phone, where they stand one below the other, and adapts to a light or dark page.
//
// On its own a figure is an SVG with a white background.
package charts
