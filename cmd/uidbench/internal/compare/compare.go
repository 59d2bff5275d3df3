package compare

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
)

var (
	// ErrOptions is wrapped by Compare when they are invalid.
	ErrOptions = errors.New("compare: bad options")

	// ErrDisjoint is wrapped by Compare when the results have no benchmark in
	// common.
	ErrDisjoint = errors.New("compare: nothing in common")
)

// Options say how sure to be. Zero fields are the documented defaults.
type Options struct {
	// Alpha is the greatest p of a change that counts, above 0 and below 1.
	// Default: 0.05.
	Alpha float64 `json:"alpha"`

	// Confidence is that of the intervals, above 0 and below 1. Default: 0.95.
	Confidence float64 `json:"confidence"`
}

func (o Options) withDefaults() (Options, error) {
	o = Options{cmp.Or(o.Alpha, 0.05), cmp.Or(o.Confidence, 0.95)}
	for _, v := range []float64{o.Alpha, o.Confidence} {
		if !(v > 0 && v < 1) {
			return o, fmt.Errorf("%w: %v: alpha and confidence lie between 0 and 1, such as 0.05 and 0.95", ErrOptions, v)
		}
	}
	return o, nil
}

// Report is how the new results differ from the old ones. The names of its JSON keys do
// not change.
type Report struct {
	Old         Side `json:"old"`
	New         Side `json:"new"`
	SameMachine bool `json:"same_machine"` // both were measured on one, as far as they say
	Options

	// Samples of each side that an interval, and a difference, need at least; 0 when
	// fifty would not do.
	ForInterval   int `json:"samples_for_interval"`
	ForDifference int `json:"samples_for_difference"`

	Rows []Row `json:"rows"`
}

// Side is what one of the two files has.
type Side struct {
	Name     string   `json:"name"`
	Machines []string `json:"machines"`
	Only     []string `json:"only"` // benchmarks, or units of benchmarks, that the other has not
}

// Compare compares the benchmarks and units that both have. Errors wrap ErrOptions or
// ErrDisjoint.
func Compare(before, after Results, o Options) (Report, error) {
	o, err := o.withDefaults()
	if err != nil {
		return Report{}, err
	}
	r := Report{
		Old:           Side{before.Name, before.Machines, missing(before, after)},
		New:           Side{after.Name, after.Machines, missing(after, before)},
		SameMachine:   slices.Equal(before.Machines, after.Machines) && len(before.Machines) <= 1,
		Options:       o,
		ForInterval:   fewest(o.hasInterval),
		ForDifference: fewest(func(n int) bool { return o.canDiffer(n, n) }),
	}
	for _, b := range before.Benchmarks {
		a := after.find(b)
		if a == nil {
			continue
		}
		for _, s := range b.Samples {
			if t := a.samples(s.Unit); t != nil && len(s.Values) > 0 && len(t.Values) > 0 {
				row := Row{Pkg: b.Pkg, Benchmark: b.Name, Unit: s.Unit, Better: better(s.Unit, before.units, after.units)}
				row.compare(s.Values, t.Values, assumption(s.Unit, before, after), o)
				r.Rows = append(r.Rows, row)
			}
		}
	}
	if len(r.Rows) == 0 {
		return r, disjoint(r)
	}
	return r, nil
}

// assumption is how values of a unit spread: a file may say that they do not.
func assumption(unit string, before, after Results) benchmath.Assumption {
	for _, m := range []benchfmt.UnitMetadataMap{before.units, after.units} {
		if a := m.GetAssumption(unit); a != benchmath.AssumeNothing {
			return a
		}
	}
	return benchmath.AssumeNothing
}

func (r Results) find(b Benchmark) *Benchmark {
	for i := range r.Benchmarks {
		if c := &r.Benchmarks[i]; c.Pkg == b.Pkg && c.Name == b.Name {
			return c
		}
	}
	return nil
}

// missing names what one has and the other has not.
func missing(one, other Results) []string {
	all := []string{} // rather than null
	several := severalPackages(one, other)
	for _, b := range one.Benchmarks {
		name := b.Name
		if several {
			name = b.Pkg + " " + name
		}
		a := other.find(b)
		if a == nil {
			all = append(all, name)
			continue
		}
		for _, s := range b.Samples {
			if a.samples(s.Unit) == nil {
				all = append(all, name+" "+s.Unit)
			}
		}
	}
	return all
}

// severalPackages reports whether a benchmark's name alone may not tell which one
// it is.
func severalPackages(one, other Results) bool {
	all := slices.Concat(one.Benchmarks, other.Benchmarks)
	return slices.ContainsFunc(all, func(b Benchmark) bool { return b.Pkg != all[0].Pkg })
}

// disjoint says why nothing is in common, as far as the names tell.
func disjoint(r Report) error {
	if slices.ContainsFunc(r.Old.Only, func(a string) bool {
		return slices.ContainsFunc(r.New.Only, func(b string) bool { return withoutCPUs(a) == withoutCPUs(b) })
	}) {
		return fmt.Errorf("%w: benchmarks differ in GOMAXPROCS, the number at their end: set it to the same for both runs", ErrDisjoint)
	}
	return fmt.Errorf("%w: %s has %s\n%s has %s\nrun both with the same flags",
		ErrDisjoint, r.Old.Name, few(r.Old.Only), r.New.Name, few(r.New.Only))
}

// withoutCPUs cuts off the number of CPUs in which a benchmark's name ends.
func withoutCPUs(name string) string {
	_, parts := benchfmt.Name(name).Parts()
	if n := len(parts); n > 0 && parts[n-1][0] == '-' {
		return strings.TrimSuffix(name, string(parts[n-1]))
	}
	return name
}

// few names the first of many.
func few(names []string) string {
	const most = 3
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}
