package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// number is one written with digits. Words such as "two" are not compared.
var number = regexp.MustCompile(`\d[\d,.:TZ-]*`)

// month is one with its year: in Chinese it is a number.
var month = regexp.MustCompile(`\b(January|February|March|April|May|June|July|August|September|October|November|December) (\d{4})\b`)

// numbers are those of a text.
func numbers(text string) (all []string) {
	text = month.ReplaceAllStringFunc(text, func(m string) string {
		t, _ := time.Parse("January 2006", m)
		return t.Format("2006 1")
	})
	for _, n := range number.FindAllString(text, -1) {
		all = append(all, strings.TrimRight(n, ",.:TZ-"))
	}
	return all
}

// facts are what a translation keeps of some words: numbers, code, links.
func (w *words) facts() (all []string) {
	for _, n := range numbers(w.text) {
		all = append(all, "the number "+n)
	}
	for _, s := range w.spans {
		all = append(all, "`"+s.text+"`")
	}
	for _, l := range w.links {
		to, _, _ := strings.Cut(l.text, "#")                                       // headings are translated
		all = append(all, "a link to "+strings.Replace(to, ".zh_cn.md", ".md", 1)) // each page leads to the other
	}
	return all
}

// lost are the elements of a that b lacks.
func lost(a, b []string) (all []string) {
	b = slices.Clone(b)
	for _, x := range a {
		if i := slices.Index(b, x); i >= 0 {
			b = slices.Delete(b, i, i+1)
		} else {
			all = append(all, x)
		}
	}
	return all
}

// outOfStep is how a translation differs in what it should keep, section by section.
func outOfStep(original, translation page) (all []string) {
	shape := func(p page) (levels []string) {
		for _, s := range p.sections {
			levels = append(levels, strings.Repeat("#", s.level)+" "+s.title)
		}
		return levels
	}
	for i := range max(len(original.sections), len(translation.sections)) {
		switch {
		case i >= len(translation.sections) || i >= len(original.sections),
			original.sections[i].level != translation.sections[i].level:
			return append(all, fmt.Sprintf("headings differ from the %d. on:\n%s: %v\n%s: %v", i,
				original.name, from(shape(original), i), translation.name, from(shape(translation), i)))
		}
		for _, d := range sectionDiffers(original.sections[i], translation.sections[i]) {
			all = append(all, fmt.Sprintf("section %q (%q): %s", original.sections[i].title, translation.sections[i].title, d))
		}
	}
	return all
}

func from(all []string, i int) []string { return all[min(i, len(all)):min(i+3, len(all))] }

// sectionDiffers compares blocks and tables one by one, and the facts of the rest in
// any order, since a sentence has another order in another language.
func sectionDiffers(a, b *section) (all []string) {
	if len(a.blocks) != len(b.blocks) || len(a.tables) != len(b.tables) {
		return []string{fmt.Sprintf("%d blocks of code and %d tables in one, %d and %d in the other",
			len(a.blocks), len(a.tables), len(b.blocks), len(b.tables))}
	}
	for i := range a.blocks {
		if one, other := codeOnly(a.blocks[i]), codeOnly(b.blocks[i]); one != other {
			all = append(all, fmt.Sprintf("the %d. block of code has another text than comments:\n%s\n--\n%s", i+1, one, other))
		}
	}
	for i := range a.tables {
		all = append(all, tableDiffers(i+1, a.tables[i], b.tables[i])...)
	}
	if l := lost(a.prose.facts(), b.prose.facts()); len(l) > 0 {
		all = append(all, "the translation lacks "+strings.Join(l, ", "))
	}
	if l := lost(b.prose.facts(), a.prose.facts()); len(l) > 0 {
		all = append(all, "the original lacks "+strings.Join(l, ", "))
	}
	return all
}

func tableDiffers(n int, a, b table) (all []string) {
	if len(a) != len(b) {
		return []string{fmt.Sprintf("the %d. table has %d rows in one and %d in the other", n, len(a), len(b))}
	}
	for r := range a {
		if len(a[r]) != len(b[r]) {
			return []string{fmt.Sprintf("row %d of the %d. table has %d columns in one and %d in the other", r, n, len(a[r]), len(b[r]))}
		}
		for c := range a[r] {
			if one, other := a[r][c].facts(), b[r][c].facts(); !slices.Equal(one, other) {
				all = append(all, fmt.Sprintf("row %d, column %d of the %d. table has %v in one and %v in the other", r, c+1, n, one, other))
			}
		}
	}
	return all
}

// codeComment is what a translation may have in its language. The // of a URL begins none.
var codeComment = regexp.MustCompile(`(?m)(^|[ \t])[ \t]*(//|#).*$`)

// picture is a line of a drawing, whose words may be translated.
var picture = regexp.MustCompile(`[│─▶]`)

// codeOnly is a block without its comments. Of a drawing there are the numbers alone.
func codeOnly(b block) string {
	if picture.MatchString(b.text) {
		return strings.Join(numbers(b.text), " ")
	}
	return b.language + "\n" + codeComment.ReplaceAllString(b.text, "")
}

func TestTheChinesePagesAreInStep(t *testing.T) {
	chinese := pages(t, "*.zh_cn.md", "docs/*.zh_cn.md")
	assert.GreaterOrEqual(t, len(chinese), 3, "README, guide, operations")
	for _, p := range chinese {
		name := strings.TrimSuffix(p.name, ".zh_cn.md")
		for _, d := range outOfStep(readPage(t, name+".md"), p) {
			t.Error(name + ": " + d)
		}
	}
}

func TestEachReadmeLeadsToTheOther(t *testing.T) {
	for name, first := range map[string]string{"README.md": "[中文](README.zh_cn.md)", "README.zh_cn.md": "[English](README.md)"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		lines := strings.Split(string(text), "\n")
		assert.Equal(t, first, lines[2], name)
	}
}

func TestWhatATranslationForgetsIsFound(t *testing.T) {
	const original = `# a
Since November 2026, 8192 ids by ` + "`GetUID`" + ` and [all](x.md).

| ids | ns |
|---|---|
| ` + "`one`" + ` 1 | 6.43 |
| two | 7.67 |

## b
` + "```sh\nuidbench --store redis://h/0 --count 1 # one\n```\n"
	translate := strings.NewReplacer("Since November 2026", "自 2026 年 11 月起", "and [all]", "和[全部]", "# one", "# 一个", "ids |", "编号 |")
	of := func(text string) []string {
		return outOfStep(parsePage("en.md", []byte(original)), parsePage("zh.md", []byte(text)))
	}
	good := translate.Replace(original)
	require.NotEqual(t, original, good)
	require.Empty(t, of(good))
	for _, c := range []struct{ was, is, found string }{
		{"8192", "8129", `section "a" ("a"): the translation lacks the number 8192`},
		{"8192", "8129", `the original lacks the number 8129`},
		{"`GetUID`", "GetUID", "the translation lacks `GetUID`"},
		{"x.md", "y.md", "the translation lacks a link to x.md"},
		{"6.43", "6.34", "row 1, column 2 of the 1. table"},
		{"`one` 1", "`one`", "row 1, column 1 of the 1. table"},
		{"| two | 7.67 |\n", "", "has 3 rows in one and 2 in the other"},
		{"--count 1", "--count 2", `section "b" ("b"): the 1. block of code`},
		{"## b", "### b", "headings differ from the 2. on"},
		{"## b", "", "headings differ from the 2. on"},
		{"```sh\nuidbench --store redis://h/0 --count 1 # 一个\n```\n", "", "1 blocks of code"},
	} {
		changed := strings.Replace(good, c.was, c.is, 1)
		require.NotEqual(t, good, changed, c.was)
		assert.Contains(t, strings.Join(of(changed), "\n"), c.found, "%q instead of %q", c.is, c.was)
	}
}
