package compare

import (
	"io"
	"math"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
)

// The report as JSON has it. The names of the keys do not change.
type (
	reportJSON struct {
		Old           sideJSON  `json:"old"`
		New           sideJSON  `json:"new"`
		SameMachine   bool      `json:"same_machine"`
		Alpha         float64   `json:"alpha"`
		Confidence    float64   `json:"confidence"`
		ForInterval   int       `json:"samples_for_interval"`
		ForDifference int       `json:"samples_for_difference"`
		Rows          []rowJSON `json:"rows"`
	}
	sideJSON struct {
		Name     string   `json:"name"`
		Machines []string `json:"machines"`
		Only     []string `json:"only"`
	}
	rowJSON struct {
		Pkg       string      `json:"pkg"`
		Benchmark string      `json:"benchmark"`
		Unit      string      `json:"unit"`
		Better    string      `json:"better"` // "lower", "higher", or ""
		Old       summaryJSON `json:"old"`
		New       summaryJSON `json:"new"`
		Change    *float64    `json:"change_percent"` // null: the old median is 0
		P         float64     `json:"p"`
		Verdict   Verdict     `json:"verdict"`
	}
	summaryJSON struct {
		Median  *float64 `json:"median"`
		Low     *float64 `json:"low"` // null: too few samples
		High    *float64 `json:"high"`
		Samples int      `json:"samples"`
	}
)

// WriteJSON writes the report as one object. Values are in the unit of their row.
func WriteJSON(w io.Writer, r Report) error {
	j := reportJSON{
		Old:           sideJSON(r.Old.listed()),
		New:           sideJSON(r.New.listed()),
		SameMachine:   r.SameMachine(),
		Alpha:         r.Alpha,
		Confidence:    r.Confidence,
		ForInterval:   r.ForInterval,
		ForDifference: r.ForDifference,
		Rows:          []rowJSON{},
	}
	for _, row := range r.Rows {
		j.Rows = append(j.Rows, rowJSON{
			row.Pkg, row.Benchmark, row.Unit, row.Better,
			row.Old.json(), row.New.json(), finite(row.Change), row.P, row.Verdict,
		})
	}
	return human.WriteJSON(w, j)
}

// listed has [] where there is nothing, rather than null.
func (s Side) listed() Side {
	s.Machines = append([]string{}, s.Machines...)
	s.Only = append([]string{}, s.Only...)
	return s
}

func (s Summary) json() summaryJSON {
	return summaryJSON{finite(s.Median), finite(s.Low), finite(s.High), s.N}
}

// finite is nil, JSON's null, for what JSON has no number for.
func finite(v float64) *float64 {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return nil
	}
	return &v
}
