package s3store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/race"
	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/internal/servertest"
	"github.com/ringuid/ringuid/worker/internal/textstore"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

func TestStore(t *testing.T) {
	client, o := shared(t, nil)
	s := New(client, o)
	storetest.Run(t, func(*testing.T) store.Store { return s }, options(client, o))
	assert.NotZero(t, o.Counts.Requests.Load())
	assert.NotZero(t, o.Counts.Refused.Load())
}

// TestGateways: each request goes to another of two gateways that share a folder. Each notes the
// time once a second, so that one of them is late; they are one store, which has one clock. It
// mostly waits, and TestStore looks for races.
func TestGateways(t *testing.T) {
	race.Skip(t)
	first := testserver.S3(t)
	addrs := []string{first.Addr(), testserver.S3(t, testserver.Beside(first)).Addr()}
	client := newClient(t, addrs[0], func(on http.RoundTripper) http.RoundTripper {
		return way(func(r *http.Request) (*http.Response, error) {
			r = r.Clone(r.Context())
			r.Host, r.URL.Host = r.URL.Host, addrs[rand.IntN(2)] // it has signed the first
			answer, err := on.RoundTrip(r)
			if err == nil {
				answer.Header.Set("Date", time.Now().UTC().Format(http.TimeFormat))
			}
			return answer, err
		})
	})
	o := Options{Bucket: testserver.S3Bucket, Key: "a/b/"}
	s := New(client, o)
	storetest.Run(t, func(*testing.T) store.Store { return s }, options(client, o))
}

// way is how requests go to a server.
type way func(*http.Request) (*http.Response, error)

func (w way) RoundTrip(r *http.Request) (*http.Response, error) { return w(r) }

func options(client *s3.Client, o Options) storetest.Options {
	return storetest.Options{TTL: ttl, ManyRows: 1200, Hands: func(t *testing.T,
		_ store.Store) storetest.Hands {
		key := func(part int64) *string {
			return new(fmt.Sprintf("%s/%02d", strings.TrimSuffix(o.Key, "/"), part))
		}
		return storetest.Hands{
			DeleteRow: func(layout string, worker int64) {
				for { // as often as somebody else changes it meanwhile
					got, err := client.GetObject(t.Context(),
						&s3.GetObjectInput{Bucket: &o.Bucket, Key: key(worker % 16)})
					if answerTo(err).code == "NoSuchKey" {
						return
					}
					require.NoError(t, err)
					text, err := io.ReadAll(got.Body)
					require.NoError(t, err)
					var d map[string]any
					require.NoError(t, json.Unmarshal(text, &d))
					delete(d["rows"].(map[string]any), textstore.Key{Layout: layout, Worker: worker}.Path())
					text, err = json.Marshal(d)
					require.NoError(t, err)
					_, err = client.PutObject(t.Context(), &s3.PutObjectInput{Bucket: &o.Bucket,
						Key: key(worker % 16), Body: bytes.NewReader(text), IfMatch: got.ETag})
					if answerTo(err).status != http.StatusPreconditionFailed {
						require.NoError(t, err)
						return
					}
				}
			},
			DeleteAll: func() {
				for part := range int64(16) {
					_, err := client.DeleteObject(t.Context(),
						&s3.DeleteObjectInput{Bucket: &o.Bucket, Key: key(part)})
					require.NoError(t, err)
				}
			},
		}
	}}
}

// Each fault lets a PUT reach the server, and cuts the connection before the answer.
func TestLinearizable(t *testing.T) {
	proxy := testserver.NewProxy(t, testserver.S3(t).Addr())
	storetest.Linearizable(t, open(t, proxy.Addr()), func() { proxy.CutReplyTo("PUT /") })
}

func TestStart(t *testing.T) {
	server := testserver.S3(t)
	servertest.TestStart(t, server, open(t, server.Addr()))
}

// The store's clock is two hours ahead: nothing is granted.
func TestClock(t *testing.T) {
	client, o := shared(t, func(on http.RoundTripper) http.RoundTripper {
		return way(func(r *http.Request) (*http.Response, error) {
			answer, err := on.RoundTrip(r)
			if err == nil {
				ahead := time.Now().Add(2 * time.Hour).UTC()
				answer.Header.Set("Date", ahead.Format(http.TimeFormat))
			}
			return answer, err
		})
	})
	_, err := worker.Leased(New(client, o), leasetest.Claim()).Assign(t.Context(), leasetest.Need)
	require.ErrorIs(t, err, worker.ErrClock)
}

func TestWithoutAClient(t *testing.T) {
	_, err := New(nil, Options{Bucket: "ids"}).Check(t.Context())
	require.ErrorIs(t, err, worker.ErrClaim)
	assert.ErrorContains(t, err, "is nil")
}
