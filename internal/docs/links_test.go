package docs

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	heading    = regexp.MustCompile(`(?m)^#+ (.*)$`)
	inlineCode = regexp.MustCompile("`[^`]+`")
	link       = regexp.MustCompile(`\]\(([^)\s]+)\)`) // or a picture
	label      = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	target     = regexp.MustCompile("(?m)(?:^|`)make ([a-z-]+)")
	runOfTests = regexp.MustCompile(`(?m)go test (?:-race )?(\./.*?) -run '?([^ ']+)`)
)

// links are where those of a page lead.
func (p page) links() (all []string) {
	text := inlineCode.ReplaceAllString(fence.ReplaceAllString(p.text, ""), "code")
	for _, l := range link.FindAllStringSubmatch(text, -1) {
		all = append(all, l[1])
	}
	return all
}

// anchors are what a link may name behind #, as GitHub makes them of the headings.
func (p page) anchors() map[string]bool {
	all := map[string]bool{"": true}
	for _, h := range heading.FindAllStringSubmatch(fence.ReplaceAllString(p.text, ""), -1) {
		base := strings.Map(func(r rune) rune {
			switch {
			case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
				return unicode.ToLower(r)
			case r == ' ':
				return '-'
			}
			return -1
		}, label.ReplaceAllString(h[1], "$1"))
		anchor := base
		for n := 1; all[anchor]; n++ { // the second of a name is name-1
			anchor = base + "-" + strconv.Itoa(n)
		}
		all[anchor] = true
	}
	return all
}

func TestLinksLeadSomewhere(t *testing.T) {
	all := map[string]page{}
	for _, p := range pages(t) {
		all[p.name] = p
	}
	links := 0
	for _, p := range all {
		for _, l := range p.links() {
			if strings.Contains(l, "://") {
				continue
			}
			links++
			file, anchor, _ := strings.Cut(l, "#")
			target := p.name
			if file != "" {
				target = path.Join(path.Dir(p.name), file)
			}
			_, err := os.Stat(filepath.Join(root, filepath.FromSlash(target)))
			assert.NoError(t, err, "%s: a link to %s", p.name, l)
			if to, ok := all[target]; ok {
				assert.True(t, to.anchors()[anchor], "%s: no heading makes %s", p.name, l)
			}
		}
	}
	assert.Greater(t, links, 30)
}

// Each target that the page names is there, and each part of a pattern matches a test in each
// of its packages.
func TestTheCommandsOfTheEvidenceAreThere(t *testing.T) {
	makefile, p := readPage(t, "Makefile"), readPage(t, "docs/evidence.md")
	for _, m := range target.FindAllStringSubmatch(p.text, -1) {
		assert.True(t, strings.Contains(makefile.text, "\n"+m[1]+":"), "make %s", m[1])
	}
	commands := runOfTests.FindAllStringSubmatch(p.text, -1)
	assert.Greater(t, len(commands), 8)
	for _, m := range commands {
		for folder := range strings.FieldsSeq(m[1]) {
			files, err := filepath.Glob(filepath.Join(root, folder, "*_test.go"))
			require.NoError(t, err)
			source := ""
			for _, file := range files {
				text, err := os.ReadFile(file)
				require.NoError(t, err)
				source += string(text)
			}
			for part := range strings.SplitSeq(m[2], "|") {
				name, _, _ := strings.Cut(strings.TrimPrefix(part, "Test"), "/") // else a subtest's
				found, err := regexp.MatchString(`\nfunc Test\w*`+name, source)
				assert.True(t, found && err == nil, "%s in %s", part, folder)
			}
		}
	}
}
