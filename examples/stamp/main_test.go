package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/ringuid/ringuid/examples/internal/databases"
	"github.com/ringuid/ringuid/examples/internal/demo"
	"github.com/ringuid/ringuid/internal/lasting"
	"github.com/ringuid/ringuid/uid"
)

func TestMain(m *testing.M) {
	uid.DefaultLayout.Epoch = lasting.Epoch(uid.DefaultLayout.Epoch, uid.DefaultLayout.End())
	goleak.VerifyTestMain(m)
}

// line is what is logged, as JSON.
type line struct {
	Msg       string `json:"msg"`
	URL       string `json:"url"`
	RequestID string `json:"request_id"`
}

func TestRunStampsTheAnswerAndTheLog(t *testing.T) {
	databases.Each(t, []string{"sqlite", "mysql", "pgx"}, func(t *testing.T, d demo.Database) {
		ctx, stop := context.WithCancel(context.Background())
		defer stop()
		reader, writer := io.Pipe()
		done := make(chan error, 1)
		go func() {
			err := run(ctx, []string{"-addr", "127.0.0.1:0", "-driver", d.Driver, "-dsn", d.DSN}, writer)
			writer.CloseWithError(err)
			done <- err
		}()
		lines := bufio.NewScanner(reader)
		next := func() (l line) {
			require.True(t, lines.Scan(), lines.Err())
			require.NoError(t, json.Unmarshal(lines.Bytes(), &l))
			return l
		}

		listening := next()
		require.Equal(t, "listening", listening.Msg)
		assert.Empty(t, listening.RequestID)

		// The pipe holds the server up until its lines are read.
		answers := make(chan *http.Response, 1)
		go func() {
			r, err := http.Get(listening.URL)
			assert.NoError(t, err)
			answers <- r
		}()
		greeting, served := next(), next()
		answer := <-answers
		require.NotNil(t, answer)
		defer answer.Body.Close()
		id := answer.Header.Get("X-Request-Id")
		body, err := io.ReadAll(answer.Body)
		require.NoError(t, err)

		assert.Equal(t, "Hello, request "+id+"\n", string(body))
		assert.Equal(t, line{Msg: "greeting", RequestID: id}, greeting)
		assert.Equal(t, line{Msg: "served", RequestID: id}, served)

		http.DefaultClient.CloseIdleConnections()
		go io.Copy(io.Discard, reader) // whatever is said at the end
		stop()
		assert.NoError(t, <-done)
	})
}
