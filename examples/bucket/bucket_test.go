package bucket

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/api/option"
	"google.golang.org/api/storage/v1"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

// Both clocks show whole seconds.
var options = storetest.Options{TTL: 2500 * time.Millisecond, ManyRows: 1200}

func TestGCS(t *testing.T) {
	t.Parallel()
	server := testserver.GCS(t)
	client, err := storage.NewService(t.Context(), option.WithEndpoint(server.DSN()+"/storage/v1/"),
		option.WithHTTPClient(&http.Client{}))
	require.NoError(t, err)
	_, err = client.Buckets.Insert("ids", &storage.Bucket{Name: "ids"}).Do()
	require.NoError(t, err)
	s := GCS(client.Objects, "ids", "ringuid")
	storetest.Run(t, func(*testing.T) store.Store { return s }, options)
	cached, err := storage.NewService(t.Context(),
		option.WithEndpoint(cache(t, server.DSN())+"/storage/v1/"), option.WithHTTPClient(&http.Client{}))
	require.NoError(t, err)
	refused(t, GCS(cached.Objects, "ids", "ringuid"))
}

// cache is a proxy that keeps answers.
func cache(t *testing.T, server string) (address string) {
	to, err := url.Parse(server)
	require.NoError(t, err)
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.ModifyResponse = func(r *http.Response) error {
		if r.Request.Method == http.MethodGet {
			r.Header.Set("Age", "0")
			assert.Equal(t, "no-store", r.Header.Get("Cache-Control"), "what not each cache heeds")
		}
		return nil
	}
	front := httptest.NewServer(proxy)
	t.Cleanup(front.Close)
	return front.URL
}

func refused(t *testing.T, s store.Store) {
	_, err := s.Check(t.Context())
	require.ErrorIs(t, err, worker.ErrStore)
	require.ErrorContains(t, err, "cache")
}

func TestAzure(t *testing.T) {
	t.Parallel()
	server := testserver.Azurite(t)
	key, err := container.NewSharedKeyCredential("devstoreaccount1", testserver.AzuriteKey)
	require.NoError(t, err)
	open := func(server string) *container.Client {
		c, err := container.NewClientWithSharedKeyCredential(server+"/devstoreaccount1/ids", key, nil)
		require.NoError(t, err)
		return c
	}
	client := open(server.DSN())
	_, err = client.Create(context.Background(), nil)
	require.NoError(t, err)
	s := Azure(client, "ringuid")
	storetest.Run(t, func(*testing.T) store.Store { return s }, options)
	refused(t, Azure(open(cache(t, server.DSN())), "ringuid"))
}
