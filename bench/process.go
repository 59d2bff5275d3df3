package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// errRecalled ends the load of a process whose stdin has ended.
var errRecalled = errors.New("bench: the parent has ended the run")

// Process is what a process of RunProcesses does: it says that it is ready, reads
// from stdin what to do, takes ids from g, and writes to stdout what it found. It
// closes g. The end of stdin ends the load. It returns an error when it could not
// tell its parent all of that; what was wrong with the ids is the parent's to say.
func Process(ctx context.Context, g Generator, stdin io.Reader, stdout io.Writer) error {
	t := &teller{out: json.NewEncoder(stdout)}
	in := bufio.NewReader(stdin)
	o, err := askOrders(t, in)
	if err != nil {
		return errors.Join(err, g.Close())
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		_, _ = io.Copy(io.Discard, in) // nothing more comes, but its end
		cancel(errRecalled)
	}()

	c := o.Config
	c.Generator, c.place = g, o.Place
	c.Progress = func(p Progress) { t.tell(message{Kind: underway, Progress: &p}) }
	c, err = c.withDefaults()
	if err != nil {
		t.tell(message{Kind: refused, Error: newChildError(err)})
		return errors.Join(err, g.Close())
	}
	r := newRun(c)
	report, _ := r.do(ctx) // its error is for the parent to make, of all reports
	failed := r.closeErr
	if !report.Interrupted { // else the parent knows
		failed = errors.Join(r.stopped, failed)
	}
	last := message{Kind: reported, Report: &report, Calls: r.calls().Export(), Ages: r.ages(), Error: newChildError(failed)}
	if r.seen != nil {
		last.Pages = r.seen.pages
	}
	if t.tell(last); r.seen != nil && t.err == nil {
		t.err = r.seen.writePages(stdout)
	}
	return t.err
}

// askOrders says that the process is ready, and waits for what to do.
func askOrders(t *teller, in *bufio.Reader) (o orders, err error) {
	if t.tell(message{Kind: ready}); t.err != nil {
		return o, t.err
	}
	line, err := in.ReadBytes('\n')
	if err != nil {
		return o, errRecalled
	}
	if err := json.Unmarshal(line, &o); err != nil {
		return o, fmt.Errorf("bench: reading what to do: %w", err)
	}
	return o, nil
}

// teller writes messages, until one fails.
type teller struct {
	mu  sync.Mutex
	out *json.Encoder
	err error
}

func (t *teller) tell(m message) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err == nil {
		t.err = t.out.Encode(m)
	}
}
