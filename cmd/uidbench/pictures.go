package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/charts"
)

// mayWritePage finds out before a long run whether there can be a page after it. A file
// that is there stays as it is.
func (f *runFlags) mayWritePage() error {
	if f.html == "" {
		return nil
	}
	_, before := os.Stat(f.html)
	file, err := os.OpenFile(f.html, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return fmt.Errorf("--html: %w; type the name of a file", err)
	}
	if err := file.Close(); err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	if errors.Is(before, os.ErrNotExist) {
		return os.Remove(f.html) // an empty page is worse than none
	}
	return nil
}

// writePage writes the report as a page, if that was asked for.
func (f *runFlags) writePage(r bench.Report) error {
	if f.html == "" {
		return nil
	}
	file, err := os.Create(f.html)
	if err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	return errors.Join(charts.WriteHTML(file, r, f.again(r.Store)), file.Close())
}
