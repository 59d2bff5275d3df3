package docs

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// root is the repository, seen from here.
const root = "../.."

// page is a file of Markdown, cut at its headings.
type page struct {
	name     string // below root
	sections []*section
}

// section is what stands below a heading, up to the next one of any level.
type section struct {
	title  string // "" above the first heading
	level  int
	blocks []block
	tables []table
	prose  words // all the rest, and the heading
}

// block is code with lines of its own.
type block struct {
	language string
	text     string
	line     int
}

// table has a row of words for the header, and one for each row below it.
type table [][]*words

// words are text, and what stands out in it.
type words struct {
	text  string // without code
	spans []span // inline code
	links []span // where links and pictures lead
}

type span struct {
	text string
	line int
}

// readPage reads a page of the repository.
func readPage(t *testing.T, name string) page {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(root, name))
	require.NoError(t, err)
	return parsePage(name, source)
}

func parsePage(name string, source []byte) page {
	r := reader{source: source, page: page{name: name, sections: []*section{{}}}}
	r.words = &r.last().prose
	tree := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser().Parse(text.NewReader(source))
	_ = ast.Walk(tree, r.visit) // visit returns no error
	return r.page
}

// reader fills a page from its tree.
type reader struct {
	source []byte
	page   page
	words  *words // where text goes
}

func (r *reader) last() *section { return r.page.sections[len(r.page.sections)-1] }

func (r *reader) visit(n ast.Node, enters bool) (ast.WalkStatus, error) {
	if !enters {
		if n.Kind() == east.KindTable {
			r.words = &r.last().prose
		}
		return ast.WalkContinue, nil
	}
	switch n := n.(type) {
	case *ast.Heading:
		r.page.sections = append(r.page.sections, &section{level: n.Level, title: string(r.inner(n))})
		r.words = &r.last().prose
	case *ast.FencedCodeBlock:
		r.block(string(n.Language(r.source)), n)
	case *ast.CodeBlock:
		r.block("", n)
	case *east.Table:
		r.last().tables = append(r.last().tables, nil)
	case *east.TableHeader, *east.TableRow:
		t := &r.last().tables[len(r.last().tables)-1]
		*t = append(*t, nil)
	case *east.TableCell:
		t := r.last().tables[len(r.last().tables)-1]
		r.words = &words{}
		t[len(t)-1] = append(t[len(t)-1], r.words)
	case *ast.CodeSpan:
		code := strings.Join(strings.Fields(string(r.inner(n))), " ")
		r.words.spans = append(r.words.spans, span{code, r.line(n)})
		return ast.WalkSkipChildren, nil
	case *ast.Link:
		r.words.links = append(r.words.links, span{string(n.Destination), r.line(n)})
	case *ast.Image:
		r.words.links = append(r.words.links, span{string(n.Destination), r.line(n)})
	case *ast.Text:
		r.words.text += string(n.Segment.Value(r.source)) + " "
	}
	return ast.WalkContinue, nil
}

func (r *reader) block(language string, n ast.Node) {
	var code bytes.Buffer
	lines := n.Lines()
	for i := range lines.Len() {
		line := lines.At(i)
		code.Write(line.Value(r.source))
	}
	b := block{language: language, text: code.String()}
	if lines.Len() > 0 {
		b.line = r.lineAt(lines.At(0).Start)
	}
	r.last().blocks = append(r.last().blocks, b)
}

// inner is the text inside a node.
func (r *reader) inner(n ast.Node) (all []byte) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			all = append(all, t.Segment.Value(r.source)...)
			continue
		}
		all = append(all, r.inner(c)...)
	}
	return all
}

// line is where in the page the text inside a node begins; 0: it has none.
func (r *reader) line(n ast.Node) int {
	for c := n.FirstChild(); c != nil; c = c.FirstChild() {
		if t, ok := c.(*ast.Text); ok {
			return r.lineAt(t.Segment.Start)
		}
	}
	return 0
}

func (r *reader) lineAt(offset int) int { return 1 + bytes.Count(r.source[:offset], []byte("\n")) }

// all are the words of a section, those of its tables too.
func (s *section) all() []*words {
	all := []*words{&s.prose}
	for _, t := range s.tables {
		for _, row := range t {
			all = append(all, row...)
		}
	}
	return all
}

// pages are the files of Markdown that match a pattern below root.
func pages(t *testing.T, patterns ...string) (all []page) {
	t.Helper()
	for _, pattern := range patterns {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		require.NoError(t, err)
		require.NotEmpty(t, found, pattern)
		for _, path := range found {
			name, err := filepath.Rel(root, path)
			require.NoError(t, err)
			all = append(all, readPage(t, filepath.ToSlash(name)))
		}
	}
	return all
}
