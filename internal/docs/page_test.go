package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// root is the repository, seen from here.
const root = "../.."

// page is a file of Markdown.
type page struct {
	name string // below root, with slashes
	text string
}

// pages are all that there are, and llms.txt, which is Markdown for programs.
func pages(t *testing.T) (all []page) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		hidden := strings.HasPrefix(d.Name(), ".") && file != root
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || hidden):
			return fs.SkipDir
		case strings.HasSuffix(file, ".md") || d.Name() == "llms.txt":
			name, err := filepath.Rel(root, file)
			if err != nil {
				return err
			}
			all = append(all, readPage(t, filepath.ToSlash(name)))
		}
		return nil
	}))
	return all
}

func readPage(t *testing.T, name string) page {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	require.NoError(t, err)
	return page{name, string(text)}
}

// fence is code with lines of its own: its language, and its text.
var fence = regexp.MustCompile("(?ms)^ *```(\\w*)\n(.*?)^ *```$")

// wholeProgram begins what can be compiled as it stands.
const wholeProgram = "package main\n"

// programs are the whole programs of a page.
func (p page) programs() (all []string) {
	for _, block := range fence.FindAllStringSubmatch(p.text, -1) {
		if block[1] == "go" && strings.HasPrefix(block[2], wholeProgram) {
			all = append(all, block[2])
		}
	}
	return all
}

// blocks are those of a language.
func (p page) blocks(language string) (all []string) {
	for _, block := range fence.FindAllStringSubmatch(p.text, -1) {
		if block[1] == language {
			all = append(all, block[2])
		}
	}
	return all
}

// block is the first of a language.
func (p page) block(language string) string { return p.blocks(language)[0] }
