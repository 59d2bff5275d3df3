package etcdstore

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/textstore"
)

func (e *etcd) Check(ctx context.Context) error {
	if e.client == nil {
		return fmt.Errorf("%w: the client that the store was made with is nil: pass what "+
			"clientv3.New returns", worker.ErrClaim)
	}
	// A majority has to confirm this read; the list may come from a member that is cut off.
	if _, err := e.get(ctx, e.place, clientv3.WithKeysOnly()); err != nil {
		return err
	}
	list, err := e.client.MemberList(ctx)
	if err == nil {
		err = e.only(list.Header)
	}
	if err == nil && len(list.Members) == 1 {
		var status *clientv3.StatusResponse
		status, err = e.client.Status(ctx, e.client.Endpoints()[0])
		if err == nil && forgets(status.Version) {
			err = fmt.Errorf("%w: a single etcd %s may lose acknowledged writes (etcd issue 14370): run "+
				"three members, or a version from 3.4.21 or 3.5.5", worker.ErrStore, status.Version)
		}
	}
	if errors.Is(err, rpctypes.ErrPermissionDenied) {
		// Versions that show this only to the user root (3.4.42, 3.5.28, 3.6.9: CVE-2026-33413) do
		// not forget.
		err = nil
	}
	return err
}

// forgets reports whether this version, alone, acknowledges before its log is on disk. It was
// fixed in 3.4.21 and 3.5.5, never in older lines: https://github.com/etcd-io/etcd/issues/14370
func forgets(version string) bool {
	v := make([]int, 3)
	if _, err := fmt.Sscanf(version, "%d.%d.%d", &v[0], &v[1], &v[2]); err != nil {
		return false // not a version that could be older
	}
	below := func(mended ...int) bool { return slices.Compare(v, mended) < 0 }
	return below(3, 4, 21) || !below(3, 5) && below(3, 5, 5)
}

// Time asks one member after another, for a second in all, since the caller has more to do. A
// transaction cannot read a clock, but the members answer HTTP on their client port.
func (e *etcd) Time(ctx context.Context) (shown time.Time, grain time.Duration, err error) {
	members := e.client.Endpoints()
	failed := errors.New("no member told the time over HTTP: start them; if they run, set " +
		"Options.TLS to the client's settings, or let them serve HTTP to clients")
	for _, member := range members {
		ctx, cancel := context.WithTimeout(ctx, time.Second/time.Duration(len(members)))
		defer cancel()
		shown, grain, err = textstore.Date(ctx, e.http, e.versionURL(member), http.StatusOK)
		if err == nil {
			return shown, grain, nil
		}
		failed = fmt.Errorf("%w; %w", failed, err)
	}
	return shown, grain, failed
}

// versionURL returns the URL at which a member answers any client over HTTP.
func (e *etcd) versionURL(member string) string {
	if !strings.Contains(member, "://") {
		member = e.scheme + "://" + member
	}
	return strings.TrimSuffix(member, "/") + "/version"
}

// Advice adds no passwords, and the client keeps them out of its errors.
func (e *etcd) Advice(err error) (do string, is error) {
	const noMajority = "a majority of the members does not answer: start them"
	silent := "check that the cluster is running"
	if e.client != nil && e.client.Username != "" {
		silent += ". If it is, and its version is 3.4, it does not know the client's token any more, " +
			"and the client never gets another: restart this process, and use certificates, or etcd 3.5"
	}
	for _, known := range []struct {
		err, is error
		do      string
	}{
		{rpctypes.ErrAuthFailed, worker.ErrDenied, "check user and password"},
		{rpctypes.ErrUserEmpty, worker.ErrDenied, "the cluster requires a user and a password: " +
			"configure them in the client"},
		{rpctypes.ErrPermissionDenied, worker.ErrDenied, "the user's role must be allowed to read and " +
			"write the keys of Options.Prefix"},
		{rpctypes.ErrNoSpace, nil, "the cluster is full and takes no writes: compact, defragment, and " +
			"disarm its alarm"},
		{rpctypes.Error(rpctypes.ErrGRPCNotSupportedForLearner), nil, "a learner answers no process: " +
			"promote it, or give the client the addresses of the other members"},
		{rpctypes.ErrNoLeader, nil, noMajority},
		{rpctypes.ErrTimeout, nil, noMajority},
		{context.DeadlineExceeded, nil, silent},
	} {
		if errors.Is(err, known.err) {
			return known.do, known.is
		}
	}
	if e.client != nil && e.client.Ctx().Err() != nil {
		return "the client is closed: close it after the generator", worker.ErrClaim
	}
	return "", nil
}
