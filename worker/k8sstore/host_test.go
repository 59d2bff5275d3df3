package k8sstore

import (
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/rest"
)

// No error shows the password of a Host that cannot be read.
func TestAHostThatCannotBeReadIsNotShown(t *testing.T) {
	for _, host := range []string{"https://uid:hunter2@localhost:x", "uid:hunter2@localhost/path"} {
		s, _ := New(&rest.Config{Host: host}, Options{})
		_, err := s.Check(t.Context())
		require.Error(t, err)
		require.NotContains(t, err.Error(), "hunter2")
		require.ErrorContains(t, err, "rest.Config.Host cannot be read")
	}
}
