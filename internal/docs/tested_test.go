package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// untested is what a cell says that has no test.
const untested = "not tested"

// suiteTest is a test of the suite that every store passes, as pages name it. Those of
// some stores are run where the store has what they are about.
var suiteTest = regexp.MustCompile("storetest `([^`]+)`")

// suite are the tests of storetest, by name; true: each store is given them.
func suite(t *testing.T) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	entry := regexp.MustCompile(`^(\t+)(?:suite = append\(suite, testCase)?\{"([^"]+)", `)
	for _, file := range []string{"storetest.go", "byhand.go"} {
		text, err := os.ReadFile(filepath.Join(root, "worker", "storetest", file))
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			if m := entry.FindStringSubmatch(line); m != nil {
				all[m[2]] = !strings.Contains(line, "append")
			}
		}
	}
	require.Greater(t, len(all), 40)
	return all
}

// tested reports whether a cell names a test, and one that every store passes.
func (w *words) tested(suite map[string]bool) (anywhere, everywhere bool) {
	for _, s := range w.spans {
		every, known := suite[s.text]
		anywhere = anywhere || known || testName.MatchString(s.text)
		everywhere = everywhere || every
	}
	return anywhere, everywhere
}

// unproved are the rows of tables of a page's section that do not name, in the column
// "test", what shows them; or that claim a test on every store and name none of storetest.
func unproved(s *section, suite map[string]bool) (all []string) {
	for _, table := range s.tables {
		test, stores := column(table, "test"), column(table, "stores")
		if test < 0 || stores < 0 {
			all = append(all, fmt.Sprintf("a table of %q has no column test, or none of stores", s.title))
			continue
		}
		for _, row := range table[1:] {
			of := strings.TrimSpace(row[0].text)
			for _, name := range row[test].spans {
				if _, known := suite[name.text]; !known && !testName.MatchString(name.text) {
					all = append(all, of+": there is no test "+name.text)
				}
			}
			switch anywhere, everywhere := row[test].tested(suite); {
			case !anywhere:
				all = append(all, of+": no test")
			case strings.TrimSpace(row[stores].text) == "":
				all = append(all, of+": on which stores?")
			case strings.HasPrefix(row[stores].text, "every") && !everywhere:
				all = append(all, of+": no test of storetest that each store is given")
			}
		}
	}
	return all
}

// untold are the cells, but for those of the first column, that neither name a test nor
// say that there is none. Those that are empty are about nothing.
func untold(s *section, suite map[string]bool) (all []string) {
	for _, table := range s.tables {
		for _, row := range table[1:] {
			for i, cell := range row[1:] {
				empty := cell.text == "" && len(cell.spans) == 0
				if named, _ := cell.tested(suite); !empty && !named && !strings.Contains(cell.text, untested) {
					all = append(all, fmt.Sprintf("%s, column %d", strings.TrimSpace(row[0].text), i+2))
				}
			}
		}
	}
	return all
}

// column is the one with a header; -1: there is none.
func column(t table, header string) int {
	for i, w := range t[0] {
		if strings.TrimSpace(w.text) == header {
			return i
		}
	}
	return -1
}

// titled is the one section of a page with a title.
func titled(t *testing.T, p page, title string) *section {
	t.Helper()
	var found []*section
	for _, s := range p.sections {
		if s.title == title {
			found = append(found, s)
		}
	}
	require.Len(t, found, 1, "%s has one chapter %q", p.name, title)
	return found[0]
}

func TestWhatOperatorsMayDoIsTested(t *testing.T) {
	s := titled(t, readPage(t, "docs/leases.md"), "What operators may do")
	require.NotEmpty(t, s.tables)
	assert.Empty(t, unproved(s, suite(t)))
}

func TestWhatHappensOnAnOutageIsTested(t *testing.T) {
	s := titled(t, readPage(t, "docs/operations.md"), "What happens on an outage")
	require.NotEmpty(t, s.tables)
	assert.Empty(t, untold(s, suite(t)), "cells without a test, which do not say %q", untested)
}

func TestWhatPagesNameAsTestsOfStoresExists(t *testing.T) {
	there, named := suite(t), 0
	for _, name := range []string{"leases.md", "operations.md"} {
		page, err := os.ReadFile(filepath.Join(root, "docs", name))
		require.NoError(t, err)
		for _, m := range suiteTest.FindAllStringSubmatch(string(page), -1) {
			named++
			assert.Contains(t, there, m[1], "%s names a test that is not in storetest", name)
		}
	}
	assert.Greater(t, named, 15)
}

func TestRowsWithoutATestAreFound(t *testing.T) {
	there := map[string]bool{"of all": true, "of some": false}
	rows := func(text string) *section {
		return parsePage("", []byte("# a\n\n| who | what | test | stores |\n|---|---|---|---|\n"+text)).sections[1]
	}
	assert.Empty(t, unproved(rows("| a | b | storetest `of all` | every |\n| a | b | `TestA` | SQLite |\n| a | b | storetest `of some` | some |\n"), there))
	assert.Len(t, unproved(rows("| a | b | | every |\n| a | b | storetest `of all`, `none` | every |\n| a | b | `TestA` | |\n"+
		"| a | b | `TestA` | every |\n| a | b | storetest `of some` | every |\n"), there), 5)
	assert.Len(t, unproved(parsePage("", []byte("# a\n\n| who | what |\n|---|---|\n| a | b |\n")).sections[1], there), 1)

	assert.Empty(t, untold(rows("| a | | storetest `of some` | goes on; not tested |\n"), there))
	assert.Equal(t, []string{"a, column 2", "a, column 4"}, untold(rows("| a | `ErrA` | storetest `of all` | goes on |\n"), there))
}
