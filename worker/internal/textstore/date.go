package textstore

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Date asks a server for its time over HTTP, where answers have it as their Date, in whole
// seconds. An answer with a status above most does not count: it may come from a proxy, and
// show the proxy's time. The results are those of Server.Time.
func Date(ctx context.Context, client *http.Client, url string, most int) (shown time.Time,
	grain time.Duration, err error) {
	question, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return shown, grain, err
	}
	answer, err := client.Do(question)
	if err != nil {
		return shown, grain, err
	}
	defer answer.Body.Close()
	if answer.StatusCode > most {
		return shown, grain, fmt.Errorf("%s answers %s", url, answer.Status)
	}
	if shown, err = http.ParseTime(answer.Header.Get("Date")); err != nil {
		return shown, grain, fmt.Errorf("the answers of %s have no Date: %w", url, err)
	}
	_, err = io.Copy(io.Discard, answer.Body) // so that the connection can be used again
	return shown, time.Second, err
}
