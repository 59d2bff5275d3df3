package s3store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

// faulty is a network that breaks one request in 25, each in one of these ways.
type faulty struct {
	http.RoundTripper
	late sync.WaitGroup // copies of requests
}

var errCut = errors.New("the connection was cut")

// busy is what a store answers that takes no more requests.
func busy(status int) *http.Response {
	return &http.Response{StatusCode: status, Status: http.StatusText(status), Body: http.NoBody,
		Header: http.Header{"Date": {time.Now().UTC().Format(http.TimeFormat)}},
		Proto:  "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}
}

func (f *faulty) RoundTrip(r *http.Request) (*http.Response, error) {
	if rand.IntN(25) > 0 {
		return f.RoundTripper.RoundTrip(r)
	}
	var body []byte
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
		r.Body.Close()
	}
	// send sends a copy, whose answer may be thrown away.
	send := func(ctx context.Context) (*http.Response, error) {
		copied := r.Clone(ctx)
		copied.Body = io.NopCloser(bytes.NewReader(body))
		return f.RoundTripper.RoundTrip(copied)
	}
	forget := func(answer *http.Response, err error) {
		if err == nil {
			_, _ = io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
		}
	}
	later := func(after time.Duration) {
		f.late.Go(func() {
			time.Sleep(after) // as long as something keeps the request
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			forget(send(ctx))
		})
	}
	ctx := r.Context()
	switch rand.IntN(9) {
	case 0: // dropped
		return nil, errCut
	case 1: // done, and not answered
		forget(send(ctx))
		return nil, errCut
	case 2: // repeated, with the first answer
		answer, err := send(ctx)
		forget(send(ctx))
		return answer, err
	case 3: // repeated, with the second answer
		forget(send(ctx))
		return send(ctx)
	case 4: // hangs, and arrives when nobody waits for it
		select {
		case <-ctx.Done():
		case <-time.After(3 * time.Second): // who has met a timeout has several times as long
		}
		later(0)
		return nil, cmp.Or(ctx.Err(), errCut)
	case 5: // repeated later
		later(time.Duration(rand.Int64N(int64(8 * time.Second))))
		return send(ctx)
	case 6: // refused, but kept by a proxy
		later(time.Duration(rand.Int64N(int64(3 * time.Second))))
		return busy(http.StatusServiceUnavailable), nil
	case 7:
		return busy(http.StatusServiceUnavailable), nil
	default:
		forget(send(ctx))
		return busy(http.StatusServiceUnavailable), nil
	}
}

// TestFaults: processes take ids while requests fail in all ways, gateways are killed and paused,
// and rows are quarantined. UID_S3_FAULTS says for how long; else each happens once.
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("half a minute")
	}
	t.Parallel()
	gateways := []*testserver.Server{testserver.S3(t)}
	gateways = append(gateways, testserver.S3(t, testserver.Beside(gateways[0])))
	process := func(i int) store.Store { // every third client does not repeat a GET
		f := &faulty{}
		t.Cleanup(f.late.Wait)
		client := newClient(t, gateways[i%2].Addr(), func(on http.RoundTripper) http.RoundTripper {
			f.RoundTripper = on
			return f
		})
		if o := client.Options(); i%3 == 0 {
			o.Retryer = aws.NopRetryer{}
			client = s3.New(o)
		}
		return New(client, Options{Bucket: testserver.S3Bucket, Logger: quiet})
	}
	steady := open(t, gateways[0].Addr())
	h := leasetest.Start(t, steady, 9)
	h.TTL, h.Timeout = ttl, 2*time.Second
	for i := range 8 {
		h.Join(process(i))
	}
	h.GoOn("requests fail")
	least, _ := time.ParseDuration(os.Getenv("UID_S3_FAULTS"))
	for began, round := time.Now(), 0; round == 0 || time.Since(began) < least; round++ {
		gateways[round%2].Kill()
		gateways[round%2].Start()
		h.GoOn("a gateway was killed")
		gateways[1].Pause()
		leasetest.Until(t, "the other one serves", func() error {
			_, err := steady.Now(t.Context())
			return err
		})
		gateways[1].Resume()
		h.GoOn("a gateway slept")
		gone := h.Join(process(round))
		gone.Crash()
		_, err := worker.Quarantine(t.Context(), steady, worker.QuarantineOptions{})
		require.NoError(t, err)
		h.GoOn("the rows were quarantined")
	}
	assert.Zero(t, h.Duplicates())
}
