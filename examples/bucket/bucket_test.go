package bucket

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/stretchr/testify/require"
	"google.golang.org/api/option"
	"google.golang.org/api/storage/v1"

	"github.com/ringuid/ringuid/internal/testserver"
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
}

func TestAzure(t *testing.T) {
	t.Parallel()
	server := testserver.Azurite(t)
	key, err := container.NewSharedKeyCredential("devstoreaccount1", testserver.AzuriteKey)
	require.NoError(t, err)
	client, err := container.NewClientWithSharedKeyCredential(server.DSN()+"/devstoreaccount1/ids",
		key, nil)
	require.NoError(t, err)
	_, err = client.Create(context.Background(), nil)
	require.NoError(t, err)
	s := Azure(client, "ringuid")
	storetest.Run(t, func(*testing.T) store.Store { return s }, options)
}
