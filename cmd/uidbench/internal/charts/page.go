package charts

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"

	"github.com/ringuid/ringuid/bench"
)

//go:embed page.html
var pageHTML string

// run is what the page shows of a report, by its keys in JSON.
type run struct {
	Generator      string           `json:"generator"`
	Started        time.Time        `json:"started"`
	Layout         string           `json:"layout"`
	Epoch          time.Time        `json:"epoch"`
	Rate           float64          `json:"rate"`
	Seconds        float64          `json:"seconds"`
	IDsPerSecond   float64          `json:"ids_per_second"`
	Latency        map[string]int64 `json:"latency_ns"`
	LatencySamples int64            `json:"latency_samples"`
	Samples        []sample         `json:"samples"`
	RejectedTakes  int64            `json:"rejected_takes"`
	RingSize       int64            `json:"ring_size"`
	AheadSeconds   float64          `json:"ahead_seconds"`
	LifeUsed       float64          `json:"life_used"`
}

// sample is the state of the run at one moment.
type sample struct {
	Seconds      float64 `json:"seconds"`
	IDsPerSecond float64 `json:"ids_per_second"`
	RingFill     float64 `json:"ring_fill"`
	AheadSeconds float64 `json:"ahead_seconds"`
}

// WriteHTML writes the report of a run, which must have been made with bench.Config.Detail,
// as one self-contained file: its figures and its text.
func WriteHTML(w io.Writer, report bench.Report) error {
	var r run
	encoded, err := json.Marshal(report)
	if err == nil {
		err = json.Unmarshal(encoded, &r)
	}
	if err != nil {
		return fmt.Errorf("charts: reading the report: %w", err)
	}
	var text strings.Builder
	if err := bench.WriteText(&text, report); err != nil {
		return err
	}
	return write(w, r, text.String())
}

func write(w io.Writer, r run, text string) error {
	life, err := lifeOf(r)
	if err != nil {
		return err
	}
	t, err := template.New("page").Parse(pageHTML)
	if err != nil {
		return fmt.Errorf("charts: the page's template: %w", err)
	}
	return t.Execute(w, map[string]any{
		"Title":   bench.FormatRate(r.IDsPerSecond) + " by a " + r.Generator + " generator",
		"Figures": figuresOf(r),
		"Life":    life,
		"Report":  text,
		"Started": r.Started.UTC().Format("2006-01-02 15:04:05 UTC"),
	})
}
