package k8sstore

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"github.com/ringuid/ringuid/worker/internal/textstore"
)

// api is a client of an API server. The typed clients of client-go would limit how many
// requests are sent, and know thousands of types.
type api struct {
	*rest.RESTClient
	broken error // why there is no server to ask
}

// newAPI returns a client for Leases on the server of a configuration. Lists are long, and cost
// both sides less as protocol buffers.
func newAPI(config *rest.Config) (*api, error) {
	types := runtime.NewScheme()
	if err := coordinationv1.AddToScheme(types); err != nil {
		return nil, err
	}
	c := rest.CopyConfig(config)
	c.APIPath, c.GroupVersion = "/apis", &coordinationv1.SchemeGroupVersion
	c.NegotiatedSerializer = serializer.NewCodecFactory(types).WithoutConversion()
	c.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	c.ContentType = runtime.ContentTypeJSON
	c.QPS, c.RateLimiter = -1, nil // no limit
	// The text of this error has the password.
	if _, _, err := rest.DefaultServerUrlFor(c); err != nil {
		return nil, errors.New("rest.Config.Host cannot be read: correct it")
	}
	client, err := rest.RESTClientFor(c)
	return &api{RESTClient: client}, err
}

// errStarting says that the server refuses everything, since it has not read the roles yet.
var errStarting = errors.New("the API server is starting, and has not read the roles yet")

// do sends a request and reads its answer into into, unless that is nil. A request that was
// forbidden, and therefore not done, is sent again if the server is ready now: a server that is
// starting forbids everything until it has read the roles.
func (a *api) do(ctx context.Context, r *rest.Request, into runtime.Object) error {
	if a.broken != nil {
		return a.broken
	}
	err := a.once(ctx, r, into)
	if !apierrors.IsForbidden(err) {
		return err
	}
	ready := a.once(ctx, a.Get().AbsPath("/readyz").MaxRetries(0), nil)
	if apierrors.IsInternalError(ready) || apierrors.IsServiceUnavailable(ready) {
		return fmt.Errorf("%w: %w", errStarting, err)
	}
	return a.once(ctx, r, into)
}

func (a *api) once(ctx context.Context, r *rest.Request, into runtime.Object) error {
	// Else client-go writes a server's warnings, and that a body was cut off, to stderr.
	answer := r.Do(klog.NewContext(ctx, klog.Logger{}))
	err := answer.Error()
	if err == nil && into != nil {
		err = answer.Into(into)
	}
	a.reconnect(err)
	return err
}

// reconnect closes idle connections after a timeout. Otherwise the next call would wait on the
// same connection for a server that is gone.
func (a *api) reconnect(err error) {
	if errors.Is(err, context.DeadlineExceeded) {
		utilnet.CloseIdleConnectionsFor(a.Client.Transport)
	}
}

// read sends a read request, and repeats it if the server was busy or cut the connection.
func (a *api) read(ctx context.Context, r *rest.Request, into runtime.Object) error {
	return a.do(ctx, r.MaxRetries(3), into)
}

// change sends a request that changes something, once.
func (a *api) change(ctx context.Context, r *rest.Request) error {
	err := a.do(ctx, r.MaxRetries(0), nil)
	var answered apierrors.APIStatus
	var network *net.OpError
	if err == nil || err == a.broken || errors.As(err, &answered) ||
		errors.As(err, &network) && network.Op == "dial" {
		return err
	}
	return textstore.Unanswered(err)
}

// Time sends a request that does not reach the server's etcd. Even a client that may not make it
// gets an answer, with the time.
func (l *leases) Time(ctx context.Context) (shown time.Time, grain time.Duration, err error) {
	if l.api.broken != nil {
		return shown, grain, l.api.broken
	}
	version := l.api.Get().AbsPath("/version").URL().String()
	shown, grain, err = textstore.Date(ctx, l.api.Client, version, 499)
	l.api.reconnect(err)
	return shown, grain, err
}
