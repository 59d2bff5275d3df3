// Package charts puts the reports of package bench on an HTML page, with figures.
//
//	report, err := bench.Run(ctx, bench.Config{Generator: g, Detail: true})
//	page, err := charts.RunPage(report)
//	err = charts.WriteHTML(file, page)
//
// A page is one file with the figures as SVG, the style as CSS, and no script. It loads
// nothing, and its content security policy forbids that. Each figure can be read on a
// phone, where they stand one below the other, and adapts to a light or dark page.
package charts
