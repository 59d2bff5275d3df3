package memstore_test

import (
	"os"
	"testing"

	"github.com/ringuid/ringuid/internal/epoch"
)

func TestMain(m *testing.M) {
	epoch.Move()
	os.Exit(m.Run())
}
