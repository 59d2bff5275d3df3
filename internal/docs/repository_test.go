package docs

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/ringuid/ringuid/internal/testserver"
)

// workflow is what these tests look at of a file in .github/workflows.
type workflow struct {
	On          any               `yaml:"on"`
	Permissions map[string]string `yaml:"permissions"`
	Jobs        map[string]struct {
		RunsOn   string `yaml:"runs-on"`
		Timeout  int    `yaml:"timeout-minutes"`
		Strategy struct {
			Matrix struct {
				Target  []string            `yaml:"target"`
				Include []map[string]string `yaml:"include"`
			} `yaml:"matrix"`
		} `yaml:"strategy"`
		Steps []struct {
			Uses string `yaml:"uses"`
			Run  string `yaml:"run"`
		} `yaml:"steps"`
	} `yaml:"jobs"`
}

// matrixValue is how a step names what is another in each job of a matrix.
var matrixValue = regexp.MustCompile(`\$\{\{ matrix\.(\w+) \}\}`)

// commands are what a workflow runs, those of a matrix once for each job.
func (w workflow) commands() (all []string) {
	for _, j := range w.Jobs {
		jobs := j.Strategy.Matrix.Include
		for _, target := range j.Strategy.Matrix.Target {
			jobs = append(jobs, map[string]string{"target": target})
		}
		if len(jobs) == 0 {
			jobs = []map[string]string{nil}
		}
		for _, job := range jobs {
			for _, s := range j.Steps {
				all = append(all, matrixValue.ReplaceAllStringFunc(s.Run, func(value string) string {
					return job[matrixValue.FindStringSubmatch(value)[1]]
				}))
			}
		}
	}
	return all
}

func readWorkflow(t *testing.T, name string) (w workflow) {
	t.Helper()
	readYAML(t, ".github/workflows/"+name, &w)
	return w
}

func readYAML(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, into), name)
}

// madeBy are the targets that the lines of a shell give to make. Settings, as in
// FUZZTIME=5m, are none.
func madeBy(commands ...string) (all []string) {
	calls := regexp.MustCompile(`(?m)\bmake((?: +[\w=./$"-]+)+)`)
	for _, c := range commands {
		for _, call := range calls.FindAllStringSubmatch(c, -1) {
			for _, word := range strings.Fields(call[1]) {
				if !strings.ContainsAny(word, "=$") {
					all = append(all, word)
				}
			}
		}
	}
	return all
}

// targets are what the Makefile makes.
func targets(t *testing.T) (all []string) {
	t.Helper()
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	require.NoError(t, err)
	for _, m := range regexp.MustCompile(`(?m)^([a-z-]+):`).FindAllStringSubmatch(string(makefile), -1) {
		all = append(all, m[1])
	}
	require.Greater(t, len(all), 10)
	return all
}

func TestWorkflowsMakeWhatTheMakefileHas(t *testing.T) {
	there := targets(t)
	for _, name := range filesIn(t, ".github/workflows") {
		w := readWorkflow(t, name)
		assert.NotNil(t, w.On, name)
		made := madeBy(w.commands()...)
		assert.NotEmpty(t, made, name)
		for _, target := range made {
			assert.Contains(t, there, target, "make %s in .github/workflows/%s", target, name)
		}
	}
	ci, err := os.ReadFile(filepath.Join(root, ".ci", "run"))
	require.NoError(t, err)
	var must []string
	for _, m := range regexp.MustCompile(`(?m)^(?:run|beside) ([a-z].*)$`).FindAllSubmatch(ci, -1) {
		must = append(must, strings.Fields(string(m[1]))...)
	}
	require.Greater(t, len(must), 5, ".ci/run lists its targets")
	assert.Subset(t, madeBy(readWorkflow(t, "ci.yml").commands()...), must, "ci.yml makes what .ci/run makes")
}

// A token that may write, or an action that changes under us, is how a repository is
// taken over. A job without an end costs hours.
func TestWorkflowsMayDoLittle(t *testing.T) {
	pinned := regexp.MustCompile(`^[\w-]+(/[\w-]+)+@v\d+$`)
	for _, name := range filesIn(t, ".github/workflows") {
		w := readWorkflow(t, name)
		assert.Equal(t, map[string]string{"contents": "read"}, w.Permissions, "%s: what all jobs may do", name)
		for job, j := range w.Jobs {
			assert.Positive(t, j.Timeout, "%s: the minutes of %s", name, job)
			for _, s := range j.Steps {
				assert.NotEqual(t, s.Uses == "", s.Run == "", "%s: a step of %s runs something or uses something", name, job)
				if s.Uses != "" {
					assert.Regexp(t, pinned, s.Uses, name)
				}
			}
		}
	}
}

func TestOtherFilesForGitHubAreYAML(t *testing.T) {
	for _, name := range filesIn(t, ".github/ISSUE_TEMPLATE") {
		var form struct {
			Name, Description string
			Body              []struct{ Type string }
			Contact           []struct{ URL string } `yaml:"contact_links"`
		}
		readYAML(t, ".github/ISSUE_TEMPLATE/"+name, &form)
		if name == "config.yml" {
			assert.NotEmpty(t, form.Contact, name)
			continue
		}
		assert.NotEmpty(t, form.Name, name)
		assert.NotEmpty(t, form.Description, name)
		assert.NotEmpty(t, form.Body, name)
	}
}

// Dependabot is told each folder by name.
func TestDependabotLooksAtEachModule(t *testing.T) {
	var bot struct {
		Updates []struct {
			Ecosystem   string   `yaml:"package-ecosystem"`
			Directories []string `yaml:"directories"`
			Limit       *int     `yaml:"open-pull-requests-limit"`
		} `yaml:"updates"`
	}
	readYAML(t, ".github/dependabot.yml", &bot)
	var all, kept []string
	for _, u := range bot.Updates {
		if u.Ecosystem != "gomod" {
			continue
		}
		all = append(all, u.Directories...)
		if u.Limit != nil && *u.Limit == 0 {
			kept = append(kept, u.Directories...)
		}
	}
	assert.ElementsMatch(t, moduleFolders(t), all, ".github/dependabot.yml: directories of gomod")
	assert.ElementsMatch(t, moduleFolders(t, "--tagged"), kept, ".github/dependabot.yml: modules that are required stay at the oldest versions that serve")
}

// moduleFolders are those that scripts/modules.sh prints, as dependabot wants them.
func moduleFolders(t *testing.T, args ...string) (all []string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the script is for a Unix shell")
	}
	if _, err := exec.LookPath("bash"); err != nil {
		testserver.Missing(t, "bash", "apt-get install bash")
	}
	out, err := exec.Command(filepath.Join(root, "scripts", "modules.sh"), args...).Output()
	require.NoError(t, err)
	for _, module := range strings.Fields(string(out)) {
		all = append(all, path.Join("/", module))
	}
	return all
}

func TestWhatIsNotTaggedIsThere(t *testing.T) {
	script, err := os.ReadFile(filepath.Join(root, "scripts", "modules.sh"))
	require.NoError(t, err)
	untagged := regexp.MustCompile(`(?m)^untagged=\((.*)\)$`).FindSubmatch(script)
	require.NotNil(t, untagged)
	for _, module := range strings.Fields(string(untagged[1])) {
		assert.FileExists(t, filepath.Join(root, filepath.FromSlash(module), "go.mod"), "scripts/modules.sh names it")
	}
	assert.Contains(t, moduleFolders(t), "/tools")
	assert.NotContains(t, moduleFolders(t, "--tagged"), "/tools")
	assert.Contains(t, moduleFolders(t, "--tagged"), "/")
}

// repositoryPath is inline code that is a file or a folder of this repository.
var repositoryPath = regexp.MustCompile(`^[a-z.][\w.-]*(/[\w.-]+)+/?$`)

func TestPathsForContributorsExist(t *testing.T) {
	found := 0
	for _, name := range []string{"CONTRIBUTING.md", "RELEASING.md"} {
		for _, s := range readPage(t, name).sections {
			for _, w := range s.all() {
				for _, code := range w.spans {
					first, _, _ := strings.Cut(code.text, "/")
					if !repositoryPath.MatchString(code.text) || strings.HasSuffix(first, ".com") || notHere[code.text] {
						continue
					}
					found++
					_, err := os.Stat(filepath.Join(root, filepath.FromSlash(code.text)))
					assert.NoError(t, err, "%s:%d", name, code.line)
				}
			}
		}
	}
	assert.Positive(t, found)
}

// notHere look like paths of the repository and are something else.
var notHere = map[string]bool{"database/sql": true, "log/slog": true, "metrics/v0.2.0": true}

// filesIn are the names of the files in a folder.
func filesIn(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(dir)))
	require.NoError(t, err)
	for _, e := range entries {
		all = append(all, e.Name())
	}
	require.NotEmpty(t, all, dir)
	return all
}

func TestTargetsAreFoundInCommands(t *testing.T) {
	assert.Equal(t, []string{"test", "vuln"}, madeBy("make test vuln"))
	assert.Equal(t, []string{"fuzz", "bench-base"}, madeBy("make fuzz FUZZTIME=5m\nmake bench-base BASE=\"$BASE\" | tee x"))
	assert.Empty(t, madeBy("apt-get install -y make", "cmake x"))
	var w workflow
	require.NoError(t, yaml.Unmarshal([]byte(`
jobs:
  one: {strategy: {matrix: {target: [lint, cross]}}, steps: [{run: "make ${{ matrix.target }}"}]}
  two: {strategy: {matrix: {include: [{target: soak}, {target: fuzz, settings: FUZZTIME=5m}]}}, steps: [{run: "make ${{ matrix.target }} ${{ matrix.settings }}"}]}
`), &w))
	made := madeBy(w.commands()...)
	slices.Sort(made)
	assert.Equal(t, []string{"cross", "fuzz", "lint", "soak"}, made)
}
