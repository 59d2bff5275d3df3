// Package asynclog lets code that must not wait write log lines. A log handler is the
// user's: it may block, panic, or call back into the code that logs. So a line is only
// put into a queue, and passed to the handler by a goroutine that lives while there are
// lines.
//
//	lines are told one at a time, in the order in which they were said
//	saying one never blocks, and calls no method of the handler
//
// Of a handler that does not keep up, lines are dropped, and it is told how many.
package asynclog

import (
	"context"
	"log/slog"
	"time"
)

// Logger returns a logger that does not wait for l's handler. One that came from
// here is returned as it is, so that all who share it are told in one order.
func Logger(l *slog.Logger) *slog.Logger {
	if _, ok := l.Handler().(handler); ok {
		return l
	}
	return slog.New(handler{queue: new(queue), to: l.Handler()})
}

// Flush waits until what was said to a logger of this package has been told, or
// until ctx ends.
func Flush(ctx context.Context, l *slog.Logger) {
	if h, ok := l.Handler().(handler); ok {
		h.queue.flush(ctx)
	}
}

// closing is how long FlushSoon waits: enough for a handler that writes, not too
// long for a shutdown.
const closing = time.Second

// FlushSoon is Flush for a Close: it waits a second at most.
func FlushSoon(l *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.Background(), closing)
	defer cancel()
	Flush(ctx, l)
}

// handler notes what is said. What to ask of the handler behind it, which may
// block in any of its methods, is kept until a line is told.
type handler struct {
	*queue
	to    slog.Handler
	added []func(slog.Handler) slog.Handler // attributes and groups, in order
}

func (handler) Enabled(context.Context, slog.Level) bool { return true }

func (h handler) Handle(_ context.Context, r slog.Record) error {
	h.say(line{h, r.Clone()})
	return nil
}

func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return h.with(func(to slog.Handler) slog.Handler { return to.WithAttrs(attrs) })
}

func (h handler) WithGroup(name string) slog.Handler {
	return h.with(func(to slog.Handler) slog.Handler { return to.WithGroup(name) })
}

func (h handler) with(add func(slog.Handler) slog.Handler) handler {
	h.added = append(h.added[:len(h.added):len(h.added)], add)
	return h
}

// line is a record and who is to be told.
type line struct {
	handler
	record slog.Record
}

// tell calls the handler. That it fails or panics is nobody's business here: there
// is no other place to say so.
func (l line) tell() {
	defer func() { _ = recover() }()
	to := l.to
	for _, add := range l.added {
		to = add(to)
	}
	ctx := context.Background()
	if to.Enabled(ctx, l.record.Level) {
		_ = to.Handle(ctx, l.record)
	}
}
