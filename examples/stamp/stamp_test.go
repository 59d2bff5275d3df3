package main

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

func generator(t *testing.T) *uid.CachedGenerator {
	gen, err := uid.NewCached(context.Background(), worker.Static(7), uid.Config{Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	t.Cleanup(func() { gen.Close() })
	return gen
}

func TestConcurrentRequestsHaveIDsOfTheirOwn(t *testing.T) {
	const clients, each = 16, 200
	var out bytes.Buffer
	log := slog.New(withID{slog.NewTextHandler(&out, nil)}).With("service", "greeter")
	handler := stamp(generator(t), log, greeter(log))

	var mu sync.Mutex
	seen := map[string]bool{}
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			for range each {
				w := httptest.NewRecorder()
				r := httptest.NewRequest("GET", "/", nil)
				r.Header.Set("X-Request-Id", "mine")
				handler.ServeHTTP(w, r)
				mu.Lock()
				seen[w.Header().Get("X-Request-Id")] = true
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	assert.Len(t, seen, clients*each)

	logged := map[string]int{}
	for line := range strings.Lines(out.String()) {
		_, id, _ := strings.Cut(strings.TrimSpace(line), "request_id=")
		logged[id]++
	}
	assert.Len(t, logged, clients*each)
	for id := range seen {
		assert.Equal(t, 2, logged[id], "lines with %q", id)
	}
}

func TestReadinessAnswersAProbe(t *testing.T) {
	probe := func(gen uid.Generator) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		readiness(gen).ServeHTTP(w, httptest.NewRequest("GET", "/readyz", nil))
		return w
	}
	gen, err := uid.NewCached(t.Context(), worker.Static(7), uid.Config{AllowRepeats: true, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	assert.Equal(t, http.StatusOK, probe(gen).Code)
	require.NoError(t, gen.Close())
	assert.Equal(t, http.StatusServiceUnavailable, probe(gen).Code)
	assert.Contains(t, probe(gen).Body.String(), "closed")
}

func TestRequestWithoutAnIDIsRefused(t *testing.T) {
	var out bytes.Buffer
	gen := generator(t)
	require.NoError(t, gen.Close())
	w := httptest.NewRecorder()
	never := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was let through") })
	stamp(gen, slog.New(slog.NewTextHandler(&out, nil)), never).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	assert.Equal(t, http.StatusServiceUnavailable, w.Code)
	assert.Contains(t, out.String(), uid.ErrClosed.Error())
}

func TestRequestsThatHaveBegunStillGetIDsWhenTheServerStops(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	gen := generator(t)
	begun, goOn := make(chan struct{}), make(chan struct{})
	slow := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(begun)
		<-goOn
		_, err := gen.GetUID()
		assert.NoError(t, err)
	})
	stopped := make(chan error, 1)
	go func() { stopped <- serve(ctx, l, gen, slow) }()
	answered := make(chan int, 1)
	go func() {
		r, err := http.Get("http://" + l.Addr().String())
		if assert.NoError(t, err) {
			r.Body.Close()
			answered <- r.StatusCode
		}
		close(answered)
	}()

	<-begun
	stop()
	require.Eventually(t, func() bool { // it takes no more
		c, err := net.Dial("tcp", l.Addr().String())
		if err == nil {
			c.Close()
		}
		return err != nil
	}, time.Minute, time.Millisecond)
	close(goOn)
	assert.Equal(t, http.StatusOK, <-answered)
	require.NoError(t, <-stopped)
	_, err = gen.GetUID()
	assert.ErrorIs(t, err, uid.ErrClosed)
}

func TestServeReportsAListenerThatFails(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	gen := generator(t)
	assert.ErrorIs(t, serve(context.Background(), l, gen, http.NotFoundHandler()), net.ErrClosed)
	_, err = gen.GetUID()
	assert.ErrorIs(t, err, uid.ErrClosed)
}
