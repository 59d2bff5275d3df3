package main

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/ringuid/ringuid/internal/browser"
	"github.com/ringuid/ringuid/internal/lasting"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/sqlstore"
)

func TestMain(m *testing.M) {
	uid.DefaultLayout.Epoch = lasting.Epoch(uid.DefaultLayout.Epoch, uid.DefaultLayout.End())
	goleak.VerifyTestMain(m)
}

// open returns a shop of three orders, whose ids are the same in each run.
func open(t *testing.T) (shop, *httptest.Server) {
	noon := uid.DefaultLayout.Epoch.AddDate(0, 6, 0).Add(12 * time.Hour)
	gen, err := uid.NewCached(context.Background(), worker.Static(7), uid.Config{
		Now:          func() time.Time { return noon },
		AllowRepeats: true, // the clock stands still
		Logger:       slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	t.Cleanup(func() { gen.Close() })
	s, err := newShop(gen, "tea", "coffee", "cocoa")
	require.NoError(t, err)
	server := httptest.NewServer(s.handler())
	t.Cleanup(server.Close)
	return s, server
}

func TestIDSurvivesJavaScript(t *testing.T) {
	s, server := open(t)
	cocoa := s[2]
	require.Greater(t, cocoa.ID, uid.ID(1<<53))

	page := browser.Open(t, server.URL, browser.Viewport{})
	page.WaitFor(`document.body.dataset.shown == 3`)
	assert.Equal(t, cocoa.ID.String(), page.Text("#cocoa .id"))

	page.Click("#cocoa .id")
	page.WaitFor(`document.querySelector("output").textContent != "nothing yet"`)
	assert.Equal(t, "cocoa", page.Text("output"))
	assert.Empty(t, page.Errors())
}

func TestBareNumberDoesNotSurviveJavaScript(t *testing.T) {
	s, server := open(t)
	cocoa := s[2]

	page := browser.Open(t, server.URL, browser.Viewport{Width: 390, Dark: true})
	page.WaitFor(`document.body.dataset.shown == 3`)
	assert.NotEqual(t, cocoa.ID.String(), page.Text("#cocoa .bare"))
	assert.Equal(t, page.Text("#tea .bare"), page.Text("#cocoa .bare"), "two orders, one number")

	page.Click("#cocoa .bare")
	page.WaitFor(`document.querySelector("output").textContent != "nothing yet"`)
	assert.NotEqual(t, "cocoa", page.Text("output"))
}

func TestFind(t *testing.T) {
	s, server := open(t)
	id := s[1].ID.String()
	for _, c := range []struct {
		question, answer string
		status           int
	}{
		{`{"id":"` + id + `"}`, `"item":"coffee"`, http.StatusOK},
		{`{"id":` + id + `}`, `"item":"coffee"`, http.StatusOK}, // as a Go program may send it
		{`{"id":"1"}`, `null`, http.StatusOK},
		{`{"id":"-1"}`, `out of range`, http.StatusBadRequest},
		{`{"id":null}`, `want decimal digits`, http.StatusBadRequest},
		{`{"id":"` + strings.Repeat("1", 2000) + `"}`, `too large`, http.StatusBadRequest},
	} {
		response, err := server.Client().Post(server.URL+"/find", "application/json", strings.NewReader(c.question))
		require.NoError(t, err)
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		assert.Equal(t, c.status, response.StatusCode, c.question)
		assert.Contains(t, string(body), c.answer, c.question)
	}
}

func TestRunServesUntilItIsStopped(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	reader, writer := io.Pipe()
	done := make(chan error, 1)
	dsn := sqlstore.SQLiteDSN(filepath.Join(t.TempDir(), "shop.db"))
	go func() {
		err := run(ctx, []string{"-addr", "127.0.0.1:0", "-dsn", dsn}, writer)
		writer.CloseWithError(err)
		done <- err
	}()
	line, err := bufio.NewReader(reader).ReadString('\n')
	require.NoError(t, err)

	page := browser.Open(t, strings.TrimPrefix(strings.TrimSpace(line), "open "), browser.Viewport{})
	page.WaitFor(`document.body.dataset.shown == 3`)
	stop()
	assert.NoError(t, <-done)
}
