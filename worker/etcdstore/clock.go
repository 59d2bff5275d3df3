package etcdstore

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// etcd has no clock that a transaction could ask. But its members answer HTTP on the
// port of their clients, and an HTTP answer has a Date, in whole seconds.

// now is a member's time, or this machine's as long as it is not known.
func (s *Store) now() time.Time {
	now, _ := s.clock.Now()
	return now
}

// clockTimeout bounds the question for the time, of all members: whoever asks has
// more to do.
const clockTimeout = time.Second

// readClock reads a member's clock if that is due.
func (s *Store) readClock(ctx context.Context) {
	if !s.clock.Due() {
		s.clock.Wait(ctx)
		return
	}
	members := s.client.Endpoints()
	errs := []error{errors.New(
		"no member answers HTTP: set Options.TLS to the client's settings, or let the members serve " +
			"HTTP to clients")}
	for _, member := range members {
		sent := s.clock.Mono()
		date, err := s.date(ctx, member, clockTimeout/time.Duration(len(members)))
		if err == nil {
			s.clock.Read(sent, date, time.Second)
			return
		}
		errs = append(errs, err)
	}
	s.clock.Failed(fmt.Errorf("etcdstore: asking for the time: %w", errors.Join(errs...)))
}

// date asks a member for its time.
func (s *Store) date(ctx context.Context, member string, timeout time.Duration) (time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.versionURL(member), nil)
	if err != nil {
		return time.Time{}, err
	}
	answer, err := s.http.Do(request)
	if err != nil {
		return time.Time{}, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return time.Time{}, fmt.Errorf("%s: %s", member, answer.Status)
	}
	return http.ParseTime(answer.Header.Get("Date"))
}

// versionURL is where a member answers HTTP to anybody.
func (s *Store) versionURL(member string) string {
	scheme, host, there := strings.Cut(member, "://")
	if !there {
		scheme, host = "http", member
		if s.tls {
			scheme = "https"
		}
	}
	return scheme + "://" + strings.TrimSuffix(host, "/") + "/version"
}
