package testserver

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPgBouncer(t *testing.T) {
	db := Postgres(t)
	pooler := PgBouncer(t, db.Addr(), Args("pool_mode = transaction"))
	require.NoError(t, pooler.Ping())
	assert.Contains(t, pooler.DSN(), pooler.Addr())
	assert.NotEqual(t, db.Addr(), pooler.Addr())
	pooler.Kill()
	require.Error(t, pooler.Ping())
	pooler.Start()
	require.NoError(t, pooler.Ping())
	pooler.Stop()
	require.NoError(t, db.Ping(), "the server itself goes on")
}
