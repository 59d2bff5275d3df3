package cli

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/dustin/go-humanize"
)

// WriteJSON writes a report as one object on several lines.
func WriteJSON[T any](w io.Writer, report T) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(report)
}

// Count formats a number of things: 1 id, 2,000 ids, 2 processes, 3 DUPLICATES.
func Count(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	plural := "s"
	switch {
	case strings.HasSuffix(thing, "s"):
		plural = "es"
	case thing == strings.ToUpper(thing):
		plural = "S"
	}
	return humanize.Comma(n) + " " + thing + plural
}
