package main

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/k8sstore"
)

// asService has the test binary be the service.
const asService = "UID_TEST_AS_SERVICE"

func TestMain(m *testing.M) {
	if os.Getenv(asService) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// What the page's Deployment may do is what an error of the store tells to allow.
func TestTheRoleIsTheOneThatErrorsPrint(t *testing.T) {
	var role, printed map[string]any
	documents := strings.Split(read(t, "deployment.yaml"), "\n---\n")
	require.NoError(t, yaml.Unmarshal([]byte(documents[1]), &role))
	require.NoError(t, yaml.Unmarshal([]byte(k8sstore.Role("shop")), &printed))
	assert.Equal(t, printed["rules"], role["rules"])
}

func read(t *testing.T, file string) string {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(text)
}

func TestOutsideOfACluster(t *testing.T) {
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	err := run(t.Context(), []string{"-listen", "127.0.0.1:0"}, io.Discard)
	require.ErrorIs(t, err, worker.ErrStore)
	require.False(t, errors.Is(err, context.Canceled))
	err = run(t.Context(), []string{"-kubeconfig", "not-there"}, io.Discard)
	require.ErrorContains(t, err, "not-there")
}
