package main

import (
	"fmt"
	"go/format"
	"io"
	"time"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/plan"
	"github.com/ringuid/ringuid/uid"
)

// writePlanGo writes a file of Go that has the layout in a variable.
func writePlanGo(w io.Writer, f plan.Fit) error {
	l := f.Layout
	bits := fmt.Sprintf("TimeBits: %d, WorkerBits: %d, ", l.TimeBits, l.WorkerBits)
	if l.TurnBits > 0 {
		bits += fmt.Sprintf("TurnBits: %d, ", l.TurnBits)
	}
	bits += fmt.Sprintf("SeqBits: %d,", l.SeqBits)
	if l.TailBits > 0 {
		bits += fmt.Sprintf(" TailBits: %d, Tail: %d,", l.TailBits, l.Tail)
	}
	switch l.Order {
	case uid.TimeSequenceWorker:
		bits += "\nOrder: uid.TimeSequenceWorker,"
	case uid.WorkerTimeSequence:
		bits += "\nOrder: uid.WorkerTimeSequence,"
	}
	text := fmt.Sprintf(`package main

import (
	"time"

	"github.com/ringuid/ringuid/uid"
)

// layout is %s (%s): until %s, %s a node,
// worker ids for %s. It goes into uid.Config{Layout: layout}. Ids that exist are
// read by it, so never change it without a look at `+"`uidbench migrate`"+`.
var layout = uid.Layout{
	Epoch: %s,
	Unit: %s,
	%s
}
`, bench.FormatLayout(l), f.Name, f.End.Format(time.DateOnly), bench.FormatRate(f.Rate), idsLeft(f), dateCode(l.Epoch), unitCode(l.Unit), bits)
	code, err := format.Source([]byte(text))
	if err != nil {
		return err
	}
	_, err = w.Write(code)
	return err
}

// dateCode is an instant as code.
func dateCode(t time.Time) string {
	t = t.UTC()
	return fmt.Sprintf("time.Date(%d, %d, %d, %d, %d, %d, %d, time.UTC)",
		t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond())
}

// unitCode is a tick's length as code.
func unitCode(unit time.Duration) string {
	for _, u := range []struct {
		length time.Duration
		name   string
	}{{time.Hour, "time.Hour"}, {time.Minute, "time.Minute"}, {time.Second, "time.Second"}} {
		switch n := unit / u.length; {
		case unit == u.length:
			return u.name
		case unit%u.length == 0:
			return fmt.Sprintf("%d * %s", n, u.name)
		}
	}
	if unit == time.Millisecond {
		return "time.Millisecond"
	}
	return fmt.Sprintf("%d * time.Millisecond", unit.Milliseconds())
}
