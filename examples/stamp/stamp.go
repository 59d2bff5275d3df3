package main

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/ringuid/ringuid/uid"
)

// key is where a context keeps the id of its request.
type key struct{}

// requestID returns the id of the request that ctx belongs to.
func requestID(ctx context.Context) (id uid.ID, ok bool) {
	id, ok = ctx.Value(key{}).(uid.ID)
	return id, ok
}

// stamp gives each request an id: in its context, in the X-Request-Id header of the
// answer, and in every line that is logged for it. What a client sends as
// X-Request-Id is not looked at.
func stamp(gen uid.Generator, log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id, err := gen.GetUID()
		if err != nil {
			log.ErrorContext(r.Context(), "a request gets no id", "error", err)
			http.Error(w, http.StatusText(http.StatusServiceUnavailable), http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("X-Request-Id", id.String())
		ctx := context.WithValue(r.Context(), key{}, id)
		begin := time.Now()
		next.ServeHTTP(w, r.WithContext(ctx))
		log.InfoContext(ctx, "served", "method", r.Method, "path", r.URL.Path, "took", time.Since(begin))
	})
}

// withID adds the request's id to what is logged with its context. Logged with
// slog.Any, an id is plain digits in text and a quoted decimal in JSON, so that it
// outlives log viewers written in JavaScript too.
type withID struct{ slog.Handler }

func (h withID) Handle(ctx context.Context, r slog.Record) error {
	if id, ok := requestID(ctx); ok {
		r.AddAttrs(slog.Any("request_id", id))
	}
	return h.Handler.Handle(ctx, r)
}

func (h withID) WithAttrs(attrs []slog.Attr) slog.Handler {
	return withID{h.Handler.WithAttrs(attrs)}
}

func (h withID) WithGroup(name string) slog.Handler {
	return withID{h.Handler.WithGroup(name)}
}
