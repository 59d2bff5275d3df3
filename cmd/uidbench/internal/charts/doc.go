// Package charts draws what package bench measured, as SVG, and puts it on an HTML
// page.
//
//	report, err := bench.Run(ctx, bench.Config{Generator: g, Detail: true})
//	page, err := charts.RunPage(report)
//	err = charts.WriteHTML(file, page)
//
// A page is one file: the pictures stand in it as SVG, the style as CSS, and there
// is no script. Nothing is loaded from anywhere, and the page's content security
// policy forbids it. Each picture is small enough to be read on a phone, where they
// stand one below the other, and takes on the colours of a light or a dark page.
//
// By itself a picture is an SVG with a white background.
package charts
