package uid

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A copied Stream gives ids twice, and nobody but vet can say so.
func TestVetComplainsAboutCopies(t *testing.T) {
	const file = "testdata/copies/copies.go"
	source, err := os.ReadFile(file)
	require.NoError(t, err)
	var want []string
	for i, line := range bytes.Split(source, []byte("\n")) {
		if bytes.HasSuffix(line, []byte("// *")) {
			want = append(want, fmt.Sprint(i+1))
		}
	}
	out, err := exec.CommandContext(t.Context(), "go", "vet", "-copylocks",
		"./testdata/copies").CombinedOutput()
	assert.Error(t, err)
	var got []string
	for _, m := range regexp.MustCompile(`copies\.go:(\d+):`).FindAllStringSubmatch(string(out), -1) {
		got = append(got, m[1])
	}
	assert.Equal(t, want, got, "%s", out)
}
