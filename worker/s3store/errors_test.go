package s3store

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/docstore"
)

// answers is a server that gives one answer.
func answers(t *testing.T, status int, body string, headers ...string) *object {
	return objectOn(t, func(r *http.Request) (*http.Response, error) {
		a := busy(status)
		a.Body, a.Request = io.NopCloser(strings.NewReader(body)), r
		for i := 0; i < len(headers); i += 2 {
			a.Header.Set(headers[i], headers[i+1])
			if headers[i+1] == "" {
				a.Header.Del(headers[i])
			}
		}
		return a, nil
	})
}

func objectOn(t *testing.T, w way) *object {
	client := newClient(t, "127.0.0.1:1", func(http.RoundTripper) http.RoundTripper { return w })
	return &object{&bucket{client: client, Options: Options{Bucket: "ids", Logger: quiet}},
		"ringuid/00"}
}

func code(code string) string { return "<Error><Code>" + code + "</Code></Error>" }

// What a PUT's answer says of its outcome, and what to do about it.
func TestOutcomes(t *testing.T) {
	for _, c := range []struct {
		status      int
		code        string
		is          error
		says        string
		no, onlyPut bool // it is certain that nothing was written
	}{
		{412, "PreconditionFailed", nil, "", true, true},
		{409, "ConditionalRequestConflict", nil, "", true, true},
		{429, "TooManyRequests", nil, "", true, true},
		{404, "NoSuchKey", nil, "", true, true},
		{404, "NoSuchBucket", worker.ErrNoTables, "create the bucket ids", false, false},
		{404, "", nil, "", false, false},
		{403, "AccessDenied", worker.ErrDenied, "s3:ListBucket", false, false},
		{403, "SignatureDoesNotMatch", worker.ErrDenied, "check the secret key; if", false, false},
		{400, "ExpiredToken", worker.ErrDenied, "renew the credentials", false, false},
		{403, "RequestTimeTooSkewed", worker.ErrClock, "correct this machine's clock", false, false},
		{301, "PermanentRedirect", worker.ErrStore, "the region", false, false},
		{501, "NotImplemented", worker.ErrStore, "If-Match", false, false},
		{503, "SlowDown", nil, "the store is busy", false, false},
		{500, "InternalError", nil, "", false, false},
	} {
		t.Run(c.code, func(t *testing.T) {
			var logged bytes.Buffer
			o := answers(t, c.status, code(c.code))
			o.Logger = slog.New(slog.NewTextHandler(&logged, nil))
			saved, err := o.Save(t.Context(), []byte("{}"), `"tag"`)
			assert.False(t, saved)
			require.Equal(t, c.no, err == nil)
			if !c.onlyPut {
				_, get := o.Load(t.Context())
				for _, err := range []error{err, get} {
					require.ErrorContains(t, err, c.says)
					if c.is != nil {
						require.ErrorIs(t, err, c.is)
					}
				}
			}
			busy := c.status == 429 || c.status == 503
			assert.Equal(t, busy, strings.Count(logged.String(), "no more requests") == 1)
		})
	}
}

func TestAnswersThatAreNone(t *testing.T) {
	for says, headers := range map[string][]string{
		"came from a cache":         {"Age", "17", "ETag", `"a"`},
		"no Date":                   {"Date", "", "ETag", `"a"`},
		"let no proxy compress":     {"ETag", `W/"a"`},
		"the ETag is \"\"":          {},
		"is a replica of an object": {"ETag", `"a"`, "X-Amz-Replication-Status", "REPLICA"},
	} {
		_, err := answers(t, 200, "{}", headers...).Load(t.Context())
		require.ErrorIs(t, err, worker.ErrStore)
		require.ErrorContains(t, err, says)
	}
	v, err := answers(t, 200, strings.Repeat("x", docstore.MaxValue+100), "ETag", `"a"`).Load(t.Context())
	require.NoError(t, err)
	assert.Len(t, v.Value, docstore.MaxValue+1)
	assert.WithinDuration(t, time.Now(), v.Shown, time.Minute)
	v, err = answers(t, 404, code("NoSuchKey")).Load(t.Context())
	require.NoError(t, err)
	assert.Zero(t, v.Tag)
	assert.NotZero(t, v.Shown)
}

// A PUT is sent once, whatever retryer the client has. A GET may be sent again.
func TestAPutIsSentOnce(t *testing.T) {
	sent := map[string]int{}
	o := objectOn(t, func(r *http.Request) (*http.Response, error) {
		sent[r.Method]++
		return nil, errors.New("connection reset by peer")
	})
	_, err := o.Save(t.Context(), []byte("{}"), "")
	require.Error(t, err)
	_, err = o.Load(t.Context())
	require.Error(t, err)
	assert.Equal(t, map[string]int{http.MethodPut: 1, http.MethodGet: 3}, sent)
}

func TestWrongCredentials(t *testing.T) {
	client, o := shared(t, nil)
	as := client.Options() // not all of them: what signs remembers a key for the owner's name
	wrong := s3.New(s3.Options{BaseEndpoint: as.BaseEndpoint, Region: as.Region,
		UsePathStyle: as.UsePathStyle, HTTPClient: as.HTTPClient, Credentials: owner("close-sesame")})
	_, err := New(wrong, o).Check(t.Context())
	require.ErrorIs(t, err, worker.ErrDenied)
	assert.NotContains(t, err.Error(), "sesame")
	o.Bucket = "none"
	_, err = New(client, o).Check(t.Context())
	require.ErrorIs(t, err, worker.ErrNoTables)
}
