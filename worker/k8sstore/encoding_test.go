package k8sstore

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/ringuid/ringuid/worker/internal/rowtext"
	"github.com/ringuid/ringuid/worker/store"
)

// always is a server that has one answer.
type always struct {
	form string
	code int
	text []byte
}

func (a always) RoundTrip(q *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: a.code, Header: http.Header{"Content-Type": {a.form},
			"Date": {time.Now().UTC().Format(http.TimeFormat)}},
		Body: io.NopCloser(bytes.NewReader(a.text)), Request: q,
	}, nil
}

func (a always) store() *Store {
	return open(&http.Client{Transport: a}, &url.URL{Scheme: "https", Host: "server"}, pod{},
		Options{})
}

// lists are the rows of a namespace, in both forms of an answer.
func lists(tb testing.TB, rows int64) []always {
	var s Store
	var l coordinationv1.LeaseList
	t := termsOf(store.Namespace{Name: "default", Fingerprint: "22;28;13", Unit: time.Second,
		Window: 90, Floor: 1 << 30})
	for id := range rows {
		l.Items = append(l.Items, *s.object(t, rowtext.Free(id, 1<<30, time.Unix(1<<30, 0))))
		l.Items[id].Name = always{}.store().leaseName("default", id)
	}
	text, err := json.Marshal(l)
	require.NoError(tb, err)
	var packed bytes.Buffer
	require.NoError(tb, fromProtobuf.Encode(&l, &packed))
	return []always{{runtime.ContentTypeJSON, http.StatusOK, text},
		{runtime.ContentTypeProtobuf, http.StatusOK, packed.Bytes()}}
}

func TestBothFormsOfAnAnswerAreTheSame(t *testing.T) {
	answers := lists(t, 3)
	want, _, err := answers[0].store().rowsOf(t.Context(), "default", 0, 2)
	require.NoError(t, err)
	require.Len(t, want, 3)
	got, _, err := answers[1].store().rowsOf(t.Context(), "default", 0, 2)
	require.NoError(t, err)
	assert.Equal(t, want, got)
}

// A row with other terms than the one before it is not read by that one's.
func TestTermsDifferFromRowToRow(t *testing.T) {
	s := always{}.store()
	p := parser{store: s}
	for id, floor := range []int64{7, 7, 8, 7} {
		n := store.Namespace{Name: fmt.Sprint("n", floor), Floor: floor}
		r, err := p.parse(s.object(termsOf(n), rowtext.Free(int64(id), 0, time.Unix(1<<30, 0))))
		require.NoError(t, err)
		assert.Equal(t, termsOf(n), r.terms)
		assert.EqualValues(t, id, r.Worker)
	}
	l := s.object(termsOf(store.Namespace{Name: "n7", Floor: 7}),
		rowtext.Free(4, 0, time.Unix(1<<30, 0)))
	l.Annotations[termsName] = "{"
	for range 2 {
		_, err := p.parse(l)
		require.ErrorIs(t, err, store.ErrStore)
	}
}

func TestAnswersThatAreNotWhatTheySay(t *testing.T) {
	for _, text := range []string{"", "k8s\x00", "k8s\x00\xff\xff", `{"items":[]}`} {
		_, _, err := always{runtime.ContentTypeProtobuf, http.StatusOK,
			[]byte(text)}.store().rowsOf(t.Context(), "default", 0, 2)
		assert.Error(t, err, "%q", text)
	}
}

// What reading 256 rows costs a start.
func BenchmarkList(b *testing.B) {
	for _, a := range lists(b, defaultWorkerIDs) {
		b.Run(a.form, func(b *testing.B) {
			s := a.store()
			b.SetBytes(int64(len(a.text)))
			for b.Loop() {
				if _, _, err := s.rowsOf(b.Context(), "default", 0, defaultWorkerIDs-1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
