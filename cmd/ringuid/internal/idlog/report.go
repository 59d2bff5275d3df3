package idlog

import (
	"fmt"
	"io"
	"strings"

	"github.com/ringuid/ringuid/cmd/internal/cli"
)

// Examples is how many duplicates a report names.
const Examples = 10

// Report is what was found in logs. The names of its JSON keys do not change.
type Report struct {
	Interrupted     bool        `json:"interrupted"` // it ended before the end of the inputs
	Files           int         `json:"files"`
	IDs             int64       `json:"ids"`
	Duplicates      int64       `json:"duplicates"`
	FirstDuplicates []Duplicate `json:"first_duplicates,omitempty"`
	OutOfOrder      int64       `json:"out_of_order"` // ids not above the one before in their file
	Negative        int64       `json:"negative"`     // Baidu's, of after their layout's time
	BadLines        int64       `json:"bad_lines"`    // without an id
}

// Duplicate is an id, and where it occurred again.
type Duplicate struct {
	ID int64 `json:"id,string"`
	Place
}

func (d Duplicate) String() string { return fmt.Sprintf("%v at %v, and before", d.ID, d.Place) }

// Place is a line of a file, counted from 1.
type Place struct {
	File string `json:"file"`
	Line int64  `json:"line"`
}

func (p Place) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// Verdict returns an error that wraps ErrDuplicate for duplicate ids, with its exit code.
func (r Report) Verdict() error {
	if r.Duplicates == 0 {
		return nil
	}
	return cli.Coded(fmt.Errorf("%w: %d of them, the first: %v", ErrDuplicate, r.Duplicates,
		r.FirstDuplicates[0]), cli.Duplicate)
}

// WriteText writes the report for people.
func (r Report) WriteText(w io.Writer) {
	interrupted, duplicates, more := "", "none: every id is new", ""
	order := "the ids of each file only grow"
	if r.Interrupted {
		interrupted = " (interrupted)"
	}
	if r.Duplicates > 0 {
		lines := []string{cli.Count(r.Duplicates, "DUPLICATE id")}
		for _, d := range r.FirstDuplicates {
			lines = append(lines, d.String())
		}
		if r.Duplicates > int64(len(r.FirstDuplicates)) {
			lines = append(lines, "and more")
		}
		duplicates = strings.Join(lines, "\n              ")
	}
	if r.OutOfOrder > 0 {
		order = cli.Count(r.OutOfOrder, "id") + " not above the one before in the file"
	}
	if r.Negative > 0 {
		more = "  negative    " + cli.Count(r.Negative, "id") + ": Baidu's, after their layout's time\n"
	}
	if r.BadLines > 0 {
		more += "  bad         " + cli.Count(r.BadLines, "line") + " without an id\n"
	}
	fmt.Fprintf(w, "%s of %s%s\n\n  duplicates  %s\n  order       %s\n%s",
		cli.Count(r.IDs, "id"), cli.Count(int64(r.Files), "file"), interrupted, duplicates, order,
		more)
}
