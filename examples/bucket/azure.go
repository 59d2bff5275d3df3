package bucket

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/docstore"
	"github.com/ringuid/ringuid/worker/store"
)

// Azure returns a store in a container.
func Azure(client *container.Client, key string) store.Store {
	return docstore.New(func(part int) docstore.Document {
		return azure{client.NewBlockBlobClient(fmt.Sprintf("%s/%02d", key, part))}
	}, docstore.Options{Name: "Azure"})
}

type azure struct{ client *blockblob.Client }

// Load returns the ETag, which changes with each write.
func (b azure) Load(ctx context.Context) (v docstore.Snapshot, err error) {
	var answer *http.Response
	got, err := b.client.DownloadStream(runtime.WithCaptureResponse(ctx, &answer), nil)
	var refused *azcore.ResponseError
	switch {
	case errors.As(err, &refused) && refused.ErrorCode == "BlobNotFound":
		return shown(v, refused.RawResponse.Header)
	case err != nil:
		return v, explain(err)
	}
	defer got.Body.Close()
	if v, err = shown(v, answer.Header); err == nil {
		v.Tag = string(*got.ETag)
		v.Value, err = io.ReadAll(io.LimitReader(got.Body, docstore.MaxValue+1))
	}
	return v, err
}

func (b azure) Save(ctx context.Context, value []byte, tag string) (saved bool, err error) {
	when := &blob.ModifiedAccessConditions{IfNoneMatch: new(azcore.ETagAny)}
	if tag != "" {
		when = &blob.ModifiedAccessConditions{IfMatch: new(azcore.ETag(tag))}
	}
	once := policy.WithRetryOptions(ctx, policy.RetryOptions{MaxRetries: -1})
	_, err = b.client.UploadBuffer(once, value, &blockblob.UploadBufferOptions{
		HTTPHeaders:      &blob.HTTPHeaders{BlobCacheControl: new("no-store")},
		AccessConditions: &blob.AccessConditions{ModifiedAccessConditions: when}})
	var refused *azcore.ResponseError
	if errors.As(err, &refused) && (refused.StatusCode == http.StatusPreconditionFailed ||
		refused.StatusCode == http.StatusConflict || refused.StatusCode == http.StatusTooManyRequests ||
		refused.ErrorCode == "BlobNotFound") {
		return false, nil
	}
	return err == nil, explain(err)
}

func explain(err error) error {
	var refused *azcore.ResponseError
	if errors.As(err, &refused) && refused.StatusCode == http.StatusForbidden {
		return fmt.Errorf("%w: %w: it needs to read and write blobs there", worker.ErrDenied, err)
	}
	return err
}
