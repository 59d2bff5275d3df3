package storeurl

import (
	"context"
	"net"
	"testing"
	"testing/synctest"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A server that takes connections and never says a word keeps no command waiting for good.
func TestAMySQLThatNeverAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		defer theirs.Close()
		mysql.RegisterDialContext("tcp", func(context.Context, string) (net.Conn, error) {
			return ours, nil
		})
		defer mysql.DeregisterDialContext("tcp")
		s, err := Open("mysql://uid@db/uid", "")
		require.NoError(t, err)
		defer s.Close()
		_, err = s.Table.Nodes(t.Context(), 1)
		assert.Error(t, err)
	})
}
