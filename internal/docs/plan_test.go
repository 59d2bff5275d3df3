package docs

import (
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/internal/plan"
)

// planned is when `uidbench plan` was asked for what README.md shows.
var planned = time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC)

// wishesOf reads the flags of a `uidbench plan`.
func wishesOf(t *testing.T, line string) (w plan.Wishes) {
	t.Helper()
	flags := flag.NewFlagSet("plan", flag.ContinueOnError)
	flags.Int64Var(&w.Nodes, "nodes", 0, "")
	flags.Float64Var(&w.StartsPerDay, "starts-per-day", 0, "")
	flags.BoolVar(&w.Recycled, "recycled", false, "")
	flags.Float64Var(&w.IDsPerSecond, "rate", 0, "")
	flags.Float64Var(&w.Years, "years", 0, "")
	require.NoError(t, flags.Parse(strings.Fields(line)), line)
	return w
}

// The columns of a layout, until when it lasts and what it makes are those of one of
// the layouts that were proposed on that day.
func TestTheLayoutsOfTheReadmeAreThoseThatWereProposed(t *testing.T) {
	rows := 0
	for _, s := range readPage(t, "README.md").sections {
		for _, table := range s.tables {
			if len(table[0][0].spans) == 0 || table[0][0].spans[0].text != "uidbench plan …" {
				continue
			}
			for _, row := range table[1:] {
				rows++
				line := row[0].spans[0].text
				proposed := []string{"nothing fits"}
				if fits, err := plan.Layouts(wishesOf(t, line), planned); err == nil {
					proposed = nil
					for _, f := range fits {
						proposed = append(proposed, fmt.Sprintf("%s %d %s", bench.FormatLayout(f.Layout), f.End.Year(), bench.FormatRate(f.Rate)))
					}
				}
				var shown []string
				for _, cell := range row[1:4] {
					shown = append(shown, strings.Fields(cell.text)...)
				}
				assert.Contains(t, proposed, strings.Join(shown, " "), line)
			}
		}
	}
	assert.Positive(t, rows)
}
