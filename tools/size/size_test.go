package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A repository with a file in a room of its own, one below it, a test and a line too long.
func TestSize(t *testing.T) {
	root := t.TempDir()
	git := exec.Command("git", "init", "--quiet")
	git.Dir = root
	if out, err := git.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, text := range map[string]string{
		"go.mod":             "module m\n",
		"tools/go.mod":       "module t\n",
		"scripts/modules.sh": "#!/bin/sh\necho .\n",
		"docs/page.md":       "one\ntwo\n",
		"docs/page.zh_cn.md": "one\n",
		"uid/id.go": "package uid\n\ntype ID int64\n\nfunc (ID) Text() string { return \"\" " +
			"}\n",
		"uid/id_test.go":      "package uid\n",
		"uid/testdata/x/x.go": "package x // " + strings.Repeat("x", 100) + "\n",
		"worker/store/s.go":   "package store\n\ntype S interface{ Do() }\n\ntype t struct{ X int }\n",
	} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr strings.Builder
	if code := run(root, &stdout, &stderr); code != 1 {
		t.Errorf("exit code %d with a line too long", code)
	}
	if want := "uid/testdata/x/x.go:1: more than 100 columns\n"; stderr.String() != want {
		t.Errorf("stderr is %q, want %q", stderr.String(), want)
	}
	got := make(map[string][]string)
	for line := range strings.Lines(stdout.String()) {
		fields := strings.Fields(line)
		got[fields[0]] = fields[1:]
	}
	for name, want := range map[string]string{
		"uid":          "6 3400 1 2 130",
		"worker/store": "5 350 0 2 20",
		"modules": "with a version: 1 of 8, and 1 without; flags of uidbench: 0 of 120; lines of " +
			"docs: 2 of 2000",
	} {
		if strings.Join(got[name], " ") != want {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
}
