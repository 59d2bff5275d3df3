package idlog

import (
	"fmt"
	"io"

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

// WriteText writes the report for people. Tabs end the cells of its table.
func (r Report) WriteText(w io.Writer) {
	interrupted, order := "", "the ids of each file only grow"
	if r.Interrupted {
		interrupted = " (interrupted)"
	}
	if r.OutOfOrder > 0 {
		order = cli.Count(r.OutOfOrder, "id") + " not above the one before in the file"
	}
	fmt.Fprintf(w, "%s of %s%s\n\n  duplicates\t", cli.Count(r.IDs, "id"),
		cli.Count(int64(r.Files), "file"), interrupted)
	if r.Duplicates == 0 {
		fmt.Fprintln(w, "none: every id is new")
	} else {
		fmt.Fprintln(w, cli.Count(r.Duplicates, "DUPLICATE id"))
	}
	for _, d := range r.FirstDuplicates {
		fmt.Fprintf(w, "  \t%v\n", d)
	}
	if r.Duplicates > int64(len(r.FirstDuplicates)) {
		fmt.Fprintln(w, "  \tand more")
	}
	fmt.Fprintf(w, "  order\t%s\n", order)
	if r.Negative > 0 {
		fmt.Fprintf(w, "  negative\t%s: Baidu's, after their layout's time\n",
			cli.Count(r.Negative, "id"))
	}
	if r.BadLines > 0 {
		fmt.Fprintf(w, "  bad\t%s without an id\n", cli.Count(r.BadLines, "line"))
	}
}
