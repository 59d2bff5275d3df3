package demo

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func parse(args ...string) (Database, error) {
	return ParseDatabase(flag.NewFlagSet("shop", flag.ContinueOnError), args, "sqlite", "pgx")
}

func TestSQLiteNeedsNoFlags(t *testing.T) {
	d, err := parse()
	require.NoError(t, err)
	assert.Equal(t, "sqlite", d.Driver)
	assert.Contains(t, d.DSN, filepath.ToSlash(filepath.Join(os.TempDir(), "ringuid-shop.db")))
}

func TestWrongFlagsSayWhatToTypeInstead(t *testing.T) {
	for want, args := range map[string][]string{
		"-driver pgx -dsn 'postgres://":      {"-driver", "pgx"},
		"it may be sqlite or pgx":            {"-driver", "mysql", "-dsn", "x"},
		"flag provided but not defined: -d;": {"-d"},
		"there are no arguments":             {"now"},
	} {
		_, err := parse(args...)
		require.ErrorIs(t, err, ErrUsage)
		assert.ErrorContains(t, err, want)
		assert.Equal(t, 2, code(err))
	}
}

func TestExitCodes(t *testing.T) {
	assert.Equal(t, 0, code(nil))
	assert.Equal(t, 0, code(flag.ErrHelp))
	assert.Equal(t, 1, code(errors.New("no such database")))
}
