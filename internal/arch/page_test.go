package arch

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const page = "../../docs/architecture.md"

// notInTheTable import what users import, or have tests alone.
var notInTheTable = regexp.MustCompile(`^(examples|bench/rivals)(/|$)`)

// head is one of the first two lines of a table.
var head = regexp.MustCompile(`^\| package \||^\|-`)

// row is any other line: a package, what it is, and its imports; or more imports of the one above.
var row = regexp.MustCompile("^\\| (?:`([^`]+)` \\| [^|]+|\\|) \\|([^|]*)\\|$")

func TestTheArchitecturePageHasEachPackageAndItsImports(t *testing.T) {
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	described, name := map[string][]string{}, ""
	for _, line := range strings.Split(string(text), "\n") {
		m := row.FindStringSubmatch(line)
		if m == nil {
			assert.False(t, strings.HasPrefix(line, "|") && !head.MatchString(line), "no package: %s", line)
		} else {
			if m[1] != "" {
				name = m[1]
				assert.NotContains(t, described, name, "twice in the tables")
				described[name] = []string{}
			}
			described[name] = append(described[name], strings.Fields(strings.ReplaceAll(m[2], "`", ""))...)
		}
	}
	for _, name := range []string{"ringbuffer", "padding", "policy", "worker"} {
		for _, other := range []string{"ringbuffer", "padding", "policy", "worker", "uid"} {
			assert.NotContains(t, described[name], other, "what %s imports: uid puts them together", name)
		}
	}
	for _, p := range list(t, module+"...") {
		name := strings.TrimPrefix(p.ImportPath, module)
		if notInTheTable.MatchString(name) || len(p.GoFiles) == 0 || onlyDoc(p) {
			continue
		}
		has := []string{}
		for _, dep := range p.Imports {
			if dep, ours := strings.CutPrefix(dep, module); ours {
				has = append(has, dep)
			}
		}
		slices.Sort(has)
		if assert.Contains(t, described, name, "docs/architecture.md") {
			assert.Equal(t, has, described[name], "docs/architecture.md: what %s imports", name)
		}
		delete(described, name)
	}
	assert.Empty(t, described, "docs/architecture.md has packages that are not there")
}

// onlyDoc packages consist of their comment, and of tests.
func onlyDoc(p pkg) bool {
	return len(p.GoFiles) == 1 && p.GoFiles[0] == "doc.go" && len(p.Imports) == 0
}

// sentinel is the declaration of one, with the text that a log shows of it.
var sentinel = regexp.MustCompile(`(Err\w+) += errors\.New\("\w+: (.*)"\)`)

func TestOperatorsFindEachErrorByItsText(t *testing.T) {
	page, err := os.ReadFile("../../docs/operations.md")
	require.NoError(t, err)
	text, found := strings.Join(strings.Fields(string(page)), " "), 0
	for _, file := range []string{"uid/errors.go", "worker/errors.go", "worker/store/text.go"} {
		source, err := os.ReadFile("../../" + file)
		require.NoError(t, err)
		for _, m := range sentinel.FindAllStringSubmatch(string(source), -1) {
			found++
			assert.Contains(t, text, m[1]+"`", "docs/operations.md")
			assert.Contains(t, text, `"`+m[2]+`"`, "docs/operations.md: the text of %s", m[1])
		}
	}
	assert.Greater(t, found, 20)
}
