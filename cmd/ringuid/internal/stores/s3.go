package stores

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/ringuid/ringuid/cmd/internal/storeurl"
	"github.com/ringuid/ringuid/worker/s3store"
)

const s3Credentials = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or whatever else " +
	"Amazon's SDK finds"

// openS3 opens s3://BUCKET/KEY?region=REGION&endpoint=https://HOST.
func openS3(l *storeurl.Location, s *storeurl.Store) error {
	o := s3store.Options{Bucket: l.Host, Key: cmp.Or(strings.Trim(l.Path, "/"), "ringuid")}
	region, endpoint := l.Take("region"), l.Take("endpoint")
	if endpoint != "" && !private(endpoint) {
		l.Fail("endpoint: type https://HOST; without TLS it has to be this machine")
	}
	if l.User != "" {
		l.Fail("credentials are not in the URL: " + s3Credentials)
	}
	if err := l.End(); err != nil {
		return err
	}
	found, err := config.LoadDefaultConfig(context.Background())
	if err != nil {
		return err
	}
	if found.Region = cmp.Or(region, found.Region); found.Region == "" {
		return storeurl.Errorf("--store s3: the region is missing: add ?region=REGION, the one that " +
			"the bucket is in, or set AWS_REGION")
	}
	found.Credentials = explained{found.Credentials}
	client := s3.NewFromConfig(found, func(c *s3.Options) {
		if endpoint != "" {
			c.BaseEndpoint, c.UsePathStyle = &endpoint, true
		}
	})
	s.Leases, s.Close = s3store.New(client, o), func() error { return nil }
	s.Place = "the objects " + o.Key + "/00 to 15 in the bucket " + o.Bucket
	s.Differ = "bucket, key or endpoint"
	return nil
}

// explained says what to do when there are no credentials: the SDK names the last place where it
// looked.
type explained struct{ aws.CredentialsProvider }

func (e explained) Retrieve(ctx context.Context) (aws.Credentials, error) {
	c, err := e.CredentialsProvider.Retrieve(ctx)
	if err != nil {
		err = fmt.Errorf("there are no credentials: %s: %w", s3Credentials, err)
	}
	return c, err
}

// private reports whether nobody can read what is sent to an endpoint.
func private(endpoint string) bool {
	u, err := url.Parse(endpoint)
	if err != nil || u.Hostname() == "" || u.User != nil {
		return false
	}
	loopback := u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback()
	return u.Scheme == "https" || u.Scheme == "http" && loopback
}
