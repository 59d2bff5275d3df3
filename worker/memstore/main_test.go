package memstore_test

import (
	"os"
	"testing"

	"github.com/ringuid/ringuid/internal/testepoch"
	"github.com/ringuid/ringuid/uid"
)

func TestMain(m *testing.M) {
	uid.DefaultLayout.Epoch = testepoch.Epoch(uid.DefaultLayout.Epoch, uid.DefaultLayout.End())
	os.Exit(m.Run())
}
