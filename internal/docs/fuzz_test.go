package docs

import (
	"io/fs"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// OSS-Fuzz's compiler and go get have stand-ins here.
func TestOSSFuzzBuildsEveryTarget(t *testing.T) {
	var want []string
	target := regexp.MustCompile(`(?m)^func (Fuzz\w+)`)
	require.NoError(t, filepath.WalkDir(root, func(file string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, "_test.go") {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(file, filepath.Clean(root)))
		for _, m := range target.FindAllStringSubmatch(readPage(t, name).text, -1) {
			want = append(want, ours+path.Dir(name)+" "+m[1])
		}
		return nil
	}))
	build := exec.Command("bash", "-c", `go() { :; }; compile_native_go_fuzzer() { echo "$1 $2"; }
		export -f go compile_native_go_fuzzer; scripts/oss-fuzz/build.sh`)
	build.Dir = root
	out, err := build.Output()
	require.NoError(t, err)
	assert.ElementsMatch(t, want, strings.Split(strings.TrimSpace(string(out)), "\n"))
}
