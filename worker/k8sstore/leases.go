package k8sstore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/textstore"
	"github.com/ringuid/ringuid/worker/store"
)

// The labels by which Leases are found, and the annotations that say what they are. The spec of
// a Lease is only for people to read.
const (
	managedBy = "app.kubernetes.io/managed-by"
	program   = "ringuid"

	group      = "ringuid.github.io/"
	nameLabel  = group + "name"   // Options.Name
	layoutKey  = group + "layout" // the layout's fingerprint in an annotation, its hash in a label
	rowAnnoted = group + "row"    // the text of the row
)

// rowPath is the path of the row's text in a Lease, for a patch.
var rowPath = "/metadata/annotations/" + strings.ReplaceAll(rowAnnoted, "/", "~1")

// leases are the Leases of one Name in one Kubernetes namespace, each with the text of a
// row. They are a textstore.Server.
type leases struct {
	api       *api
	namespace string
	name      string
	printed   atomic.Bool // an error has shown the Role
}

// hash stands for a layout's fingerprint in names and labels, which may not contain all of its
// characters.
func hash(layout string) string {
	sum := sha256.Sum256([]byte(layout))
	return hex.EncodeToString(sum[:8])
}

func (l *leases) leaseName(k textstore.Key) string {
	return l.name + "-" + hash(k.Layout) + "-" + strconv.FormatInt(k.Worker, 10)
}

// one is a request about the Lease of a worker id.
func (l *leases) one(r *rest.Request, k textstore.Key) *rest.Request {
	return r.Namespace(l.namespace).Resource("leases").Name(l.leaseName(k))
}

// all is a request about all Leases of this name whose labels also match selector.
func (l *leases) all(r *rest.Request, selector string) *rest.Request {
	return r.Namespace(l.namespace).Resource("leases").
		Param("labelSelector", nameLabel+"="+l.name+selector)
}

// Check asks for no settings: an API server does not reveal those that its etcd depends on.
func (l *leases) Check(context.Context) error { return l.api.broken }

// page is how many Leases are asked for at once: all of a pool of the usual size, 1024.
const page = "1100"

// List goes through all Leases of the Kubernetes namespace.
func (l *leases) List(ctx context.Context, _ string) (rows []textstore.Entry, err error) {
	for next := ""; ; {
		var list coordinationv1.LeaseList
		// The server would compress it, which costs both sides more than it saves.
		r := l.all(l.api.Get(), "").SetHeader("Accept-Encoding", "identity").
			Param("limit", page).Param("continue", next)
		if err := l.api.read(ctx, r, &list); err != nil {
			return nil, err
		}
		for i := range list.Items {
			if deleted(&list.Items[i]) {
				continue
			}
			e, err := l.entry(&list.Items[i])
			if err != nil {
				return nil, err
			}
			rows = append(rows, e)
		}
		if next = list.Continue; next == "" {
			return rows, nil
		}
	}
}

// deleted reports whether a Lease was deleted, and a finalizer keeps it: it is never a row again,
// or a process would take what was deleted for good reason.
func deleted(lease *coordinationv1.Lease) bool { return lease.DeletionTimestamp != nil }

// entry reads a Lease. Its error wraps worker.ErrStore.
func (l *leases) entry(lease *coordinationv1.Lease) (e textstore.Entry, err error) {
	e.Text, e.Layout = lease.Annotations[rowAnnoted], lease.Annotations[layoutKey]
	e.Worker, err = strconv.ParseInt(lease.Name[strings.LastIndexByte(lease.Name, '-')+1:], 10, 64)
	if err != nil || lease.Name != l.leaseName(e.Key) ||
		lease.Labels[layoutKey] != hash(e.Layout) {
		return e, fmt.Errorf("%w: the Lease %s has the label %s, but its name and annotations are not "+
			"those of a worker id: delete it, which is safe at any time", worker.ErrStore, lease.Name,
			nameLabel)
	}
	return e, nil
}

func (l *leases) Get(ctx context.Context, k textstore.Key) (string, error) {
	var lease coordinationv1.Lease
	err := l.api.read(ctx, l.one(l.api.Get(), k), &lease)
	if apierrors.IsNotFound(err) || err == nil && deleted(&lease) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	e, err := l.entry(&lease)
	return e.Text, err
}

func (l *leases) Create(ctx context.Context, k textstore.Key, text string) (bool, error) {
	lease := &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{
			Name:        l.leaseName(k),
			Labels:      map[string]string{managedBy: program, nameLabel: l.name, layoutKey: hash(k.Layout)},
			Annotations: map[string]string{layoutKey: k.Layout, rowAnnoted: text},
		},
	}
	err := l.api.change(ctx, l.api.Post().Namespace(l.namespace).Resource("leases").Body(lease))
	if !apierrors.IsAlreadyExists(err) {
		return err == nil, err
	}
	if err = l.api.read(ctx, l.one(l.api.Get(), k), lease); err == nil && deleted(lease) {
		return false, fmt.Errorf("the Lease %s was deleted, and a finalizer keeps it: remove %s",
			lease.Name, strings.Join(lease.Finalizers, ", "))
	}
	return false, nil // it is there, or was deleted meanwhile
}

// op is an operation of a JSON patch (RFC 6902). The server applies all operations of a
// patch or, when a test fails, none.
type op struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value"`
}

func test(path string, value any) op { return op{"test", path, value} }
func set(path string, value any) op  { return op{"add", path, value} }

// untracked keeps the server from recording in a Lease who wrote which field, which would be
// half of the Lease. This is the way that Kubernetes provides for it.
var untracked = set("/metadata/managedFields", []any{struct{}{}})

// undeleted has a Lease that was deleted, and that a finalizer keeps, stay as it is.
var undeleted = test("/metadata/deletionTimestamp", nil)

// CompareAndSet has the server test the text against the Lease that it then replaces in etcd, and
// again if the Lease was written meanwhile.
func (l *leases) CompareAndSet(ctx context.Context, k textstore.Key, old, text string) (
	bool, error) {
	_, row, err := store.ParseRow(k.Layout, k.Worker, text)
	if err != nil {
		return false, err
	}
	patch, err := json.Marshal(append([]op{test(rowPath, old), undeleted, set(rowPath, text),
		untracked}, shown(row)...))
	if err != nil {
		return false, err
	}
	err = l.api.change(ctx, l.one(l.api.Patch(types.JSONPatchType), k).Body(patch))
	switch {
	case apierrors.IsNotFound(err), apierrors.IsConflict(err): // others kept writing it
		return false, nil
	case !apierrors.IsInvalid(err):
		return err == nil, err
	}
	// Either the test failed, or the server rejects the patch itself.
	now, reading := l.Get(ctx, k)
	if reading == nil && now == old {
		return false, err
	}
	return false, reading
}

// shown returns the operations that show a row to people.
func shown(r store.Row) []op {
	var holder, renewed, seconds any
	if !r.Renewed.IsZero() {
		renewed = metav1.NewMicroTime(r.Renewed)
	}
	if r.Held {
		seconds = max(1, min(int64(r.Expires.Sub(r.Renewed)/time.Second), 1<<31-1))
		if r.Owner != "" {
			holder = r.Owner
		}
	}
	return []op{set("/spec/holderIdentity", holder), set("/spec/renewTime", renewed),
		set("/spec/leaseDurationSeconds", seconds)}
}

// DeleteAll has the server delete the Leases one after another, each whatever its text is by then.
// A row that is created meanwhile may remain.
func (l *leases) DeleteAll(ctx context.Context, layout string) error {
	selector := ""
	if layout != "" {
		selector = "," + layoutKey + "=" + hash(layout)
	}
	return l.api.change(ctx, l.all(l.api.Delete(), selector))
}
