package k8sstore

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// fakeServer is as much of an API server as a Store asks for, in a world where one random
// number decides which of the requests under way comes next, which take long, and which
// answers get lost.
// Each request is done as a whole, as by the real one.
type fakeServer struct {
	t      *testing.T
	random *rand.Rand // for whoever has mu
	flaw   string     // what it does wrong, to see whether that is found

	mu      sync.Mutex
	arrived []*arrival // since the last one went on
	waiting []*arrival
	version int64
	book    *configMap
	leases  map[string]*coordinationv1.Lease
	wrong   []string
	writes  int // of rows
}

// arrival is a request that waits for its turn.
type arrival struct {
	q    *http.Request
	body []byte
	turn chan struct{}
	lost int       // 0: the request; 1: its answer
	from time.Time // when it may go on
}

func (f *fakeServer) store(p pod) *Store {
	return open(&http.Client{Transport: f}, &url.URL{Scheme: "https", Host: "sim"}, p, Options{})
}

func (f *fakeServer) RoundTrip(q *http.Request) (*http.Response, error) {
	a := &arrival{q: q, turn: make(chan struct{})}
	if q.Body != nil {
		a.body, _ = io.ReadAll(q.Body)
	}
	f.mu.Lock()
	f.arrived = append(f.arrived, a)
	f.mu.Unlock()
	<-a.turn // also when its context has ended: it is on its way
	f.mu.Lock()
	defer f.mu.Unlock()
	if a.lost == 0 {
		return nil, errors.New("the request got lost")
	}
	status, body := f.do(q, a.body)
	if a.lost == 1 {
		return nil, errLost
	}
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	if err := q.Context().Err(); err != nil {
		return nil, err
	}
	return &http.Response{
		StatusCode: status, Header: http.Header{"Date": {time.Now().UTC().Format(http.TimeFormat)}},
		Body: io.NopCloser(bytes.NewReader(text)), Request: q,
	}, nil
}

// serve does what is asked until done, and lets time go by where nothing is.
func (f *fakeServer) serve(done <-chan struct{}) {
	for {
		synctest.Wait()
		select {
		case <-done:
			return
		default:
		}
		if !f.next() {
			time.Sleep(time.Second)
		}
	}
}

// next lets one of the requests go on that wait, and is false when there is none.
func (f *fakeServer) next() bool {
	synctest.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	// In an order that does not hang on the scheduler's.
	slices.SortFunc(f.arrived, func(a, b *arrival) int { return strings.Compare(a.key(), b.key()) })
	for _, a := range f.arrived {
		often := 30
		if a.q.Method == http.MethodPost {
			often = 3
		}
		if f.random.IntN(often) == 0 { // its process hangs before it sends it, or it hangs on its way
			a.from = time.Now().Add(time.Duration(f.random.IntN(40)) * time.Second)
		}
	}
	f.waiting, f.arrived = append(f.waiting, f.arrived...), nil
	var ready []int
	for i, a := range f.waiting {
		if !a.from.After(time.Now()) {
			ready = append(ready, i)
		}
	}
	if len(ready) == 0 {
		return false
	}
	i := ready[f.random.IntN(len(ready))]
	f.waiting[i].lost = f.random.IntN(40)
	close(f.waiting[i].turn)
	f.waiting = slices.Delete(f.waiting, i, i+1)
	return true
}

func (a *arrival) key() string { return a.q.Method + a.q.URL.String() + string(a.body) }

func failure(code int, reason metav1.StatusReason) (int, any) {
	return code, metav1.Status{TypeMeta: metav1.TypeMeta{Kind: "Status"}, Code: int32(code),
		Reason: reason, Status: metav1.StatusFailure}
}

func (f *fakeServer) do(q *http.Request, body []byte) (int, any) {
	kind, name, _ := strings.Cut(q.URL.Path[strings.Index(q.URL.Path,
		"/namespaces/default/")+len("/namespaces/default/"):], "/")
	switch q.Method + " " + kind {
	case "GET configmaps":
		if f.book == nil {
			return failure(http.StatusNotFound, metav1.StatusReasonNotFound)
		}
		return http.StatusOK, f.book
	case "POST configmaps":
		if f.book != nil {
			return failure(http.StatusConflict, metav1.StatusReasonAlreadyExists)
		}
		f.book = new(configMap)
		return f.stored(f.book, body, &f.book.Metadata)
	case "PATCH configmaps":
		if f.book == nil {
			return failure(http.StatusNotFound, metav1.StatusReasonNotFound)
		}
		is := new(configMap)
		status, answer := f.patch(f.book, is, &is.Metadata, body)
		if status == http.StatusOK {
			f.book = is
		}
		return status, answer
	case "GET leases":
		return http.StatusOK, f.list(q.URL.Query())
	case "POST leases":
		is := new(coordinationv1.Lease)
		json.Unmarshal(body, is)
		if f.leases[is.Name] != nil {
			return failure(http.StatusConflict, metav1.StatusReasonAlreadyExists)
		}
		f.leases[is.Name] = is
		return f.stored(is, body, &is.ObjectMeta)
	case "PATCH leases":
		was := f.leases[name]
		if was == nil {
			return failure(http.StatusNotFound, metav1.StatusReasonNotFound)
		}
		is := new(coordinationv1.Lease)
		status, answer := f.patch(was, is, &is.ObjectMeta, body)
		if status == http.StatusOK {
			f.judge(was, is)
			f.leases[name] = is
		}
		return status, answer
	}
	panic(q.Method + " " + q.URL.Path)
}

func (f *fakeServer) stored(into any, body []byte, meta *metav1.ObjectMeta) (int, any) {
	if err := json.Unmarshal(body, into); err != nil {
		panic(err)
	}
	f.version++
	meta.ResourceVersion = strconv.FormatInt(f.version, 10)
	return http.StatusCreated, into
}

// patch applies a JSON patch of the three operations that there are.
func (f *fakeServer) patch(was, into any, meta *metav1.ObjectMeta, body []byte) (int, any) {
	text, _ := json.Marshal(was)
	var object map[string]any
	json.Unmarshal(text, &object)
	var ops []op
	if err := json.Unmarshal(body, &ops); err != nil {
		panic(err)
	}
	for _, o := range ops {
		path := strings.Split(o.Path, "/")[1:]
		at := object
		for _, key := range path[:len(path)-1] {
			next, ok := at[key].(map[string]any)
			if !ok {
				return failure(http.StatusUnprocessableEntity, metav1.StatusReasonInvalid)
			}
			at = next
		}
		key := strings.NewReplacer("~1", "/", "~0", "~").Replace(path[len(path)-1])
		switch {
		case o.Op == "test" && at[key] != o.Value && f.flaw != "does not test "+o.Path &&
			!f.overlooks(key, at[key], o.Value):
			return failure(http.StatusUnprocessableEntity, metav1.StatusReasonInvalid)
		case o.Op == "remove":
			delete(at, key)
		case o.Op == "add" && !f.forgets(key, o.Value) && !f.leavesOut(ops, o):
			at[key] = o.Value
		}
	}
	text, _ = json.Marshal(object)
	_, answer := f.stored(into, text, meta)
	return http.StatusOK, answer
}

// forgets: with this flaw the server says now and then that it lifted a floor in a row.
func (f *fakeServer) forgets(key string, value any) bool {
	return f.flaw == "lifts nothing" && key == termsName && !strings.Contains(fmt.Sprint(value),
		`"closed"`) && f.random.IntN(2) == 0
}

// leavesOut: with this flaw a row keeps its High when it is opened.
func (f *fakeServer) leavesOut(ops []op, o op) bool {
	with := func(path string) bool {
		return slices.ContainsFunc(ops, func(o op) bool { return o.Op == "add" && o.Path == path })
	}
	return f.flaw == "opens rows as they were created" && o.Path == rowPath && with(layoutPath)
}

// overlooks: with this flaw a row that is closed may be written as if it were open.
func (f *fakeServer) overlooks(key string, is, want any) bool {
	var a, b terms
	if f.flaw != "closes nothing" || key != termsName || json.Unmarshal([]byte(is.(string)),
		&a) != nil || json.Unmarshal([]byte(want.(string)), &b) != nil {
		return false
	}
	a.Closed = ""
	return a == b
}

func (f *fakeServer) list(query url.Values) coordinationv1.LeaseList {
	label, want, exact := strings.Cut(query.Get("labelSelector"), "=")
	name := strings.TrimPrefix(query.Get("fieldSelector"), "metadata.name=")
	var l coordinationv1.LeaseList
	l.ResourceVersion = strconv.FormatInt(f.version, 10)
	for _, key := range slices.Sorted(maps.Keys(f.leases)) {
		is := f.leases[key]
		has, there := is.Labels[label]
		if there && (!exact || has == want) && (name == "" || name == is.Name) {
			l.Items = append(l.Items, *is)
		}
	}
	return l
}

// judge looks whether a row may be written at this moment: by the terms that its
// namespace has, and with a worker id that is no other's.
func (f *fakeServer) judge(was, is *coordinationv1.Lease) {
	if was.Annotations[rowAnnotation] == is.Annotations[rowAnnotation] {
		return
	}
	f.writes++
	s := f.store(pod{})
	r, err := (&parser{store: s}).parse(is)
	if err != nil {
		f.say("%v", err)
		return
	}
	b := book{"", f.book.Data}
	own, err := b.namespace(r.terms.Namespace)
	if err != nil {
		f.say("%v", err)
	}
	inside := own.Name != "" && own.First <= r.Worker && r.Worker <= own.Last
	if inside && r.terms.Floor < own.Floor {
		f.say("%s is written under the floor %d, and views show %d", is.Name, r.terms.Floor, own.Floor)
	}
	for _, name := range b.names() {
		n, _ := b.namespace(name)
		if name != r.terms.Namespace && n.Fingerprint == r.terms.Fingerprint && !inside &&
			n.First <= r.Worker && r.Worker <= n.Last {
			f.say("%s is written, and worker id %d is %q's", is.Name, r.Worker, name)
		}
	}
}

func (f *fakeServer) say(format string, args ...any) {
	f.wrong = append(f.wrong, fmt.Sprintf(format, args...))
}

// byHand is somebody with kubectl.
func (f *fakeServer) byHand(do func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	do()
}
