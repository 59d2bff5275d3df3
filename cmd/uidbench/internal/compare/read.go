package compare

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

var (
	// ErrNoResults is wrapped by Read when there are none, so that the input must
	// be something else.
	ErrNoResults = errors.New("compare: no benchmark results")

	// ErrJSON is wrapped by Read when the input is JSON, but no report of a run, or
	// not all of one.
	ErrJSON = errors.New("compare: not reports of a run")
)

// Results are the samples of a file.
type Results struct {
	Name       string   // of the file
	Machines   []string // that they were measured on; none where it does not say
	Benchmarks []Benchmark
	Skipped    []string // lines that look like results and are none: where, and why

	units benchfmt.UnitMetadataMap
}

// Benchmark is what was measured under one name.
type Benchmark struct {
	Pkg     string // "" where the file does not say
	Name    string // without the word Benchmark
	Samples []Samples
}

// Samples are the values of one unit, in the order in which they were measured.
type Samples struct {
	Unit   string
	Values []float64
}

// Read reads Go benchmark results, as uidbench --format bench writes them, or a sequence
// of reports of uidbench --format json, and detects which. The text may be UTF-8, or
// UTF-16 with a byte order mark, as Windows shells write it. name is for messages.
//
// Errors wrap ErrNoResults or ErrJSON, or are those of r.
func Read(r io.Reader, name string) (Results, error) {
	text := bufio.NewReader(transform.NewReader(r, unicode.BOMOverride(transform.Nop)))
	first, err := firstByte(text)
	if err != nil && err != io.EOF {
		return Results{}, err
	}
	var lines io.Reader = text
	if first == '{' || first == '[' {
		if lines, err = benchLines(text, name); err != nil {
			return Results{}, err
		}
	}
	return readLines(lines, name)
}

// firstByte skips white space, and returns what is after it without reading it.
func firstByte(r *bufio.Reader) (byte, error) {
	for {
		b, err := r.ReadByte()
		if err != nil {
			return 0, err
		}
		if !strings.ContainsRune(" \t\r\n", rune(b)) {
			return b, r.UnreadByte()
		}
	}
}

func readLines(r io.Reader, name string) (Results, error) {
	c := collector{Results: Results{Name: name, Machines: []string{}}, index: map[[2]string]int{}}
	in := benchfmt.NewReader(r, name)
	for in.Scan() {
		switch record := in.Result().(type) {
		case *benchfmt.Result:
			c.add(record)
		case *benchfmt.SyntaxError:
			c.Skipped = append(c.Skipped, record.Error())
		}
	}
	switch err := in.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return Results{}, fmt.Errorf("%w in %w: is it text?", ErrNoResults, err) // which begins with the name
	case err != nil:
		return Results{}, err
	}
	if len(c.Benchmarks) == 0 {
		return Results{}, c.nothing()
	}
	c.units = in.Units()
	return c.Results, nil
}

// collector gathers results by benchmark and unit.
type collector struct {
	Results
	index map[[2]string]int // of a benchmark, by package and name
}

func (c *collector) add(r *benchfmt.Result) {
	for _, v := range r.Values {
		if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
			name, line := r.Pos()
			c.Skipped = append(c.Skipped, fmt.Sprintf("%s:%d: %v is no measurement", name, line, v.Value))
			return
		}
	}
	if m := machine(r); m != "" && !slices.Contains(c.Machines, m) {
		c.Machines = append(c.Machines, m)
	}
	b := c.benchmark(r.GetConfig("pkg"), r.Name.String())
	for _, v := range r.Values {
		b.add(v)
	}
}

func (c *collector) benchmark(pkg, name string) *Benchmark {
	key := [2]string{pkg, name}
	i, ok := c.index[key]
	if !ok {
		i = len(c.Benchmarks)
		c.index[key] = i
		c.Benchmarks = append(c.Benchmarks, Benchmark{Pkg: pkg, Name: name})
	}
	return &c.Benchmarks[i]
}

// add keeps a value in the unit that was written: benchfmt makes seconds of all
// nanoseconds, which nobody would look for.
func (b *Benchmark) add(v benchfmt.Value) {
	value, unit := v.Value, v.Unit
	if v.OrigUnit != "" {
		value, unit = v.OrigValue, v.OrigUnit
	}
	if s := b.samples(unit); s != nil {
		s.Values = append(s.Values, value)
		return
	}
	b.Samples = append(b.Samples, Samples{unit, []float64{value}})
}

// samples returns those of a unit, nil where there are none.
func (b *Benchmark) samples(unit string) *Samples {
	for i := range b.Samples {
		if b.Samples[i].Unit == unit {
			return &b.Samples[i]
		}
	}
	return nil
}

// machine says what is known of where a result was measured.
func machine(r *benchfmt.Result) string {
	var known []string
	if system := strings.Trim(r.GetConfig("goos")+"/"+r.GetConfig("goarch"), "/"); system != "" {
		known = append(known, system)
	}
	if cpu := r.GetConfig("cpu"); cpu != "" {
		known = append(known, cpu)
	}
	return strings.Join(known, ", ")
}

// nothing is the error of a file without results.
func (c *collector) nothing() error {
	if len(c.Skipped) > 0 {
		return fmt.Errorf("%w in %s", ErrNoResults, c.Skipped[0])
	}
	return fmt.Errorf("%w in %s: make it with `uidbench --format bench`, `uidbench --format json` or `go test -bench`", ErrNoResults, c.Name)
}
