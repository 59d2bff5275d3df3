package soak

import (
	"encoding/json"
	"io"
	"sync"

	"github.com/ringuid/ringuid/worker/store"
)

// An Event is what a process says on its stdout, a line each.
type Event struct {
	Kind Kind `json:"kind"`

	// Of Sent and Answered: the write, and its answer.
	Write   *Write `json:"write,omitempty"`
	Nonce   string `json:"nonce,omitempty"`
	Applied bool   `json:"applied,omitempty"`

	// Of Gap, in nanoseconds since the Unix epoch.
	From int64 `json:"from,omitempty"`
	To   int64 `json:"to,omitempty"`

	// Of Trouble, and of Answered when the outcome is not known.
	Error string `json:"error,omitempty"`
}

// Kind says what an Event is about.
type Kind string

// The kinds of events.
const (
	Ready    Kind = "ready"    // the first id is in the log
	Sent     Kind = "sent"     // a write to the store begins
	Answered Kind = "answered" // and this became of it
	Gap      Kind = "gap"      // a take that had to wait
	Surged   Kind = "surged"   // all that was granted is taken
	Trouble  Kind = "trouble"  // an error that the process survives
)

// Write is a write to a row, or with Raise to the namespace.
type Write struct {
	Worker  int64  `json:"worker"`
	Nonce   string `json:"nonce,omitempty"`
	Expect  string `json:"expect,omitempty"` // the nonce that was read or acknowledged last
	Held    bool   `json:"held,omitempty"`   // the row was, as the store showed it with that nonce
	Acquire bool   `json:"acquire,omitempty"`
	Release bool   `json:"release,omitempty"`
	Raise   bool   `json:"raise,omitempty"`
}

func describe(w store.Write, held bool) *Write {
	return &Write{
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

// teller writes events. A line goes out with one write, so that a process which
// is killed leaves whole lines.
type teller struct {
	mu  sync.Mutex
	out io.Writer
}

func (t *teller) tell(e Event) {
	e.Error = e.Error[:min(len(e.Error), mostText)]
	line, err := json.Marshal(e)
	if err != nil {
		return // there is nothing in an Event that JSON cannot hold
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	// A supervisor that is gone closes stdin too, which ends the process.
	_, _ = t.out.Write(append(line, '\n'))
}

func (t *teller) trouble(err error) { t.tell(Event{Kind: Trouble, Error: err.Error()}) }
