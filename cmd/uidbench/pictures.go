package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/charts"
)

// pictureFlags say where pictures of a report go.
type pictureFlags struct{ html, svg string }

func (f *pictureFlags) bind(flags *pflag.FlagSet) {
	flags.StringVar(&f.html, "html", "", "write a page with pictures into this `FILE`; it needs nothing but itself")
	flags.StringVar(&f.svg, "svg", "", "write each picture as an SVG file into this `DIR`")
}

func (f *pictureFlags) given() bool { return f.html != "" || f.svg != "" }

// prepare finds out before a long run whether there can be pictures after it.
func (f *pictureFlags) prepare() error {
	if f.svg != "" {
		if err := os.MkdirAll(f.svg, 0o777); err != nil {
			return fmt.Errorf("--svg: %w; type the name of a folder", err)
		}
	}
	return mayWrite("--html", f.html)
}

// mayWrite says why a flag's file cannot be written. A file that is there stays as
// it is.
func mayWrite(flag, path string) error {
	if path == "" {
		return nil
	}
	_, before := os.Stat(path)
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return fmt.Errorf("%s: %w; type the name of a file", flag, err)
	}
	if err := file.Close(); err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	if errors.Is(before, os.ErrNotExist) {
		return os.Remove(path) // an empty page is worse than none
	}
	return nil
}

// write writes the page and its pictures.
func (f *pictureFlags) write(p charts.Page) error {
	if f.svg != "" {
		for _, figure := range p.Figures {
			if err := os.WriteFile(filepath.Join(f.svg, figure.Name+".svg"), figure.SVG, 0o666); err != nil {
				return fmt.Errorf("--svg: %w", err)
			}
		}
	}
	if f.html == "" {
		return nil
	}
	file, err := os.Create(f.html)
	if err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	return errors.Join(charts.WriteHTML(file, p), file.Close())
}
