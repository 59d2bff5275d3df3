package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func sample() report {
	none, two := 0.0, 2.0
	r := report{
		Date: "2026-11-20", Machine: "a machine", CPUs: 2, Rounds: 6, Slice: 100 * time.Millisecond, Takers: 8,
		Rows: []row{
			{
				Name: "slow", Version: "v1.2.3", Bytes: 16, Limit: "256 in 10 ms", Allocs: &two, Errors: 1, Faults: "forgets the worker",
				One: timing{NS: 38280, Ratio: 8544.6}, All: timing{NS: 38360, Ratio: 5313},
				Check: &finding{IDs: 128_000, Duplicates: 3, Negative: 2, Errors: 20_000},
			},
			{
				Name: "ringuid", Variant: "Stream", Bytes: 8, Ours: true, Allocs: &none, Note: "it grows",
				One: timing{NS: 1.234, Ratio: 0.2749}, All: timing{NS: 0.8, Ratio: 0.11},
				Check: &finding{IDs: 20_000_000},
			},
		},
		baselineOne: []float64{4.5}, baselineAll: []float64{7.25},
	}
	r.finish(options{only: regexp.MustCompile("chuidaqi666")})
	return r
}

func TestTextTable(t *testing.T) {
	var b strings.Builder
	require.NoError(t, writeText(&b, sample()))
	lines := strings.Split(b.String(), "\n")
	for i, want := range []string{
		`generator +id +one goroutine, ns +x +all CPUs, ns +x +allocs +checked +duplicates +other faults +note`,
		`ringuid, Stream +8 B +1.23 +0.275 +0.8 +0.11 +0 +20 M +0 +none +it grows`,
		`chuidaqi666/uid-generator-go +- +- +17 to 22 +- +31 to 42 +- +- +- +- +quoted`,
		`slow v1.2.3 +16 B +38280 +8545 +38360 +5313 +2 +128 k +3 +2 negative, 20 k errors, forgets the worker +rate-limited: 256 in 10 ms`,
		``,
		`2026-11-20; a machine`,
		`times: medians of 6 rounds of 100ms`,
		`x: .*one goroutine 4.5 ns, 2 goroutines 7.25 ns.*`,
		`checked: ids taken by 8 goroutines, each on a thread, .*`,
	} {
		assert.Regexp(t, "^"+want+" *$", lines[i])
	}
	assert.Contains(t, b.String(), quotedFrom)
}

func TestMarkdownTable(t *testing.T) {
	var b strings.Builder
	require.NoError(t, writeMarkdown(&b, sample()))
	lines := strings.Split(b.String(), "\n")
	assert.Equal(t, "|---|--:|--:|--:|--:|--:|--:|--:|--:|---|---|", lines[1])
	assert.Equal(t, "| **ringuid, Stream** | 8 B | 1.23 | 0.275 | 0.8 | 0.11 | 0 | 20 M | 0 | none | it grows |", lines[2])
	for _, line := range lines[:5] {
		assert.Equal(t, len(columns)+1, strings.Count(line, "|"), line)
	}
}

func TestJSONHasWhatTheTableHas(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, writeJSON(&b, sample()))
	var got report
	require.NoError(t, json.Unmarshal(b.Bytes(), &got))
	want := sample()
	want.baselineOne, want.baselineAll = nil, nil
	assert.Equal(t, want, got)
}

func TestVersionsWithoutATagAreADay(t *testing.T) {
	assert.Equal(t, "a/b v0.0.0-20190107", row{Name: "a/b", Version: "v0.0.0-20190107221622-c03a08f42c37"}.title())
	assert.Equal(t, "a/b v1.2.1, New", row{Name: "a/b", Version: "v1.2.1", Variant: "New"}.title())
}

func TestFaultsThatWereNotLookedFor(t *testing.T) {
	assert.Equal(t, "-", row{}.faultText())
	assert.Equal(t, "-", row{}.duplicates())
	assert.Equal(t, "4 errors", row{Errors: 4}.faultText())
	assert.Equal(t, "forgets", row{Faults: "forgets"}.faultText(), "what is known is told all the same")
}

func TestOurFaults(t *testing.T) {
	r := sample()
	assert.Zero(t, r.ourFaults(), "those of others do not count")
	r.Rows[0].Check.Duplicates = 1
	assert.EqualValues(t, 1, r.ourFaults())
}

func TestPictureIsWellFormed(t *testing.T) {
	for _, r := range []report{sample(), {}} {
		svg, err := picture(r)
		require.NoError(t, err)
		d := xml.NewDecoder(bytes.NewReader(svg))
		for err == nil {
			_, err = d.Token()
		}
		assert.ErrorIs(t, err, io.EOF)
		for _, row := range r.Rows {
			assert.Contains(t, string(svg), row.title())
		}
	}
}
