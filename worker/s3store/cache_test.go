package s3store

import (
	"bufio"
	"bytes"
	"context"
	"net/http"
	"net/http/httputil"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
)

// cache is a proxy that keeps answers for ever, if the store does not forbid it, and gives them
// with a new Date and no Age, as nginx does.
type cache struct {
	http.RoundTripper
	mu   sync.Mutex
	kept map[string][]byte
}

func (c *cache) RoundTrip(r *http.Request) (*http.Response, error) {
	c.mu.Lock()
	text := c.kept[r.Method+r.URL.Path]
	c.mu.Unlock()
	if text == nil {
		answer, err := c.RoundTripper.RoundTrip(r)
		if err != nil || r.Method != http.MethodGet || answer.StatusCode != http.StatusOK ||
			strings.Contains(answer.Header.Get("Cache-Control"), "no-store") {
			return answer, err
		}
		if text, err = httputil.DumpResponse(answer, true); err != nil {
			return nil, err
		}
		c.mu.Lock()
		c.kept[r.Method+r.URL.Path] = text
		c.mu.Unlock()
	}
	answer, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(text)), r)
	if err == nil {
		answer.Header.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	}
	return answer, err
}

// A cache between the client and the store, which the documentation forbids, keeps no document. A
// start would never end: each PUT has the tag of a value that was replaced.
func TestACacheKeepsNothing(t *testing.T) {
	client, o := shared(t, func(on http.RoundTripper) http.RoundTripper {
		return &cache{RoundTripper: on, kept: map[string][]byte{}}
	})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for range 2 {
		c := leasetest.Claim()
		c.TTL = ttl
		lease, err := worker.Leased(New(client, o), c).Assign(ctx, leasetest.Need)
		require.NoError(t, err)
		assert.NoError(t, lease.Release(t.Context(), 0))
	}
}
