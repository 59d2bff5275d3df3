package asynclog

import (
	"context"
	"log/slog"
)

type key struct{}

// With returns a context for code that has no logger of its own.
func With(ctx context.Context, l *slog.Logger) context.Context {
	return context.WithValue(ctx, key{}, l)
}

// From returns the logger of a context, or else one that passes its lines to slog.Default.
func From(ctx context.Context) *slog.Logger {
	if l, ok := ctx.Value(key{}).(*slog.Logger); ok {
		return l
	}
	return Logger(slog.Default())
}
