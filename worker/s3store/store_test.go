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

// TestGateways runs the whole suite: each request goes to any of two gateways that share a folder.
// They are one store, which has one clock: what tells the time is asked of the first, since each
// notes the time once a second. It mostly waits, and TestFaults looks for races.
func TestGateways(t *testing.T) {
	race.Skip(t)
	addrs := gateways(t)
	client := newClient(t, addrs[0], func(on http.RoundTripper) http.RoundTripper {
		return way(func(r *http.Request) (*http.Response, error) {
			if r.Method == http.MethodGet {
				return on.RoundTrip(r)
			}
			return toAny(on, addrs).RoundTrip(r)
		})
	})
	o := Options{Bucket: testserver.S3Bucket, Key: "a/b/"}
	s := New(client, o)
	storetest.Run(t, func(*testing.T) store.Store { return s }, options(client, o))
}

// gateways starts two that share a folder.
func gateways(t *testing.T) (addrs []string) {
	first := testserver.S3(t)
	return []string{first.Addr(), testserver.S3(t, testserver.Beside(first)).Addr()}
}

// toAny sends each request, which is signed for the first of these servers, to any of them.
func toAny(on http.RoundTripper, addrs []string) way {
	return func(r *http.Request) (*http.Response, error) {
		r = r.Clone(r.Context())
		r.Host, r.URL.Host = addrs[0], addrs[rand.IntN(len(addrs))]
		return on.RoundTrip(r)
	}
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

// Each request goes to any of two gateways. Each fault lets a PUT reach one of them, and cuts the
// connection before the answer.
func TestLinearizable(t *testing.T) {
	t.Parallel()
	addrs, proxies := gateways(t), []*testserver.Proxy(nil)
	for i, addr := range addrs {
		proxies = append(proxies, testserver.NewProxy(t, addr))
		addrs[i] = proxies[i].Addr()
	}
	client := newClient(t, addrs[0], func(on http.RoundTripper) http.RoundTripper {
		return toAny(on, addrs)
	})
	s := New(client, Options{Bucket: testserver.S3Bucket, Logger: quiet})
	storetest.Linearizable(t, s, func() { proxies[rand.IntN(len(proxies))].CutReplyTo("PUT /") })
}

func TestStart(t *testing.T) {
	t.Parallel()
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
