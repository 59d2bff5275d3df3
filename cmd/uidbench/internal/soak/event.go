package soak

import "github.com/ringuid/ringuid/cmd/uidbench/internal/subprocess"

// An event is what a process tells its supervisor.
type event struct {
	Kind   kind   `json:"kind"`
	Worker int64  `json:"worker,omitempty"` // of ready
	Error  string `json:"error,omitempty"`  // of failure
}

// kind says what an event is about.
type kind string

const (
	ready   kind = "ready"   // the first id is in the log
	drained kind = "drained" // all that was granted is taken
	failure kind = "failure" // an error, after which the process may go on
)

// mostText keeps an event within what a pipe takes as a whole.
const mostText = 1000

// reporter tells events.
type reporter struct{ *subprocess.Child }

func (r reporter) tell(e event) {
	e.Error = e.Error[:min(len(e.Error), mostText)]
	_ = r.Tell(e) // a supervisor that is gone has closed stdin too, which ends the process
}

func (r reporter) failed(err error) { r.tell(event{Kind: failure, Error: err.Error()}) }
