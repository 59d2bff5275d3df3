package docs

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// allPages are the files of Markdown that there are.
func allPages(t *testing.T) (all []page) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && file != root):
			return fs.SkipDir
		case strings.HasSuffix(file, ".md"):
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

// anchors are what a link may name behind #, as GitHub makes them of the headings.
func (p page) anchors() map[string]bool {
	all := map[string]bool{"": true}
	for _, s := range p.sections[1:] {
		base := strings.Map(func(r rune) rune {
			switch {
			case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
				return unicode.ToLower(r)
			case r == ' ':
				return '-'
			}
			return -1
		}, s.title)
		anchor := base
		for n := 1; all[anchor]; n++ { // the second of a name is name-1
			anchor = base + "-" + strconv.Itoa(n)
		}
		all[anchor] = true
	}
	return all
}

func TestLinksLeadSomewhere(t *testing.T) {
	all := allPages(t)
	pages := map[string]page{}
	for _, p := range all {
		pages[p.name] = p
	}
	links := 0
	for _, p := range all {
		for _, s := range p.sections {
			for _, w := range s.all() {
				for _, l := range w.links {
					if strings.Contains(l.text, "://") {
						continue
					}
					links++
					file, anchor, _ := strings.Cut(l.text, "#")
					target := p.name
					if file != "" {
						target = path.Join(path.Dir(p.name), file)
					}
					_, err := os.Stat(filepath.Join(root, filepath.FromSlash(target)))
					assert.NoError(t, err, "%s:%d: a link to nowhere", p.name, l.line)
					if to, ok := pages[target]; ok {
						assert.True(t, to.anchors()[anchor], "%s:%d: no heading of %s makes #%s", p.name, l.line, target, anchor)
					}
				}
			}
		}
	}
	assert.Greater(t, links, 30)
}

func TestAnchorsAreThoseOfGitHub(t *testing.T) {
	p := parsePage("", []byte("# What is *it*, `then`?\n## a/b: c\n## 选择 layout\n## twice\n## twice\n"))
	assert.Equal(t, map[string]bool{"": true, "what-is-it-then": true, "ab-c": true, "选择-layout": true, "twice": true, "twice-1": true}, p.anchors())
}
