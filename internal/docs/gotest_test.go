package docs

import (
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// goCommand stands in for the go command.
func goCommand(args []string) error {
	switch {
	case len(args) > 1 && args[0] == "run" && args[1] == "./cmd/uidbench":
		return uidbench(args[2:])
	case len(args) > 0 && args[0] == "run":
		return passOn(os.Getenv(realRoot), os.Getenv(realGo), shortened("go", args)...)
	case len(args) > 0 && args[0] == "test":
		return goTest(args[1:])
	}
	return fmt.Errorf("go %s: its stand-in knows `go run` and `go test`", strings.Join(args, " "))
}

// goTest looks whether go test knows its flags and packages, and whether there are
// tests and benchmarks of the names that it is to run. For each benchmark it prints a
// line as if that had been run.
func goTest(args []string) error {
	flags := flag.NewFlagSet("go test", flag.ContinueOnError)
	run, bench := flags.String("run", "", ""), flags.String("bench", "", "")
	folder, count := flags.String("C", ".", ""), flags.Int("count", 1, "")
	for _, name := range []string{"benchtime", "timeout", "seed"} {
		flags.String(name, "", "")
	}
	for _, name := range []string{"race", "v", "short", "benchmem"} {
		flags.Bool(name, false, "")
	}
	packages, err := parseMixed(flags, args)
	if err != nil {
		return err
	}
	dry := exec.Command(os.Getenv(realGo), append([]string{"test", "-n"}, args...)...)
	if *folder != "." { // go test wants its -C first
		dry.Args = append([]string{os.Getenv(realGo), "test"}, append(args[:len(args):len(args)], "-n")...)
	}
	dry.Dir = os.Getenv(realRoot)
	if out, err := dry.CombinedOutput(); err != nil {
		return fmt.Errorf("go test %s: %w\n%s", strings.Join(args, " "), err, lastLines(string(out)))
	}
	top := filepath.Join(os.Getenv(realRoot), *folder)
	if *run != "" && *run != "^$" {
		if _, err := functions(top, packages, "Test|Example|Fuzz", *run); err != nil {
			return err
		}
	}
	if *bench == "" {
		return nil
	}
	names, err := functions(top, packages, "Benchmark", *bench)
	for range *count {
		for _, name := range names {
			fmt.Println(name, 1, 1, "ns/op")
		}
	}
	return err
}

// parseMixed reads flags before and behind the packages.
func parseMixed(flags *flag.FlagSet, args []string) (packages []string, err error) {
	for len(args) > 0 {
		if err := flags.Parse(args); err != nil {
			return nil, fmt.Errorf("%w: add it to goTest in internal/docs", err)
		}
		if args = flags.Args(); len(args) > 0 {
			packages, args = append(packages, args[0]), args[1:]
		}
	}
	return packages, nil
}

func lastLines(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-5):], "\n")
}

// function is how a test, an example, a benchmark or a fuzz target begins.
var function = regexp.MustCompile(`(?m)^func ((?:Test|Example|Benchmark|Fuzz)\w*)\(`)

// functions are those of a kind in the packages whose names a pattern, as go test
// reads it, has. None at all is an error.
func functions(top string, packages []string, kind, pattern string) (all []string, err error) {
	pattern, _, _ = strings.Cut(pattern, "/")
	name, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	ofKind := regexp.MustCompile(`^(` + kind + `)`)
	for _, p := range packages {
		dir, below := strings.CutSuffix(p, "...")
		in, err := functionsIn(filepath.Join(top, dir), below)
		if err != nil {
			return nil, err
		}
		for _, f := range in {
			if ofKind.MatchString(f) && name.MatchString(f) {
				all = append(all, f)
			}
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("there is no %s of the name %s in %s", kind, pattern, strings.Join(packages, ", "))
	}
	return all, nil
}

// functionsIn are those of the test files in a folder, or also of the folders below
// it that belong to the same module.
func functionsIn(dir string, below bool) (all []string, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != dir:
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil || !below {
				return fs.SkipDir
			}
		case strings.HasSuffix(path, "_test.go"):
			source, err := os.ReadFile(path)
			for _, f := range function.FindAllStringSubmatch(string(source), -1) {
				all = append(all, f[1])
			}
			return err
		}
		return nil
	})
	slices.Sort(all)
	return slices.Compact(all), err
}

func TestNamesOfTestsAreLookedUpAsGoTestReadsThem(t *testing.T) {
	here, err := functions(".", []string{"."}, "Test", "TestNames.*ThemX?/with a subtest")
	require.NoError(t, err)
	assert.Equal(t, []string{t.Name()}, here)
	_, err = functions("..", []string{"./..."}, "Benchmark", "^"+t.Name())
	assert.ErrorContains(t, err, "there is no Benchmark of the name")

	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	verbose := flags.Bool("v", false, "")
	packages, err := parseMixed(flags, []string{"./a", "-v", "./b"})
	require.NoError(t, err)
	assert.Equal(t, []string{"./a", "./b"}, packages)
	assert.True(t, *verbose)
}
