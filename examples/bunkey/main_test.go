package main

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/ringuid/ringuid/examples/internal/databases"
	"github.com/ringuid/ringuid/examples/internal/demo"
	"github.com/ringuid/ringuid/internal/lasting"
	"github.com/ringuid/ringuid/uid"
)

func TestMain(m *testing.M) {
	uid.DefaultLayout.Epoch = lasting.Epoch(uid.DefaultLayout.Epoch, uid.DefaultLayout.End())
	goleak.VerifyTestMain(m)
}

func TestRunShowsWhatItStored(t *testing.T) {
	databases.Each(t, []string{"sqlite", "pgx"}, func(t *testing.T, d demo.Database) {
		for range 2 {
			var out strings.Builder
			require.NoError(t, run(context.Background(), []string{"-driver", d.Driver, "-dsn", d.DSN}, &out))
			assert.Regexp(t, `^(\d{17,}) tea\n\d{17,} coffee\n\d{17,} green tea instead of \d{17,}\n$`, out.String())
			words := strings.Fields(out.String())
			assert.Equal(t, words[0], words[len(words)-1])
		}
	})
}
