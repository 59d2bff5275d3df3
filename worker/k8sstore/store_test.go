package k8sstore

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

// slow: leases shall not end on a busy machine while some tests ask for all of them.
var slow = storetest.WithTTL(200 * time.Millisecond)

func TestStore(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	n := 0
	// each in a namespace of its own, since 3000 Leases are many to list
	open := func(*testing.T) store.Store {
		n++
		s := c.space(fmt.Sprint("shop-", n)).store("a")
		s.first = -1 // nobody but Init makes a namespace
		return s
	}
	t.Run("one", func(t *testing.T) {
		storetest.Run(t, open, storetest.WithHands(c.hands), storetest.WithRowsFirst(),
			storetest.WithNamespaceApart(), slow, storetest.WithManyRows(page+100))
	})
	t.Run("cut", func(t *testing.T) { testCutAnswers(t, c.space("cut")) })
	t.Run("several", func(t *testing.T) { testSeveralStores(t, c.space("several")) })
}

// testCutAnswers: each fault lets a request that writes a row reach the server, and
// loses the answer.
func testCutAnswers(t *testing.T, in space) {
	var cut, cuts atomic.Int64
	s := in.open(disturbed(config(in.server.Addr(), in.pod("cut-1")),
		func(q *http.Request, send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
			lose := q.Method == http.MethodPatch && isLease(q) && cut.CompareAndSwap(1, 0)
			answer, err := send(q)
			if lose && err == nil {
				cuts.Add(1)
				answer.Body.Close()
				return nil, errLost
			}
			return answer, err
		}))
	storetest.Linearizable(t, s, func() { cut.Store(1) }, slow)
	assert.NotZero(t, cuts.Load())
}

var errLost = errors.New("the answer was lost")

// testSeveralStores: a store may show what it wrote itself, and others have written
// since; but whatever it writes on that misses.
func testSeveralStores(t *testing.T, in space) {
	token := in.pod("several-1")
	storetest.Linearizable(t, &several{Store: in.as(token),
		others: []store.Store{in.as(token), in.as(token)}}, nil, slow, storetest.WithStaleViews())
}

// several are stores that are asked in turn.
type several struct {
	store.Store
	others []store.Store
	calls  atomic.Int64
}

func (s *several) next() store.Store {
	i := int(s.calls.Add(1)) % (1 + len(s.others))
	if i == 0 {
		return s.Store
	}
	return s.others[i-1]
}

func (s *several) View(ctx context.Context, namespace string, first, last int64) (store.View,
	error) {
	return s.next().View(ctx, namespace, first, last)
}

func (s *several) Write(ctx context.Context, w store.Write) (bool, error) {
	return s.next().Write(ctx, w)
}

// hands change objects as people do with kubectl.
func (c *cluster) hands(t *testing.T, store store.Store) storetest.Hands {
	s := store.(*Store)
	edit := func(key, text string) {
		b, err := s.book(t.Context())
		require.NoError(t, err)
		done, err := s.change(t.Context(), b, map[string]string{key: text})
		require.NoError(t, err)
		require.True(t, done)
	}
	return storetest.Hands{
		Catalog:       catalog{s},
		DropNamespace: func(name string) { edit(keyNamespace+name, "") },
		DropRow: func(name string, id int64) {
			require.NoError(t, c.admin(http.MethodDelete, s.leases()+"/"+s.leaseName(name, id), nil, nil))
		},
		DropSpace: func(fingerprint string) { edit(keySpace+keyOf(fingerprint), "") },
		SetWindow: func(name string, window int64) {
			b, err := s.book(t.Context())
			require.NoError(t, err)
			text := b.data[keyNamespace+name]
			edit(keyNamespace+name, regexp.MustCompile(`"window":\d+`).ReplaceAllString(text,
				fmt.Sprintf(`"window":%d`, window)))
		},
	}
}

// manifest reads YAML.
func manifest(t *testing.T, text string) (object map[string]any) {
	t.Helper()
	require.NoError(t, yaml.Unmarshal([]byte(text), &object))
	return object
}
