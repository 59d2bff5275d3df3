package s3store

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/ringuid/ringuid/worker"
)

// refusal is what a store answered that did not do what it was asked for; status 0: nothing.
type refusal struct {
	status int
	code   string // S3's
	header http.Header
}

func answerTo(err error) (r refusal) {
	if answer, is := errors.AsType[*smithyhttp.ResponseError](err); is && answer.Response != nil {
		r.status, r.header = answer.HTTPStatusCode(), answer.Response.Header
	}
	if api, is := errors.AsType[smithy.APIError](err); is {
		r.code = api.ErrorCode()
	}
	return r
}

// explain says what to do about an error. The client keeps secrets out of its errors.
func (o *object) explain(err error, r refusal) error {
	do, is := "", error(nil)
	switch {
	case r.code == "NoSuchBucket":
		is, do = worker.ErrNoTables, "create the bucket "+o.Bucket+", or correct Options.Bucket"
	case r.code == "RequestTimeTooSkewed":
		is, do = worker.ErrClock, "correct this machine's clock"
	case r.code == "SignatureDoesNotMatch":
		is, do = worker.ErrDenied, "check the secret key; if it is right, something in between changes "+
			"or drops what was signed: let the client talk to the store itself"
	case r.status == http.StatusForbidden, r.status == http.StatusUnauthorized,
		r.code == "ExpiredToken":
		is, do = worker.ErrDenied, "allow s3:GetObject and s3:PutObject on "+o.key+", and s3:ListBucket "+
			"on the bucket, or else a missing object looks like this; or renew the credentials"
	case r.status == http.StatusMovedPermanently, r.code == "AuthorizationHeaderMalformed":
		is, do = worker.ErrStore, "give the client the region that the bucket is in"
	case r.status == http.StatusNotImplemented:
		is, do = worker.ErrStore, "use a store that knows If-Match and If-None-Match of a PUT"
	case r.status == http.StatusTooManyRequests, r.status == http.StatusServiceUnavailable:
		do = "the store is busy"
	}
	if is != nil {
		err = fmt.Errorf("%w: %w", is, err)
	}
	if do != "" {
		err = fmt.Errorf("%w: %s", err, do)
	}
	return err
}
