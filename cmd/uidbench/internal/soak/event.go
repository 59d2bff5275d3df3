package soak

import (
	"github.com/ringuid/ringuid/cmd/uidbench/internal/subprocess"
	"github.com/ringuid/ringuid/worker/store"
)

// An event is what a process tells its supervisor.
type event struct {
	Kind kind `json:"kind"`

	// Of sent and answered: the write, and its answer.
	Write   *write `json:"write,omitempty"`
	Nonce   string `json:"nonce,omitempty"`
	Applied bool   `json:"applied,omitempty"`

	// Of gap, in nanoseconds since the Unix epoch.
	From int64 `json:"from,omitempty"`
	To   int64 `json:"to,omitempty"`

	// Of failure, and of answered when the outcome is not known.
	Error string `json:"error,omitempty"`
}

// kind says what an event is about.
type kind string

const (
	ready    kind = "ready"    // the first id is in the log
	sent     kind = "sent"     // a write to the store begins
	answered kind = "answered" // and this became of it
	gap      kind = "gap"      // a take that had to wait
	drained  kind = "drained"  // all that was granted is taken
	failure  kind = "failure"  // an error, after which the process may go on
)

// write is a write to a row, or with Raise to the namespace.
type write struct {
	Worker  int64  `json:"worker"`
	Nonce   string `json:"nonce,omitempty"`
	Expect  string `json:"expect,omitempty"` // the nonce that was read or acknowledged last
	Held    bool   `json:"held,omitempty"`   // the row was, as the store showed it with that nonce
	Acquire bool   `json:"acquire,omitempty"`
	Release bool   `json:"release,omitempty"`
	Raise   bool   `json:"raise,omitempty"`
}

func describe(w store.Write, held bool) *write {
	return &write{
		Worker:  w.Worker,
		Nonce:   w.Nonce.String(),
		Expect:  w.Expect[0].String(),
		Held:    held,
		Acquire: w.Acquire,
		Release: w.Release,
	}
}

// mostText keeps an event within what a pipe takes as a whole.
const mostText = 1000

// reporter tells events.
type reporter struct{ *subprocess.Child }

func (r reporter) tell(e event) {
	e.Error = e.Error[:min(len(e.Error), mostText)]
	_ = r.Tell(e) // a supervisor that is gone has closed stdin too, which ends the process
}

func (r reporter) failed(err error) { r.tell(event{Kind: failure, Error: err.Error()}) }
