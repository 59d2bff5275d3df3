package k8sstore

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ringuid/ringuid/worker/internal/storeclock"
)

// api is the way to an API server: HTTP, JSON, and protocol buffers for what is long.
// client-go finds the server and keeps the connection and the token; its typed clients repeat
// what they send when a server asks for it, show no clock, and know thousands of types.
type api struct {
	http  *http.Client
	base  *url.URL
	place string // the Kubernetes namespace of the objects
	clock *storeclock.Clock
}

// request is one request. Its path begins with /api.
type request struct {
	method, path string
	query        url.Values
	content      string // type of the body
	body         any    // nil, or what JSON can say
}

const jsonPatch = "application/json-patch+json"

// do sends a request and reads its answer into into. It sends once more what the server
// had no time for, and therefore did not do, after as long as that wants.
func (a *api) do(ctx context.Context, r request, into any) error {
	body, err := json.Marshal(r.body)
	if err != nil {
		return err
	}
	for {
		err := a.once(ctx, r, body, into)
		if !apierrors.IsTooManyRequests(err) || !sleep(ctx, retryAfter(err)) {
			return err
		}
	}
}

// retryAfter is how long the server wants to be left alone.
func retryAfter(err error) time.Duration {
	seconds, _ := apierrors.SuggestsClientDelay(err)
	return time.Duration(max(seconds, 1)) * time.Second
}

// sleep is false, at once, when ctx ends before d is over.
func sleep(ctx context.Context, d time.Duration) bool {
	if end, bounded := ctx.Deadline(); bounded && time.Until(end) < d {
		return false
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

func (a *api) once(ctx context.Context, r request, body []byte, into any) error {
	sent := a.clock.Mono()
	answer, err := a.send(ctx, r, body, accepts(into))
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			// Else the next call waits on the same connection for a server that is gone.
			closeIdle(a.http.Transport)
		}
		return err
	}
	defer answer.Body.Close()
	if date, err := http.ParseTime(answer.Header.Get("Date")); err == nil {
		a.clock.Read(sent, date, time.Second)
	} else {
		a.clock.Failed(fmt.Errorf("k8sstore: the API server's answers show no time: %w", err))
	}
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode >= http.StatusMultipleChoices {
		return refusal(r, answer, text)
	}
	return decode(answer, text, into)
}

// closeIdle closes connections that nobody waits on. client-go's transports are wrapped.
func closeIdle(t http.RoundTripper) {
	for t != nil {
		switch is := t.(type) {
		case interface{ CloseIdleConnections() }:
			is.CloseIdleConnections()
			return
		case interface{ WrappedRoundTripper() http.RoundTripper }:
			t = is.WrappedRoundTripper()
		default:
			return
		}
	}
}

func (a *api) send(ctx context.Context, r request, body []byte, accept string) (*http.Response,
	error) {
	to := *a.base
	to.Path += r.path
	to.RawQuery = r.query.Encode()
	var content io.Reader
	if r.body != nil {
		content = bytes.NewReader(body)
	}
	q, err := http.NewRequestWithContext(ctx, r.method, to.String(), content)
	if err != nil {
		return nil, err
	}
	q.Header.Set("Accept", accept)
	q.Header.Set("Accept-Encoding", "identity") // to pack a list costs the server more than to send it
	if r.body != nil {
		q.Header.Set("Content-Type", cmp.Or(r.content, "application/json"))
	}
	return a.http.Do(q)
}

// refusal is the error in an answer, as client-go has it.
func refusal(r request, answer *http.Response, text []byte) error {
	var status metav1.Status
	if decode(answer, text, &status) == nil && status.Status == metav1.StatusFailure &&
		status.Code != 0 {
		if status.Details == nil {
			status.Details = &metav1.StatusDetails{}
		}
		if status.Details.RetryAfterSeconds == 0 {
			status.Details.RetryAfterSeconds = int32(retrySeconds(answer))
		}
		for _, cause := range status.Details.Causes {
			if !strings.Contains(status.Message, cause.Message) { // why a patch was not applied, say
				status.Message += ": " + cause.Message
			}
		}
		return apierrors.FromObject(&status)
	}
	const most = 200 // of what somebody on the way may have written
	return apierrors.NewGenericServerResponse(answer.StatusCode, r.method, schema.GroupResource{},
		r.path,
		string(text[:min(len(text), most)]), retrySeconds(answer), true)
}

func retrySeconds(answer *http.Response) int {
	seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After"))
	return seconds
}

// undone: the server answered that it did not do what it was asked for.
func undone(err error) bool {
	var status apierrors.APIStatus
	return errors.As(err, &status) && status.Status().Code >= 400 && status.Status().Code < 500
}

// op is an operation of a JSON patch (RFC 6902). The server does all of a patch or,
// when a test fails, nothing, whatever is written beside it.
type op struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value"`
}

func test(path string, value any) op { return op{"test", path, value} }
func set(path string, value any) op  { return op{"add", path, value} }
