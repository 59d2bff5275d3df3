package k8sstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/rest"

	"github.com/ringuid/ringuid/worker/internal/textstore"
)

// api is the way to an API server. The typed clients of client-go would limit how many
// requests are sent, and know thousands of types.
type api struct {
	*rest.RESTClient
	base   *url.URL
	broken error // why there is no server to ask
}

// newAPI is the API of Leases on a server, through this connection. Lists are long, and cost
// both sides less as protocol buffers.
func newAPI(client *http.Client, base *url.URL) *api {
	types := runtime.NewScheme()
	err := coordinationv1.AddToScheme(types)
	group := coordinationv1.SchemeGroupVersion
	codecs := serializer.NewCodecFactory(types).WithoutConversion()
	content := rest.ClientContentConfig{
		AcceptContentTypes: runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON,
		ContentType:        runtime.ContentTypeJSON,
		GroupVersion:       group,
		Negotiator:         runtime.NewClientNegotiator(codecs, group),
	}
	c, failed := rest.NewRESTClient(base, "/apis/"+group.String(), content, nil, client)
	return &api{c, base, errors.Join(err, failed)}
}

// usable is why nothing can be sent.
func (a *api) usable(ctx context.Context) error { return cmp.Or(a.broken, context.Cause(ctx)) }

// errStarting: the server refuses everything, since it has not read the roles yet.
var errStarting = errors.New("the API server is starting, and has not read the roles yet")

// do sends a request and reads its answer into into, unless that is nil. It sends it again
// if it was forbidden, and therefore not done, by a server that is ready now: one that starts
// forbids everything until it has read the roles.
func (a *api) do(ctx context.Context, r *rest.Request, into runtime.Object) error {
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
	if err := a.usable(ctx); err != nil {
		return err
	}
	answer := r.Do(ctx)
	err := answer.Error()
	if err == nil && into != nil {
		err = answer.Into(into)
	}
	a.reconnect(err)
	return err
}

// reconnect: without it, the next call would wait on the same connection for a server that
// is gone.
func (a *api) reconnect(err error) {
	if errors.Is(err, context.DeadlineExceeded) {
		a.close()
	}
}

// close closes connections that nobody waits on.
func (a *api) close() { utilnet.CloseIdleConnectionsFor(a.Client.Transport) }

// read sends a question, and sends it again if the server was busy or cut the connection.
func (a *api) read(ctx context.Context, r *rest.Request, into runtime.Object) error {
	return a.do(ctx, r.MaxRetries(3), into)
}

// change sends a request that changes something, once.
func (a *api) change(ctx context.Context, r *rest.Request) error {
	if err := a.usable(ctx); err != nil {
		return err // nothing was sent
	}
	err := a.do(ctx, r.MaxRetries(0), nil)
	var answered apierrors.APIStatus
	var network *net.OpError
	if err == nil || errors.As(err, &answered) || errors.As(err, &network) && network.Op == "dial" {
		return err
	}
	return textstore.Unanswered(err)
}

// Time is described at textstore.Server. The question does not reach the server's etcd, and
// is answered, with the time, to those too who may not ask it.
func (l *leases) Time(ctx context.Context) (shown time.Time, grain time.Duration, err error) {
	if err := l.api.usable(ctx); err != nil {
		return shown, grain, err
	}
	version := l.api.base.JoinPath("version").String()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, version, nil)
	if err != nil {
		return shown, grain, err
	}
	answer, err := l.api.Client.Do(r)
	if err != nil {
		l.api.reconnect(err)
		return shown, grain, err
	}
	defer answer.Body.Close()
	if answer.StatusCode >= http.StatusInternalServerError { // of a proxy, say, with its own time
		return shown, grain, fmt.Errorf("the API server answered %s", answer.Status)
	}
	if shown, err = http.ParseTime(answer.Header.Get("Date")); err != nil {
		return shown, grain, fmt.Errorf("the API server's answers have no Date: %w", err)
	}
	_, err = io.Copy(io.Discard, answer.Body) // so that the connection can be used again
	return shown, time.Second, err
}
