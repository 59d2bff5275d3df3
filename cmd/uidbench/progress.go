package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/mattn/go-isatty"

	"github.com/ringuid/ringuid/bench"
)

// progress shows how far a run has come: on a terminal as a line that is redrawn in place
// and gone at the end; elsewhere as a line now and then.
type progress struct {
	w        io.Writer // nil: show nothing
	terminal bool
	every    time.Duration
	last     time.Time
}

func newProgress(w io.Writer, quiet bool) *progress {
	if quiet {
		return &progress{}
	}
	return &progress{w: w, terminal: isTerminal(w), every: 10 * time.Second, last: time.Now()}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && os.Getenv("TERM") != "dumb" && isatty.IsTerminal(f.Fd())
}

// clearLine clears the line of a terminal that the cursor is in.
const clearLine = "\r\x1b[K"

func (p *progress) show(at bench.Progress) {
	if p.w == nil {
		return
	}
	if p.terminal {
		fmt.Fprint(p.w, clearLine+progressText(at))
		return
	}
	if now := time.Now(); now.Sub(p.last) >= p.every {
		p.last = now
		fmt.Fprintln(p.w, progressText(at))
	}
}

func (p *progress) end() {
	if p.terminal {
		fmt.Fprint(p.w, clearLine)
	}
}

// progressText is without colour, so NO_COLOR has nothing to change.
func progressText(p bench.Progress) (text string) {
	if p.Part > 0 { // else it is not known
		text = fmt.Sprintf("%3.0f %%: ", 100*p.Part)
	}
	text += bench.FormatRate(p.Rate)
	if p.Part > 0 {
		text += fmt.Sprintf(", %s left", p.Left.Truncate(time.Second))
	}
	return text
}
