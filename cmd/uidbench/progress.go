package main

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/ringuid/ringuid/bench"
)

// progress shows how far a run has come.
type progress interface {
	show(bench.Progress)
	end()
}

// newProgress draws a bar on a terminal; elsewhere it writes a line now and then.
func newProgress(w io.Writer, quiet bool) progress {
	switch {
	case quiet:
		return silence{}
	case isTerminal(w):
		return newBar(w)
	}
	return &lines{w: w, every: 10 * time.Second, last: time.Now()}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && os.Getenv("TERM") != "dumb" && isatty.IsTerminal(f.Fd())
}

// progressText is without colour, so NO_COLOR has nothing to change.
func progressText(p bench.Progress) string {
	text := fmt.Sprintf("%8s", bench.FormatRate(p.Rate))
	if p.Ahead > 0 {
		text += fmt.Sprintf(", %s ahead of the clock", bench.FormatSpan(p.Ahead.Seconds()))
	}
	if p.Part > 0 {
		text += fmt.Sprintf(", %s left", p.Left.Round(time.Second))
	}
	return text
}

// bar is redrawn in place, and gone at the end.
type bar struct {
	container *mpb.Progress
	bar       *mpb.Bar
	text      atomic.Pointer[string]
}

// barSteps is how finely the bar moves.
const barSteps = 1000

func newBar(w io.Writer) *bar {
	b := &bar{container: mpb.New(mpb.WithOutput(w), mpb.WithWidth(24), mpb.WithAutoRefresh())}
	b.text.Store(new(string))
	b.bar = b.container.AddBar(barSteps, mpb.AppendDecorators(
		decor.Any(func(decor.Statistics) string { return *b.text.Load() }),
	))
	return b
}

func (b *bar) show(p bench.Progress) {
	text := " " + progressText(p)
	b.text.Store(&text)
	// A full bar would be over; the end is what ends it.
	b.bar.SetCurrent(int64(min(p.Part, 0.999) * barSteps))
}

func (b *bar) end() {
	b.bar.Abort(true)
	b.container.Wait()
}

// lines are for logs: few of them, each complete.
type lines struct {
	w     io.Writer
	every time.Duration
	last  time.Time
}

func (l *lines) show(p bench.Progress) {
	if now := time.Now(); now.Sub(l.last) >= l.every {
		l.last = now
		part := ""
		if p.Part > 0 { // else it is not known
			part = fmt.Sprintf("%3.0f %%: ", 100*p.Part)
		}
		fmt.Fprintf(l.w, "%s%s\n", part, progressText(p))
	}
}

func (*lines) end() {}

type silence struct{}

func (silence) show(bench.Progress) {}
func (silence) end()                {}
