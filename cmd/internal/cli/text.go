package cli

import (
	"encoding/json"
	"io"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
)

// WriteJSON writes a report as one object on several lines.
func WriteJSON[T any](w io.Writer, report T) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(report)
}

// Count formats a number of things: 1 id, 2,000 ids, 2 processes.
func Count(n int64, thing string) string {
	return humanize.Comma(n) + " " + english.PluralWord(int(min(n, 2)), thing, "")
}
