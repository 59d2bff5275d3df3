package docs

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// columns of a table that uidbench prints.
var columns = regexp.MustCompile(` {2,}`)

// proposals are what a `uidbench plan` proposes: a layout, the year of its end and what
// a node makes, as the guide shows them.
func (w workshop) proposals(t *testing.T, line string) (all []string) {
	t.Helper()
	flags := strings.Fields(line)
	out, err := exec.Command(w.uidbench, flags[1:]...).CombinedOutput()
	if err != nil {
		require.Contains(t, string(out), "nothing fits", line)
		return []string{"nothing fits"}
	}
	_, rows, _ := strings.Cut(string(out), "\n\n") // behind what was asked for
	for row := range strings.Lines(rows) {
		cells := columns.Split(row, -1)
		require.Greater(t, len(cells), 4, row)
		layout, end, rate := cells[0], cells[3], cells[4]
		year, _, _ := strings.Cut(end, "-")
		all = append(all, layout+" "+year+" "+rate)
	}
	return all
}

// The columns of a layout, until when it lasts and what it makes are those of one of
// the layouts that are proposed.
func TestTheLayoutsOfTheGuideAreThoseThatAreProposed(t *testing.T) {
	w := newWorkshop(t)
	rows := 0
	for _, s := range readPage(t, "docs/guide.md").sections {
		for _, table := range s.tables {
			if len(table[0][0].spans) == 0 {
				continue
			}
			begin, open := strings.CutSuffix(table[0][0].spans[0].text, "…")
			if !open || !strings.HasPrefix(begin, "uidbench plan --from ") {
				continue
			}
			for _, row := range table[1:] {
				rows++
				line := begin + row[0].spans[0].text
				var shown []string
				for _, cell := range row[1:4] {
					shown = append(shown, strings.Fields(cell.text)...)
				}
				assert.Contains(t, w.proposals(t, line), strings.Join(shown, " "), line)
			}
		}
	}
	assert.Positive(t, rows)
}
