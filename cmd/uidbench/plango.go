package main

import (
	"fmt"
	"go/format"
	"io"
	"time"

	"github.com/dustin/go-humanize"

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
// %s worker ids left. It goes into uid.Config{Layout: layout}. Ids that exist are
// read by it, so never change it without a look at `+"`uidbench migrate`"+`.
var layout = uid.Layout{
	Epoch: %s,
	Unit: %s,
	%s
}
`, bench.FormatLayout(l), f.Name, f.End.Format(time.DateOnly), bench.FormatRate(f.Rate),
		humanize.Comma(f.Restarts), l.Epoch.UTC().GoString(), unitCode(l.Unit), bits)
	code, err := format.Source([]byte(text))
	if err != nil {
		return err
	}
	_, err = w.Write(code)
	return err
}

// unitCode is a tick's length as code.
func unitCode(unit time.Duration) string {
	if unit%time.Second == 0 {
		return fmt.Sprintf("%d * time.Second", unit/time.Second)
	}
	return fmt.Sprintf("%d * time.Millisecond", unit.Milliseconds())
}
