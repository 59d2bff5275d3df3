package s3store

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	smithy "github.com/aws/smithy-go/transport/http"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/docstore"
	"github.com/ringuid/ringuid/worker/store"
)

// Options say where the objects are.
type Options struct {
	// Bucket is the name of the bucket, which is there.
	Bucket string

	// Key begins the keys of the objects, KEY/00 to KEY/15. Processes that use the same layout and
	// the same key in a bucket share worker ids. Empty: "ringuid".
	Key string

	// Logger gets one line when the store first takes no more requests. Nil: slog.Default().
	Logger *slog.Logger
}

// New returns a store in a bucket, whose methods may be called from any goroutine. The caller keeps
// the client. Without one, Check returns an error.
func New(client *s3.Client, o Options) store.Store {
	b := &bucket{client: client, Options: o}
	b.Logger = cmp.Or(o.Logger, slog.Default())
	prefix := strings.TrimSuffix(cmp.Or(o.Key, "ringuid"), "/")
	return docstore.New(func(part int) docstore.Document {
		return &object{b, fmt.Sprintf("%s/%02d", prefix, part)}
	}, docstore.Options{Name: "s3store"})
}

type bucket struct {
	Options
	client *s3.Client
	logged sync.Once
}

// object is a docstore.Document.
type object struct {
	*bucket
	key string
}

var errNoClient = fmt.Errorf("%w: the client that the store was made with is nil: pass what "+
	"s3.NewFromConfig returns", worker.ErrClaim)

// plain sends checksums where the operation requires them alone: not all stores know trailers.
func plain(o *s3.Options) {
	o.RequestChecksumCalculation = aws.RequestChecksumCalculationWhenRequired
}

// once lets no retryer of the client's send a request again.
func once(o *s3.Options) { o.Retryer = aws.NopRetryer{} }

// Load may be sent again by the client.
func (o *object) Load(ctx context.Context) (v docstore.Snapshot, err error) {
	if o.client == nil {
		return v, errNoClient
	}
	got, err := o.client.GetObject(ctx, &s3.GetObjectInput{Bucket: &o.Bucket, Key: &o.key}, plain)
	if err != nil {
		refusal := answerTo(err)
		if refusal.code == "NoSuchKey" {
			v.Shown, v.Grain, err = shown(refusal.header)
			return v, err
		}
		o.sayBusy(refusal)
		return v, o.explain(err, refusal)
	}
	defer got.Body.Close()
	raw, _ := middleware.GetRawResponse(got.ResultMetadata).(*smithy.Response)
	if raw == nil {
		return v, errNoDate
	}
	if v.Shown, v.Grain, err = shown(raw.Header); err != nil {
		return v, err
	}
	switch v.Tag = aws.ToString(got.ETag); {
	case v.Tag == "", strings.HasPrefix(v.Tag, "W/"):
		return v, fmt.Errorf("%w: the ETag is %q, which nothing can be compared with: let no proxy "+
			"compress or change what the store answers", worker.ErrStore, v.Tag)
	case got.ReplicationStatus == types.ReplicationStatusReplica:
		return v, fmt.Errorf("%w: %s is a replica of an object in another bucket, and two buckets give "+
			"out the same worker ids: use that one", worker.ErrStore, o.key)
	}
	v.Value, err = io.ReadAll(io.LimitReader(got.Body, docstore.MaxValue+1))
	return v, err
}

var errNoDate = fmt.Errorf("%w: the answer has no Date: let no proxy remove it", worker.ErrStore)

// shown is the time of an answer, in whole seconds.
func shown(h http.Header) (time.Time, time.Duration, error) {
	if age := h.Get("Age"); age != "" {
		return time.Time{}, 0, fmt.Errorf("%w: the answer is %s seconds old, so it came from a cache: "+
			"let the client talk to the store itself", worker.ErrStore, age)
	}
	at, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		err = errNoDate
	}
	return at, time.Second, err
}

// Save is sent once.
func (o *object) Save(ctx context.Context, value []byte, tag string) (saved bool, err error) {
	if o.client == nil {
		return false, errNoClient
	}
	put := &s3.PutObjectInput{Bucket: &o.Bucket, Key: &o.key, Body: bytes.NewReader(value),
		ContentType: aws.String("application/json"), IfMatch: &tag,
		CacheControl: aws.String("no-store")} // not each cache says that it is one
	if tag == "" {
		put.IfMatch, put.IfNoneMatch = nil, aws.String("*")
	}
	if _, err = o.client.PutObject(ctx, put, plain, once); err == nil {
		return true, nil
	}
	refusal := answerTo(err)
	o.sayBusy(refusal)
	switch {
	case refusal.status == http.StatusPreconditionFailed, refusal.status == http.StatusConflict,
		refusal.status == http.StatusTooManyRequests, refusal.code == "NoSuchKey":
		return false, nil
	}
	return false, o.explain(err, refusal)
}

// sayBusy says once that the store takes no more requests.
func (o *object) sayBusy(r refusal) {
	if r.status == http.StatusTooManyRequests || r.status == http.StatusServiceUnavailable {
		o.logged.Do(func() {
			o.Logger.Warn("the store takes no more requests for now: start fewer processes at once, or "+
				"spread them over several keys", "bucket", o.Bucket, "key", o.key, "status", r.status)
		})
	}
}
