package docs

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
	"go.uber.org/goleak"

	"github.com/ringuid/ringuid/internal/lasting"
	"github.com/ringuid/ringuid/uid"
)

// What a stand-in learns from its environment: where the real things are.
const (
	realUidbench = "RINGUID_DOCS_UIDBENCH"
	realGo       = "RINGUID_DOCS_GO"
	realMake     = "RINGUID_DOCS_MAKE"
	realRoot     = "RINGUID_DOCS_ROOT"
)

// standIns are the programs that this one is when it is started by their name.
var standIns = map[string]func(args []string) error{
	"uidbench": uidbench,
	"go":       goCommand,
	"make":     makeCommand,
	"jq":       jq,
	"mysql":    mysql,
}

func TestMain(m *testing.M) {
	uid.DefaultLayout.Epoch = lasting.Epoch(uid.DefaultLayout.Epoch, uid.DefaultLayout.End())
	if standIn, ok := standIns[filepath.Base(os.Args[0])]; ok {
		os.Exit(codeOf(standIn(os.Args[1:])))
	}
	goleak.VerifyTestMain(m)
}

// codeOf says what is wrong, but for what a real program has said already.
func codeOf(err error) int {
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return exit.ExitCode()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// passOn runs the real program in place of its stand-in.
func passOn(dir, path string, args ...string) error {
	cmd := exec.Command(path, args...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, os.Stdin, os.Stdout, os.Stderr
	return cmd.Run()
}

func uidbench(args []string) error {
	return passOn("", os.Getenv(realUidbench), shortened("uidbench", args)...)
}

// makeCommand looks whether make knows what it is to do, and whether the benchmarks
// that it is to run exist. It makes nothing: a test would run all tests.
func makeCommand(args []string) error {
	for _, arg := range args {
		if pattern, ok := strings.CutPrefix(arg, "BENCH="); ok {
			if _, err := functions(os.Getenv(realRoot), []string{"./..."}, "Benchmark", pattern); err != nil {
				return err
			}
		}
	}
	dry := exec.Command(os.Getenv(realMake), append([]string{"-n"}, args...)...)
	dry.Dir, dry.Stderr = os.Getenv(realRoot), os.Stderr
	return dry.Run()
}

// jq does what is asked of it in examples: it prints one value of each JSON text.
func jq(args []string) error {
	in, err := io.ReadAll(os.Stdin)
	if err != nil || len(args) != 1 {
		return fmt.Errorf("jq %q is more than its stand-in knows: %w", args, err)
	}
	path := strings.NewReplacer("[", ".", "]", "").Replace(strings.TrimLeft(args[0], "."))
	path = strings.Trim(path, ".")
	value := gjson.GetBytes(in, path)
	if !gjson.ValidBytes(in) || !value.Exists() {
		return fmt.Errorf("jq: no %s in %s", args[0], in)
	}
	_, err = fmt.Println(value)
	return err
}

// mysql is a client that prints a column of ids.
func mysql([]string) error {
	_, err := fmt.Println("538815673191686144\n538815673191686145")
	return err
}
