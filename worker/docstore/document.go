package docstore

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"time"

	"github.com/ringuid/ringuid/internal/rows"
	"github.com/ringuid/ringuid/worker/store"
)

const format = 1

// remembered is how long a document knows which creations were done. A request that was repeated
// on its way arrives before that.
const remembered = time.Hour

// document is the value of a Document, as it was read or as it is to be.
type document struct {
	part    int
	tag     string // empty: there is no value
	version string // of this value, random
	made    map[string]time.Time
	rows    rows.Rows
}

// text is a document as JSON.
type text struct {
	Format  int                        `json:"ringuid"`
	Part    int                        `json:"part"`
	Version string                     `json:"version"`
	Made    map[string]time.Time       `json:"made"`
	Rows    map[string]json.RawMessage `json:"rows"`
}

// read returns what a part's value says; was is what an earlier one said, or nil. Its error wraps
// ErrStore: something else wrote the value.
func read(part int, s Snapshot, was *document) (*document, error) {
	d := &document{part: part, tag: s.Tag, rows: rows.Rows{}}
	if s.Tag == "" {
		return d, nil
	}
	var t text
	in := json.NewDecoder(bytes.NewReader(s.Value))
	in.DisallowUnknownFields()
	err := in.Decode(&t)
	if _, more := in.Token(); err == nil && more != io.EOF {
		err = fmt.Errorf("there is more after its end")
	}
	switch {
	case len(s.Value) > MaxValue:
		err = fmt.Errorf("it has more than %d bytes", MaxValue)
	case err != nil:
	case t.Format != format:
		err = fmt.Errorf("its format is %d, and this version knows %d", t.Format, format)
	case t.Part != part:
		err = fmt.Errorf("it is document %02d", t.Part)
	case t.Version == "":
		err = fmt.Errorf("it has no version")
	}
	d.version, d.made = t.Version, t.Made
	for path, row := range t.Rows {
		if err == nil {
			err = d.add(path, row, was)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%w: document %02d was written by something else, or by another version: "+
			"%w; it stays as it is: stop all processes; then delete it by hand", store.ErrStore, part, err)
	}
	return d, nil
}

func (d *document) add(path string, row json.RawMessage, was *document) error {
	k, err := rows.ParsePath("", path)
	if err == nil && (k.Worker < 0 || partOf(k.Worker) != d.part) {
		err = fmt.Errorf("the row of worker id %d is no row of this document", k.Worker)
	}
	if was != nil && was.rows[k].Text == string(row) { // mostly one row has changed
		d.rows[k] = was.rows[k]
		return err
	}
	d.rows[k] = rows.Parse(k, string(row))
	return err
}

// partOf is the document that has the row of a worker id.
func partOf(worker int64) int { return int(worker % parts) }

// empty is a document without rows.
func empty(part int, version string) *document {
	return &document{part: part, version: version, made: map[string]time.Time{}}
}

// next returns a copy for a change, with a version of its own. What was made too long before now is
// forgotten.
func (d *document) next(version string, now time.Time) *document {
	n := empty(d.part, version)
	n.rows = maps.Clone(d.rows)
	for name, at := range d.made {
		if now.Sub(at) < remembered {
			n.made[name] = at
		}
	}
	return n
}

// value is the document as JSON. Rows that were not changed are as they were read: a newer version
// may have added to them.
func (d *document) value() ([]byte, error) {
	t := text{Format: format, Part: d.part, Version: d.version, Made: d.made,
		Rows: map[string]json.RawMessage{}}
	for k, r := range d.rows {
		if r.Text == "" {
			r.Text = r.Row.Text(r.Pool(k))
		}
		t.Rows[k.Path()] = json.RawMessage(r.Text)
	}
	value, err := json.Marshal(t)
	if err == nil && len(value) > MaxValue {
		err = fmt.Errorf("%w: document %02d would have more than %d bytes: claim fewer worker ids "+
			"(Claim.Count)", store.ErrStore, d.part, MaxValue)
	}
	return value, err
}
