package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"os"
	"slices"
	"text/tabwriter"
	texttemplate "text/template"
)

type report struct {
	Options options
	Results []result
}

var (
	//go:embed report.txt
	tablesText string
	//go:embed picture.svg
	pictureText string

	tables  = texttemplate.Must(texttemplate.New("tables").Parse(tablesText))
	picture = template.Must(template.New("picture").Funcs(template.FuncMap{
		"y":       func(top, n, step int) int { return top + n*step },
		"percent": func(e extent) string { return fmt.Sprintf("%.0f", 100*e.Density) },
	}).Parse(pictureText))
)

// publish prints the tables, and writes the files that were asked for.
func (r report) publish(stdout io.Writer) error {
	w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	if err := tables.Execute(w, r); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if r.Options.svg == "" {
		return nil
	}
	var b bytes.Buffer
	if err := picture.Execute(&b, r); err != nil {
		return err
	}
	return os.WriteFile(r.Options.svg, b.Bytes(), 0o644)
}

func (e extent) String() string {
	return fmt.Sprintf("%.1f\t%.0f %%", e.BytesPerRow, 100*e.Density)
}

func (r result) PageSplits() string {
	if r.Splits == nil {
		return "-"
	}
	return fmt.Sprintf("%.1f", *r.Splits)
}

func (r report) Servers() []string {
	return r.names(func(x result) string { return x.Server })
}

func (r report) Keys() []string { return r.names(func(x result) string { return x.Key }) }

func (r report) names(of func(result) string) (names []string) {
	for _, x := range r.Results {
		if name := of(x); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
