package arch

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The hammer, the mutants and the simulations leave out much, or all, under the race
// detector. Make test runs them without it by their names: one that the Makefile does not
// have would be a proof that nobody runs.
func TestWhatTheRaceDetectorLeavesOutIsRunWithoutIt(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	require.NoError(t, err)
	setting := func(name string) string {
		found := regexp.MustCompile(`(?m)^` + name + ` +:= (.*)$`).FindSubmatch(makefile)
		require.NotNil(t, found, "%s in the Makefile", name)
		return string(found[1])
	}
	packages := strings.Fields(setting("COUNTED"))
	names := regexp.MustCompile(setting("COUNTS") + "|" + setting("CLUSTERED"))
	asks, found := regexp.MustCompile(`\brace\.[A-Z]`), 0
	for dir, functions := range functionsOfTests(t) {
		var through []string // functions that ask for the race detector
		for name, code := range functions {
			if asks.MatchString(code) {
				through = append(through, name)
			}
		}
		if through == nil {
			continue
		}
		uses := regexp.MustCompile(`\b(` + strings.Join(through, "|") + `)\(`)
		for name, code := range functions {
			if strings.HasPrefix(name, "Test") && uses.MatchString(code) {
				found++
				assert.Contains(t, packages, dir, "COUNTED in the Makefile")
				assert.Regexp(t, names, name, "COUNTS, or CLUSTERED, in the Makefile")
			}
		}
	}
	assert.Positive(t, found)
}

var function = regexp.MustCompile(`(?ms)^func (\w+)\(.*?^}`)

// functionsOfTests are those in files of tests, by folder and name.
func functionsOfTests(t *testing.T) map[string]map[string]string {
	all := map[string]map[string]string{}
	err := filepath.WalkDir("../..", func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		code, err := os.ReadFile(path)
		dir := "." + strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "../..")
		if all[dir] == nil {
			all[dir] = map[string]string{}
		}
		for _, f := range function.FindAllStringSubmatch(string(code), -1) {
			all[dir][f[1]] = f[0]
		}
		return err
	})
	require.NoError(t, err)
	return all
}
