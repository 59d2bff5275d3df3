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

// clockTimeout bounds the question for the time, of all members: whoever asks has
// more to do.
const clockTimeout = time.Second

// Time asks one member after another.
func (e *etcd) Time(ctx context.Context) (time.Time, time.Duration, error) {
	members := e.client.Endpoints()
	errs := []error{errors.New("no member told the time over HTTP: start them; if they run, set " +
		"Options.TLS to the client's settings, or let them serve HTTP to clients")}
	for _, member := range members {
		date, err := e.date(ctx, member, clockTimeout/time.Duration(len(members)))
		if err == nil {
			return date, time.Second, nil
		}
		errs = append(errs, err)
	}
	return time.Time{}, 0, errors.Join(errs...)
}

// date asks a member for its time.
func (e *etcd) date(ctx context.Context, member string, timeout time.Duration) (time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, e.versionURL(member), nil)
	if err != nil {
		return time.Time{}, err
	}
	answer, err := e.http.Do(request)
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
func (e *etcd) versionURL(member string) string {
	scheme, host, there := strings.Cut(member, "://")
	if !there {
		scheme, host = "http", member
		if e.tls {
			scheme = "https"
		}
	}
	return scheme + "://" + strings.TrimSuffix(host, "/") + "/version"
}
