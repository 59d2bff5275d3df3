package docstore

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/store"
)

// The lock of a folder holds in one kernel alone, so two machines would have one worker id.
func TestAFolderThatOtherMachinesMayHave(t *testing.T) {
	testserver.OnFUSE(t, func(dir string) {
		_, err := File(dir).(*place).at[0].(bounded).Document.Save(t.Context(), nil, "")
		assert.ErrorIs(t, err, store.ErrStore)
		assert.ErrorContains(t, err, "is on FUSE")
	})
	_, err := File(t.TempDir()).Check(t.Context())
	assert.NoError(t, err)
}
