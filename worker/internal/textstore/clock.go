package textstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Reading is what a process knows of the store's time. It is zero if the process knows nothing.
type Reading struct {
	Now   time.Time     // not later than the store's time at that moment
	At    time.Duration // the moment when the answer came, by this machine's monotonic clock
	Grain time.Duration // of the store's clock
}

// Next returns the reading that follows r when an answer comes that shows a time in steps of
// grain. If these are whole seconds, the time since an earlier answer may say more than the new
// one. It adds grain at most, since the earlier answer may be of a server whose clock is ahead.
func (r Reading) Next(shown time.Time, grain, at time.Duration) Reading {
	since := r.Now.Add(at - r.At).Sub(shown)
	return Reading{Now: shown.Add(min(max(0, since), grain)), At: at, Grain: grain}
}

// read asks the server for its time, and keeps the answer for writes.
func (s *Store) read(ctx context.Context) (Reading, error) {
	shown, grain, err := s.Server.Time(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last = s.last.Next(shown, grain, s.machine.Mono()); err != nil {
		s.last = Reading{}
		err = fmt.Errorf("the store's clock is not known, so nothing was written: %w", err)
	}
	return s.last, err
}

// Now goes by no clock of this machine: the server reads its own after the question was sent, and
// that is enough. A machine's clock that is set forward meanwhile must not open rows ahead.
func (s *Store) Now(ctx context.Context) (time.Time, error) {
	shown, grain, err := s.Server.Time(ctx)
	return shown.Add(grain), s.explain("asking for the time", err)
}

// Date asks a server for its time over HTTP, where answers have it as their Date, in whole
// seconds. An answer with a status above most does not count: it may come from a proxy, and
// show the proxy's time. Nor does one that a cache kept, which shows an earlier time: a row that is
// opened by that may begin below what was granted. The results are those of Server.Time.
func Date(ctx context.Context, client *http.Client, url string, most int) (shown time.Time,
	grain time.Duration, err error) {
	question, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil { // its text has the password
		return shown, grain, errors.New("the server's URL cannot be read: correct it")
	}
	question.Header.Set("Cache-Control", "no-cache")
	answer, err := client.Do(question)
	if err != nil {
		return shown, grain, err
	}
	defer answer.Body.Close()
	if answer.StatusCode > most {
		return shown, grain, fmt.Errorf("%s answers %s", question.URL.Redacted(), answer.Status)
	}
	if age := answer.Header.Get("Age"); age != "" {
		return shown, grain, fmt.Errorf("the answer of %s is %s seconds old, so it came from a cache: "+
			"let the client talk to the server itself", question.URL.Redacted(), age)
	}
	if shown, err = http.ParseTime(answer.Header.Get("Date")); err != nil {
		return shown, grain, fmt.Errorf("the answers of %s have no Date: %w",
			question.URL.Redacted(), err)
	}
	_, err = io.Copy(io.Discard, answer.Body) // so that the connection can be used again
	return shown, time.Second, err
}
