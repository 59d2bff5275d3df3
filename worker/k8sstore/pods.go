package k8sstore

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ringuid/ringuid/worker/store"
)

// pod is the one that this process runs in, as its token says. The zero value is none.
type pod struct{ place, name, uid string }

// String is the annotation that says who holds a row.
func (p pod) String() string {
	if p.uid == "" {
		return ""
	}
	return p.place + "/" + p.name + "/" + p.uid
}

// at is the annotation of a row that is held, or not.
func (p pod) at(held bool) string {
	if !held {
		return ""
	}
	return p.String()
}

// podOf reads the token that Kubernetes gives to each pod. It is not verified: the pod's
// name is a preference, and that it is gone is asked from the server.
func podOf(token string) (p pod) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return pod{}
	}
	text, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return pod{}
	}
	var claims struct {
		Kubernetes struct {
			Namespace string `json:"namespace"`
			Pod       struct {
				Name string `json:"name"`
				UID  string `json:"uid"`
			} `json:"pod"`
		} `json:"kubernetes.io"`
	}
	if json.Unmarshal(text, &claims) != nil {
		return pod{}
	}
	return pod{claims.Kubernetes.Namespace, claims.Kubernetes.Pod.Name, claims.Kubernetes.Pod.UID}
}

// owner is who holds a row: the pod's name, which is the host's but in the host's network.
func (p pod) owner() string {
	if p.name != "" {
		return p.name
	}
	name, _ := os.Hostname()
	return name
}

// vacate frees rows of pods that are gone, when there is no other in v: as an operator
// would, who keeps High, so that a process which is alive after all can do no harm. rows
// are those of v.
func (s *Store) vacate(ctx context.Context, v *store.View, rows []row) {
	var held []int
	for i, r := range v.Rows {
		if !v.Live(r) {
			return
		}
		if s.pod.uid != "" && strings.HasPrefix(rows[i].pod, s.pod.place+"/") &&
			rows[i].pod != s.pod.String() {
			held = append(held, i)
		}
	}
	if len(held) == 0 {
		return
	}
	alive, err := s.pods(ctx)
	if err != nil {
		return // it is not known, and their leases run out by themselves
	}
	for _, i := range held {
		if alive[rows[i].pod] {
			continue
		}
		r := v.Rows[i]
		freed := store.Write{
			Namespace: v.Name, Fingerprint: v.Fingerprint, Epoch: v.Epoch, Floor: v.Floor,
			Worker: r.Worker, Expect: []store.Nonce{r.Nonce}, Nonce: newNonce(), High: r.High,
			Owner: r.Owner, Release: true, Now: v.Now,
		}
		if applied, err := s.write(ctx, freed); applied && err == nil {
			r.Nonce, r.Held, r.Expires, r.Renewed = freed.Nonce, false, v.Now, v.Now
			v.Rows[i] = r
		}
	}
}

// pods are those of this pod's namespace that have not ended.
func (s *Store) pods(ctx context.Context) (alive map[string]bool, err error) {
	alive = map[string]bool{}
	query := url.Values{"limit": {"500"},
		"fieldSelector": {"status.phase!=Succeeded,status.phase!=Failed"}}
	for {
		var l struct {
			Metadata metav1.ListMeta `json:"metadata"`
			Items    []struct {
				Metadata struct{ Name, UID string } `json:"metadata"`
			} `json:"items"`
		}
		if err := s.api.do(ctx, request{method: http.MethodGet, path: "/api/v1/namespaces/" +
			s.pod.place + "/pods", query: query}, &l); err != nil {
			return nil, err
		}
		for _, p := range l.Items {
			alive[pod{s.pod.place, p.Metadata.Name, p.Metadata.UID}.String()] = true
		}
		if l.Metadata.Continue == "" {
			return alive, nil
		}
		query.Set("continue", l.Metadata.Continue)
	}
}
