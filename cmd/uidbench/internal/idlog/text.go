package idlog

import (
	"fmt"
	"io"
	"strings"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
)

// WriteText writes the report for people.
func WriteText(w io.Writer, r Report) error {
	interrupted := ""
	if r.Interrupted {
		interrupted = " (interrupted)"
	}
	_, err := fmt.Fprintf(w, "%s of %s%s\n\n  duplicates  %s\n  order       %s\n",
		human.Count(r.IDs, "id"), human.Count(int64(r.Files), "file"), interrupted,
		duplicatesText(r), orderText(r))
	return err
}

func duplicatesText(r Report) string {
	if r.Duplicates == 0 {
		return "none: every id is new"
	}
	lines := []string{human.Count(r.Duplicates, "DUPLICATE")}
	for _, d := range r.FirstDuplicates {
		lines = append(lines, d.String())
	}
	if r.Duplicates > int64(len(r.FirstDuplicates)) {
		lines = append(lines, "and more")
	}
	return strings.Join(lines, "\n              ")
}

func orderText(r Report) string {
	if r.OutOfOrder == 0 {
		return "the ids of each file only grow"
	}
	return human.Count(r.OutOfOrder, "id") + " not above the one before in the file"
}
