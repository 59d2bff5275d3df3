package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/ringuid/ringuid/internal/lasting"
	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/uid"
)

func TestMain(m *testing.M) {
	uid.DefaultLayout.Epoch = lasting.Epoch(uid.DefaultLayout.Epoch, uid.DefaultLayout.End())
	goleak.VerifyTestMain(m)
}

func TestRunShowsWhatItStored(t *testing.T) {
	t.Setenv("DATABASE_URL", testserver.Postgres(t, testserver.Durable()).DSN())
	for range 2 {
		var out strings.Builder
		require.NoError(t, run(t.Context(), &out))
		assert.Regexp(t, `^(\d{17,}) tea\n\d{17,} coffee\n\d{17,} green tea instead of \d{17,}\n$`, out.String())
		words := strings.Fields(out.String())
		assert.Equal(t, words[0], words[len(words)-1])
	}
}
