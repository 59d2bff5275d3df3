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

// hands deletes rows by hand. change changes the value of a document; nil: there is none.
func hands(t *testing.T, change func(part int, how func(was []byte) []byte)) storetest.Hands {
	return storetest.Hands{
		DeleteRow: func(layout string, worker int64) {
			change(partOf(worker), func(was []byte) []byte {
				if was == nil {
					return nil
				}
				var d text
				require.NoError(t, json.Unmarshal(was, &d))
				delete(d.Rows, textstore.Key{Layout: layout, Worker: worker}.Path())
				value, err := json.Marshal(d)
				require.NoError(t, err)
				return value
			})
		},
		DeleteAll: func() {
			for part := range parts {
				change(part, func([]byte) []byte { return nil })
			}
		},
	}
}

func TestMemory(t *testing.T) {
	b := &bucket{grain: time.Millisecond}
	s := b.open()
	storetest.Run(t, func(*testing.T) store.Store { return s }, storetest.Options{
		Hands: func(t *testing.T, _ store.Store) storetest.Hands {
			return hands(t, b.change)
		},
	})
}

func TestFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "place")
	storetest.Run(t, func(*testing.T) store.Store { return File(dir) }, storetest.Options{
		Hands: func(t *testing.T, _ store.Store) storetest.Hands {
			return hands(t, func(part int, how func(was []byte) []byte) {
				f := File(dir).(*place).at[part].(bounded).Document.(file)
				for saved := false; !saved; { // as often as somebody else changes it meanwhile
					was, err := f.Load(t.Context())
					require.NoError(t, err)
					value := how(was.Value)
					if value == nil {
						require.NoError(t, os.RemoveAll(filepath.Join(f.dir, f.name)))
						return
					}
					saved, err = f.Save(t.Context(), value, was.Tag)
					require.NoError(t, err)
				}
			})
		},
	})
}
