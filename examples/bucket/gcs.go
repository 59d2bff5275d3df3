// Package bucket keeps worker ids in Google Cloud Storage and in Azure Blob Storage: two adapters
// for docstore, to copy.
package bucket

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"google.golang.org/api/googleapi"
	"google.golang.org/api/storage/v1"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/docstore"
	"github.com/ringuid/ringuid/worker/store"
)

// GCS returns a store in a bucket. It takes the client of google.golang.org/api, since the newer
// one hides the time of an answer. An object takes one write a second.
func GCS(client *storage.ObjectsService, bucket, key string) store.Store {
	return docstore.New(func(part int) docstore.Document {
		return gcs{client, bucket, fmt.Sprintf("%s/%02d", key, part)}
	}, docstore.Options{Name: "GCS"})
}

type gcs struct {
	client       *storage.ObjectsService
	bucket, name string
}

// Load returns the generation as the tag: Google never gives one twice.
func (o gcs) Load(ctx context.Context) (v docstore.Snapshot, err error) {
	got, err := o.client.Get(o.bucket, o.name).Context(ctx).Download()
	var refused *googleapi.Error
	switch {
	case errors.As(err, &refused) && refused.Code == http.StatusNotFound:
		return shown(v, refused.Header)
	case err != nil:
		return v, o.explain(err)
	}
	defer got.Body.Close()
	if v, err = shown(v, got.Header); err == nil {
		v.Tag = got.Header.Get("X-Goog-Generation")
		v.Value, err = io.ReadAll(io.LimitReader(got.Body, docstore.MaxValue+1))
	}
	if err == nil && v.Tag == "" {
		err = fmt.Errorf("%w: the answer has no generation", worker.ErrStore)
	}
	return v, err
}

// Save compares the generation; 0 is that of an object that is not there.
func (o gcs) Save(ctx context.Context, value []byte, tag string) (saved bool, err error) {
	generation, err := strconv.ParseInt("0"+tag, 10, 64)
	if err != nil {
		return false, err
	}
	object := &storage.Object{Name: o.name, CacheControl: "no-store"} // a public one is kept otherwise
	put := o.client.Insert(o.bucket, object).Context(ctx).IfGenerationMatch(generation).
		Media(bytes.NewReader(value), googleapi.ChunkSize(0)).
		WithRetry(nil, func(error) bool { return false })
	_, err = put.Do()
	var refused *googleapi.Error
	if errors.As(err, &refused) && (refused.Code == http.StatusPreconditionFailed ||
		refused.Code == http.StatusConflict || refused.Code == http.StatusTooManyRequests) {
		return false, nil
	}
	return err == nil, o.explain(err)
}

func (o gcs) explain(err error) error {
	var refused *googleapi.Error
	if errors.As(err, &refused) && (refused.Code == http.StatusForbidden ||
		refused.Code == http.StatusUnauthorized) {
		return fmt.Errorf("%w: %w: it needs storage.objects.get, create, delete and list on %s",
			worker.ErrDenied, err, o.bucket)
	}
	return err
}

// shown adds the time of an answer.
func shown(v docstore.Snapshot, h http.Header) (docstore.Snapshot, error) {
	at, err := http.ParseTime(h.Get("Date"))
	if err != nil || h.Get("Age") != "" {
		return v, fmt.Errorf("%w: the answer has no Date, or is a cache's", worker.ErrStore)
	}
	v.Shown, v.Grain = at, time.Second
	return v, nil
}
