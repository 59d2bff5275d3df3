package s3store

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"go.uber.org/goleak"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(server.Around(m)) }

// Most tests have objects of their own on this one.
var server = testserver.Share(
	func(t testing.TB) *testserver.Server { return testserver.S3(t) })

// newClient returns a client of the server at addr, whose requests go through way, if that is not
// nil.
func newClient(t *testing.T, addr string,
	way func(http.RoundTripper) http.RoundTripper) *s3.Client {
	transport := &http.Transport{MaxIdleConnsPerHost: 20}
	t.Cleanup(transport.CloseIdleConnections)
	client := &http.Client{Transport: transport}
	if way != nil {
		client.Transport = way(transport)
	}
	return s3.New(s3.Options{
		BaseEndpoint: aws.String("http://" + addr), Region: "us-east-1", UsePathStyle: true,
		HTTPClient: client, Credentials: owner(testserver.S3Secret),
	})
}

func owner(secret string) aws.CredentialsProviderFunc {
	return func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{AccessKeyID: testserver.S3Key, SecretAccessKey: secret}, nil
	}
}

var quiet = slog.New(slog.DiscardHandler)

func open(t *testing.T, addr string) store.Store {
	return New(newClient(t, addr, nil), Options{Bucket: testserver.S3Bucket, Logger: quiet})
}

// shared is a place on the server that tests share, of which nothing is there yet, with these
// requests.
func shared(t *testing.T, way func(http.RoundTripper) http.RoundTripper) (*s3.Client, Options) {
	return newClient(t, server.Get(t).Addr(), way),
		Options{Bucket: testserver.S3Bucket, Key: rand.Text(), Logger: quiet}
}

const ttl = 2500 * time.Millisecond // the store's clock shows whole seconds
