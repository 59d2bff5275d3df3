package main

import (
	"fmt"
	"io"
	"math"
	mathbits "math/bits"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/uid"
)

func newPlan() *cobra.Command {
	var format cli.Format
	p := requirements{rate: 1000, from: time.Now()}
	cmd := &cobra.Command{
		Use:     "plan",
		GroupID: "ids",
		Short:   "Find the layouts that hold what you need",
		Long: `Plan lists the layouts that hold what you need: when each ends, how many ids a second
one process can make for as long as it likes, and how many worker ids are left for more
starts. If no layout fits, it says which bits are missing, and exits with 1.

Layouts with ticks of a millisecond come first, because they keep the indexes of a
database dense. A balanced layout has no name: type its bits.

A LAYOUT is a number of bits for each part: TIME/WORKER/SEQ. A tick is a second unless @
says otherwise.`,
		Example: `  ringuid plan --nodes 500 --rate 100000 --years 30
  ringuid plan --nodes 20 --rate 50k --from 2027-01-01 --format json
  ringuid plan --nodes 10 --starts-per-day 50 --rate 5000 --years 20`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			fits, err := p.layouts()
			if err != nil {
				return err
			}
			return format.Write(c.OutOrStdout(), fits, func(w io.Writer) { p.write(w, fits) })
		},
	}
	flags := cmd.Flags()
	flags.Int64Var(&p.nodes, "nodes", 10, "`N` processes that run at the same time")
	flags.Float64Var(&p.startsPerDay, "starts-per-day", 0,
		"for worker.Disposable: `N` starts of a process a day, all together, each of which takes a new "+
			"worker id (default: for worker.Leased, where starts cost nothing)")
	flags.Var(cli.Amount(&p.rate, false), "rate",
		"`N` ids a second of one process, without borrowing from the future")
	flags.Float64Var(&p.years, "years", 5, "`N` years that the layout must last")
	flags.Var(cli.Time(&p.from), "from", "`TIME` at which the years begin (default: now); its day is the "+
		"epoch, except for SnowflakeLayout")
	format.Bind(flags, "answer")
	return cmd
}

type requirements struct {
	nodes        int64   // generators running at one time, 1 or more
	startsPerDay float64 // of all nodes together, if each takes a new worker id; 0: leased ones
	rate         float64 // ids a second of one node, sustained without borrowing
	years        float64 // from the start on, up to a hundred million
	from         time.Time
}

const (
	secondsPerDay = 24 * 60 * 60
	daysPerYear   = 365.25
	maxYears      = 1e8 // far enough, and well inside of time.Time
	idBits        = 63
)

// The units to choose from, the most sensible first. With short ticks, several processes insert
// their rows nearly in the order of the keys, and indexes stay dense.
var units = [...]time.Duration{time.Millisecond, 10 * time.Millisecond, time.Second}

// A fit is a layout that meets all requirements, as JSON shows it.
type fit struct {
	Layout       string    `json:"layout"`
	Name         string    `json:"name"` // SnowflakeLayout, or balanced: the spare bits were spread evenly
	Epoch        time.Time `json:"epoch"`
	Until        string    `json:"until"`
	IDsPerSecond float64   `json:"ids_per_second"`
	// when all nodes have theirs: for more starts, or nodes if worker ids are leased
	WorkerIDsLeft int64  `json:"worker_ids_left"`
	WorkerIDsEnd  string `json:"worker_ids_end,omitempty"` // when the starts have used them up

	layout uid.Layout
}

func (p requirements) fit(name string, l uid.Layout) fit {
	f := fit{Layout: bits(l), Name: name, Epoch: l.Epoch, Until: cli.FormatTime(l.End(), time.Second),
		IDsPerSecond: rate(l), WorkerIDsLeft: l.MaxWorker() + 1 - p.nodes, layout: l}
	if p.startsPerDay > 0 {
		f.WorkerIDsLeft -= firstDisposable
		end := after(p.from, float64(f.WorkerIDsLeft)/p.startsPerDay*secondsPerDay)
		f.WorkerIDsEnd = cli.FormatTime(end, time.Second)
	}
	return f
}

// bits formats a layout as uid.ParseLayout reads it, without its epoch.
func bits(l uid.Layout) string {
	text, _, _ := strings.Cut(l.String(), " ")
	return text
}

// rate returns the ids a second that one worker can make indefinitely.
func rate(l uid.Layout) float64 { return math.Ldexp(1, l.SeqBits) / l.Unit.Seconds() }

// layouts returns SnowflakeLayout if it fits, and a layout for each unit in which one fits, with
// the spare bits spread evenly.
func (p requirements) layouts() (fits []fit, err error) {
	switch {
	case p.nodes < 1:
		return nil, cli.Usagef("--nodes %d: type 1 or more", p.nodes)
	case !(p.startsPerDay >= 0 && p.startsPerDay <= math.MaxFloat64): // so is NaN
		return nil, cli.Usagef("--starts-per-day %v: type 0 or more", p.startsPerDay)
	case !(p.years > 0 && p.years <= maxYears):
		return nil, cli.Usagef("--years %v: type more than 0, at most %.0f", p.years, maxYears)
	}
	if l := uid.SnowflakeLayout(); !l.Epoch.After(p.from) && !l.End().Before(p.until()) &&
		bitsFor(p.workers()) <= l.WorkerBits && rate(l) >= p.rate {
		fits = append(fits, p.fit("SnowflakeLayout", l))
	}
	nearest := p.least(units[0])
	for _, unit := range units {
		l := p.least(unit)
		if bitsOf(l) < bitsOf(nearest) {
			nearest = l
		}
		if bitsOf(l) > idBits {
			continue
		}
		if l = p.spread(l); l != uid.SnowflakeLayout() {
			fits = append(fits, p.fit("balanced", l))
		}
	}
	if len(fits) > 0 {
		return fits, nil
	}
	advice := "ask for less of what takes the most"
	if p.startsPerDay > 0 {
		advice = "lease worker ids (leave out --starts-per-day), or " + advice
	}
	return nil, fmt.Errorf("nothing fits: time %d + worker %d + sequence %d are %d bits, with "+
		"ticks of %v, and an id has %d: %s", nearest.TimeBits, nearest.WorkerBits, nearest.SeqBits,
		bitsOf(nearest), nearest.Unit, idBits, advice)
}

func (p requirements) until() time.Time { return after(p.from, p.years*daysPerYear*secondsPerDay) }

// firstDisposable is the first worker id that a new row is given: databases
// count from 1, and worker id 0 is never used.
const firstDisposable = 1

// workers returns how many worker ids are needed, in all the years.
func (p requirements) workers() float64 {
	if p.startsPerDay == 0 {
		return float64(p.nodes)
	}
	return firstDisposable + float64(p.nodes) + p.startsPerDay*p.years*daysPerYear
}

// least returns the layout with the fewest bits that fits the requirements in a unit. It counts
// from the beginning of the day, because earlier years cost bits. It may have more bits than an
// id; a field that could not be wide enough at all then counts for 64.
func (p requirements) least(unit time.Duration) uid.Layout {
	l := uid.Layout{Epoch: p.from.UTC().Truncate(secondsPerDay * time.Second), Unit: unit, TimeBits: 1}
	for until := p.until(); l.TimeBits <= idBits && l.End().Before(until); {
		l.TimeBits++
	}
	l.WorkerBits = bitsFor(p.workers())
	l.SeqBits = bitsFor(p.rate * float64(unit.Milliseconds()) / 1000)
	return l
}

// spread gives the spare bits to the fields in turn. The time takes no more once it lasts for a
// thousand years.
func (p requirements) spread(l uid.Layout) uid.Layout {
	enough := after(p.from, 1000*daysPerYear*secondsPerDay)
	for turn := 0; bitsOf(l) < idBits; turn++ {
		switch turn % 3 {
		case 0:
			l.SeqBits++
		case 1:
			if !l.End().After(enough) {
				l.TimeBits++
			}
		case 2:
			l.WorkerBits++
		}
	}
	return l
}

func bitsOf(l uid.Layout) int { return l.TimeBits + l.WorkerBits + l.SeqBits }

// bitsFor returns how many bits distinguish n things, 64 if n is more than an id can hold.
func bitsFor(n float64) int {
	switch {
	case n <= 1:
		return 0
	case n > math.MaxInt64:
		return idBits + 1
	}
	return mathbits.Len64(uint64(math.Ceil(n)) - 1)
}

// after returns t plus some seconds, at most thirty billion years.
func after(t time.Time, seconds float64) time.Time {
	return time.Unix(t.Unix()+int64(min(seconds, 1e18)), int64(t.Nanosecond())).UTC()
}

func (p requirements) write(w io.Writer, fits []fit) {
	starts := "worker ids leased"
	switch {
	case p.startsPerDay > 0:
		starts = humanize.Commaf(p.startsPerDay) + " starts a day"
	case p.nodes > 1<<16: // see worker.Claim.Count
		starts = "worker ids leased in groups of 65,536, each with its Claim.First"
	}
	perSecond := func(n float64) string { return humanize.SIWithDigits(n, 2, "/s") }
	fmt.Fprintf(w, "%s at once, %s, %s each, %s years from %s\n\n", cli.Count(p.nodes, "process"),
		starts, perSecond(p.rate), humanize.Commaf(p.years), p.from.Format(time.DateOnly))
	fmt.Fprintln(w, "LAYOUT\tNAME\tEPOCH\tUNTIL\tA PROCESS MAKES\tWORKER IDS LEFT")
	for _, f := range fits {
		left := humanize.Comma(f.WorkerIDsLeft)
		if f.WorkerIDsEnd != "" {
			year, _, _ := strings.Cut(f.WorkerIDsEnd, "-")
			left += ", until " + year
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", f.Layout, f.Name, f.Epoch.Format(time.DateOnly),
			f.layout.End().Format(time.DateOnly), perSecond(f.IDsPerSecond), left)
	}
}
