package idlog

import (
	"fmt"

	"github.com/ringuid/ringuid/uid"
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
	OutOfOrder      int64       `json:"out_of_order"` // not above the one before them in their file
}

// Duplicate is an id that is in two places: where it was first, unless that cannot be
// told because an input was read that can be read only once, and where it came again.
type Duplicate struct {
	ID     uid.ID  `json:"id"`
	Places []Place `json:"places"`
}

func (d Duplicate) String() string {
	if len(d.Places) == 1 {
		return fmt.Sprintf("%v at %v, and before", d.ID, d.Places[0])
	}
	return fmt.Sprintf("%v at %v and %v", d.ID, d.Places[0], d.Places[1])
}

// Place is a line of a file, counted from 1 on.
type Place struct {
	File string `json:"file"`
	Line int64  `json:"line"`
}

func (p Place) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// Verdict returns an error that wraps ErrDuplicate when an id came twice.
func (r Report) Verdict() error {
	if r.Duplicates == 0 {
		return nil
	}
	return fmt.Errorf("%w: %d of them, the first: %v",
		ErrDuplicate, r.Duplicates, r.FirstDuplicates[0])
}
