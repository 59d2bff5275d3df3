package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"os"
	"slices"
	"text/tabwriter"
)

// A report is all that was measured.
type report struct {
	Options options  `json:"options"`
	Results []result `json:"results"`
}

// publish prints the tables, and writes the files that were asked for.
func (r report) publish(stdout io.Writer) error {
	if err := r.print(stdout); err != nil {
		return err
	}
	if r.Options.json != "" {
		text, err := json.MarshalIndent(r, "", "  ")
		if err == nil {
			err = os.WriteFile(r.Options.json, append(text, '\n'), 0o644)
		}
		if err != nil {
			return err
		}
	}
	if r.Options.svg == "" {
		return nil
	}
	text, err := r.picture()
	if err != nil {
		return err
	}
	return os.WriteFile(r.Options.svg, text, 0o644)
}

// servers are the names of those with results.
func (r report) servers() (names []string) {
	for _, x := range r.Results {
		if !slices.Contains(names, x.Server) {
			names = append(names, x.Server)
		}
	}
	return names
}

// print prints two tables for each server.
func (r report) print(stdout io.Writer) error {
	w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	o := r.Options
	fmt.Fprintf(w, "%d rows of each kind of key, %d processes, %g rows a second, MaxLag %v\n",
		o.Rows, o.Processes, o.Rate, o.MaxLag)
	for _, server := range r.servers() {
		fmt.Fprintf(w, "\n%s\nkeys\tbytes\tpk B/row\tfull\tfk B/row\tfull\tsplits/1000\tlog B/row\t"+
			"rows/s\tlast 1000\tlook-up\t\n", server)
		for _, x := range r.Results {
			if x.Server == server {
				fmt.Fprintf(w, "%s\t%d\t%v\t%v\t%s\t%.0f\t%.0f\t%s\t%.1f\t\n", x.Key, x.KeyBytes,
					x.Primary, x.Foreign, x.splits(), x.LogBytes, x.Rate, x.last(), x.LookUp)
			}
		}
		fmt.Fprintf(w, "\n%s, when the older half is deleted, per row that is left\n"+
			"keys\tbytes\tpk B/row\tfull\tfk B/row\tfull\t\n", server)
		for _, x := range r.Results {
			if x.Server == server {
				fmt.Fprintf(w, "%s\t%d\t%v\t%v\t\n", x.Key, x.KeyBytes, x.LeftPrimary, x.LeftForeign)
			}
		}
	}
	fmt.Fprint(w, "\npk, fk: leaf pages of the primary key and of the foreign key's index; full: how "+
		"full they are\nsplits: - where the server does not say it; rows/s: as fast as the processes "+
		"can\nlast 1000, look-up: blocks that are read; * by a list of keys, which do not sort by "+
		"time\n")
	return w.Flush()
}

func (e extent) String() string { return fmt.Sprintf("%.1f\t%.0f %%", e.BytesPerRow, 100*e.Density) }

func (r result) splits() string {
	if r.Splits == nil {
		return "-"
	}
	return fmt.Sprintf("%.1f", *r.Splits)
}

func (r result) last() string {
	if r.ByList {
		return fmt.Sprintf("%.0f*", r.Last)
	}
	return fmt.Sprintf("%.0f", r.Last)
}

// Sizes of the picture. On a phone 400 of them are some 340 pixels, so words of 12 are readable.
const (
	width, edge = 400, 12
	room        = width - 2*edge
	nameHeight  = 20
	barHeight   = 10
)

//go:embed picture.svg
var pictureText string

var pictureTemplate = template.Must(template.New("picture").Parse(pictureText))

// A bar is a density, one of a server's; or a line of the legend or of the grid.
type bar struct {
	Class, Y, Width int
	Label           string
}

// A group is a kind of key, with a bar for each server.
type group struct {
	Name string
	Y    int
	Ours bool
	Bars []bar
}

// picture draws the density of the primary key.
func (r report) picture() ([]byte, error) {
	var legend, grid []bar
	var groups []group
	for i, s := range r.servers() {
		legend = append(legend, bar{Class: i, Y: 38 + 18*i, Label: s})
	}
	top := 46 + 18*len(legend)
	y := top
	for _, k := range kinds() {
		g := group{Name: k.name, Y: y, Ours: k.config != nil}
		for _, x := range r.Results {
			if x.Key == k.name {
				g.Bars = append(g.Bars, bar{slices.Index(r.servers(), x.Server),
					nameHeight + barHeight*len(g.Bars), int(room * x.Primary.Density),
					fmt.Sprintf("%.0f %%", 100*x.Primary.Density)})
			}
		}
		if len(g.Bars) > 0 {
			groups = append(groups, g)
			y += nameHeight + barHeight*len(g.Bars) + 6
		}
	}
	for percent := 0; percent <= 100; percent += 25 {
		grid = append(grid, bar{Width: room * percent / 100, Label: fmt.Sprintf("%d %%", percent)})
	}
	var b bytes.Buffer
	err := pictureTemplate.Execute(&b, map[string]any{"Width": width, "Height": y + 30, "Edge": edge,
		"Top": top, "Bottom": y, "Legend": legend, "Groups": groups, "Grid": grid})
	return b.Bytes(), err
}
