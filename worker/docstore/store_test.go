package docstore

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/internal/textstore"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

// hands deletes rows by hand. get and put are about the value of a document; nil: there is none.
func hands(t *testing.T, get func(part int) []byte,
	put func(part int, value []byte)) storetest.Hands {
	return storetest.Hands{
		DeleteRow: func(layout string, worker int64) {
			var d text
			part := partOf(worker)
			if was := get(part); was != nil {
				require.NoError(t, json.Unmarshal(was, &d))
				delete(d.Rows, textstore.Key{Layout: layout, Worker: worker}.Path())
				value, err := json.Marshal(d)
				require.NoError(t, err)
				put(part, value)
			}
		},
		DeleteAll: func() {
			for part := range parts {
				put(part, nil)
			}
		},
	}
}

func TestMemory(t *testing.T) {
	b := &bucket{}
	s := b.open()
	storetest.Run(t, func(*testing.T) store.Store { return s }, storetest.Options{
		TTL: 2 * time.Second, // its clock shows whole seconds
		Hands: func(t *testing.T, _ store.Store) storetest.Hands {
			return hands(t, func(part int) []byte { return b.values[part].text }, b.edit)
		},
	})
}

func TestFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "place")
	storetest.Run(t, func(*testing.T) store.Store { return File(dir) }, storetest.Options{
		Hands: func(t *testing.T, _ store.Store) storetest.Hands {
			path := func(part int) string { return string(File(dir).(*place).at[part].(file)) }
			return hands(t, func(part int) []byte {
				value, _ := os.ReadFile(path(part))
				return value
			}, func(part int, value []byte) {
				if value == nil {
					require.NoError(t, os.RemoveAll(path(part)))
				} else {
					require.NoError(t, os.WriteFile(path(part), value, 0o600))
				}
			})
		},
	})
}
