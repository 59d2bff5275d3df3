package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/charts"
)

// createPage makes the file of --html, if that was typed, before a long run finds out that
// there can be none.
func (f *runFlags) createPage() (err error) {
	if f.html == "" {
		return nil
	}
	if f.page, err = os.Create(f.html); err != nil {
		return fmt.Errorf("--html: %w; type the name of a file", err)
	}
	return nil
}

// writePage writes the report as a page, if that was asked for.
func (f *runFlags) writePage(r bench.Report) error {
	if f.page == nil {
		return nil
	}
	return errors.Join(charts.WriteHTML(f.page, r), f.page.Close())
}
