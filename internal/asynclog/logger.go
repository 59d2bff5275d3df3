// Package asynclog lets code that must not wait write log lines. A log handler is the user's:
// it may block, panic, or call back into the code that logs. So a line is only put into a
// queue. A goroutine that lives while there are lines passes them to the handler.
//
//	lines reach the handler one at a time, in the order in which they were logged
//	logging a line never blocks, and calls no method of the handler
//
// If a handler does not keep up, lines are dropped, and the next line says how many.
package asynclog

import (
	"context"
	"log/slog"
	"time"
)

// Logger returns a logger that does not wait for l's handler. A logger that came from here is
// returned as it is, so that the lines of all that share it stay in one order.
func Logger(l *slog.Logger) *slog.Logger {
	if _, ok := l.Handler().(handler); ok {
		return l
	}
	return slog.New(handler{queue: new(queue), to: l.Handler()})
}

type key struct{}

// With returns a context for code that has no logger of its own.
func With(ctx context.Context, l *slog.Logger) context.Context {
	return context.WithValue(ctx, key{}, l)
}

// From returns the logger of a context, or else one for slog.Default.
func From(ctx context.Context) *slog.Logger {
	if l, ok := ctx.Value(key{}).(*slog.Logger); ok {
		return l
	}
	return Logger(slog.Default())
}

type watch struct{}

// Watch returns a context for a call that retries. tell is given why, each time.
func Watch(ctx context.Context, tell func(error)) context.Context {
	return context.WithValue(ctx, watch{}, tell)
}

// Tell tells who watches a call with ctx why it is retried.
func Tell(ctx context.Context, why error) {
	if tell, ok := ctx.Value(watch{}).(func(error)); ok {
		tell(why)
	}
}

// closing is how long Flush waits: enough for a handler that writes, not too long for a
// shutdown.
const closing = time.Second

// Flush waits until what was logged with a logger of this package has been handled, a second at
// most.
func Flush(l *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.Background(), closing)
	defer cancel()
	if h, ok := l.Handler().(handler); ok {
		h.queue.flush(ctx)
	}
}

// handler queues what is logged. The handler behind it may block in any of its methods, so the
// WithAttrs and WithGroup calls for it are kept until a line is passed on.
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

// line is a record and the handler that gets it.
type line struct {
	handler
	record slog.Record
}

// tell passes the line to the handler. If the handler fails or panics, that is ignored: there
// is no other place to report it.
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
