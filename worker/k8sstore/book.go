package k8sstore

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ringuid/ringuid/worker/internal/rowtext"
	"github.com/ringuid/ringuid/worker/store"
)

// book is the ConfigMap with everything but rows, in one object so that it changes as a
// whole: namespaces, what their floors are being lifted to, the records of layouts.
type book struct {
	version string // empty: it is not there
	data    map[string]string
}

// configMap is as much of one as is looked at.
type configMap struct {
	metav1.TypeMeta
	Metadata metav1.ObjectMeta `json:"metadata"`
	Data     map[string]string `json:"data"`
}

// The keys of a book.
const (
	keyAbout     = "about"
	keyNamespace = "namespace." // and its name
	keyLifting   = "lifting."   // and the name of the namespace: the floor to come
	// and the name of the namespace: terms.New of the rows that it began with
	keyMade   = "made."
	keyMaking = "making." // and the name of the namespace: who makes it at a first start
	keySpace  = "space."  // and keyOf the fingerprint: a store.Space
)

const about = "Worker ids of github.com/ringuid/ringuid. Their rows are Leases with the label " +
	labelNamespace + ". Do not edit or delete."

func (s *Store) configMaps() string { return "/api/v1/namespaces/" + s.api.place + "/configmaps" }

func (s *Store) book(ctx context.Context) (book, error) {
	var m configMap
	err := s.api.do(ctx, request{method: http.MethodGet, path: s.configMaps() + "/" + s.name}, &m)
	if apierrors.IsNotFound(err) {
		return book{}, nil
	}
	return book{m.Metadata.ResourceVersion, m.Data}, err
}

// namespace is a store.Namespace as the book has it; one without a name is not there.
type namespace struct {
	store.Namespace
	lifting int64  // the floor to come; 0 for none
	made    string // terms.New of rows that were all created before it was there
}

// namespace wraps store.ErrStore or store.ErrNamespace when it was edited.
func (b book) namespace(name string) (n namespace, err error) {
	text, there := b.data[keyNamespace+name]
	if !there {
		return n, nil
	}
	if n.Namespace, err = rowtext.ParseNamespace(name, []byte(text)); err != nil {
		return n, err
	}
	n.made = b.data[keyMade+name]
	if text, there := b.data[keyLifting+name]; there {
		if n.lifting, err = strconv.ParseInt(text, 10, 64); err != nil {
			return n, fmt.Errorf("%w: %s%s is %q: delete it, and quarantine the namespace", store.ErrStore,
				keyLifting, name, text)
		}
	}
	return n, nil
}

// names are those of all namespaces.
func (b book) names() (all []string) {
	for key := range b.data {
		if name, is := strings.CutPrefix(key, keyNamespace); is {
			all = append(all, name)
		}
	}
	return all
}

func (b book) space(fingerprint string) string { return b.data[keySpace+keyOf(fingerprint)] }

// change writes these keys of the book, or deletes those whose text is empty, if the
// book is still what was read.
func (s *Store) change(ctx context.Context, b book, keys map[string]string) (done bool, err error) {
	if b.version == "" {
		return s.begin(ctx, keys)
	}
	ops := []op{test("/metadata/resourceVersion", b.version)}
	for key, text := range keys {
		was, there := b.data[key]
		if there { // a restored backup may count its versions a second time
			ops = append(ops, test("/data/"+key, was))
		}
		switch {
		case text != "":
			ops = append(ops, set("/data/"+key, text))
		case there:
			ops = append(ops, op{Op: "remove", Path: "/data/" + key})
		}
	}
	var m configMap
	err = s.api.do(ctx, request{http.MethodPatch, s.configMaps() + "/" + s.name, nil, jsonPatch, ops},
		&m)
	if !undone(err) {
		return err == nil, err
	}
	now, reading := s.book(ctx)
	if reading == nil && now.version == b.version { // no test has failed
		return false, err
	}
	return false, reading
}

// begin makes the book.
func (s *Store) begin(ctx context.Context, keys map[string]string) (done bool, err error) {
	m := configMap{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		Metadata: metav1.ObjectMeta{Name: s.name},
		Data:     map[string]string{keyAbout: about},
	}
	for key, text := range keys {
		if text != "" {
			m.Data[key] = text
		}
	}
	err = s.api.do(ctx, request{method: http.MethodPost, path: s.configMaps(), body: m}, &m)
	if apierrors.IsAlreadyExists(err) {
		return false, nil
	}
	return err == nil, err
}
