package preset

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCompatibilityNamesTestsThatExist(t *testing.T) {
	page, err := os.ReadFile("../docs/compatibility.md")
	require.NoError(t, err)
	var tests strings.Builder
	require.NoError(t, filepath.WalkDir("..", func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		tests.Write(source)
		return err
	}))
	names := regexp.MustCompile("`((Test|Example)\\w*)`").FindAllStringSubmatch(string(page), -1)
	require.NotEmpty(t, names)
	for _, name := range names {
		assert.True(t, strings.Contains(tests.String(), "\nfunc "+name[1]+"("), name[1])
	}
}
