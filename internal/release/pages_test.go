package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fenced are the commands and the programs of a page.
var fenced = regexp.MustCompile("(?s)```(sh|go)\n(.*?)```")

// follows does what a section of a page says, from an empty folder on: programs go into
// main.go, commands are run. It returns what each line of commands printed.
func (s stranger) follows(section string) (printed []string) {
	s.t.Helper()
	for _, block := range fenced.FindAllStringSubmatch(section, -1) {
		if block[1] == "go" {
			s.writes("main.go", block[2])
			continue
		}
		for line := range strings.Lines(block[2]) {
			words := strings.Fields(line)
			printed = append(printed, s.runs(words[0], words[1:]...))
		}
	}
	return printed
}

// sections are those of a page that have a whole program.
func sections(t *testing.T, page string) (all []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../..", page))
	require.NoError(t, err)
	for _, section := range strings.Split("\n"+string(text), "\n## ")[1:] {
		if strings.Contains(section, "\npackage main\n") {
			all = append(all, section)
		}
	}
	return all
}

var anID = regexp.MustCompile(`^[0-9]{17,19}\n$`)

func TestTheReadmesLeadToAFirstID(t *testing.T) {
	for _, page := range []string{"README.md", "README.zh_cn.md"} {
		t.Run(page, func(t *testing.T) {
			s := arrive(t)
			all := sections(t, page)
			require.Len(t, all, 1)
			s.follows(all[0])
			assert.Regexp(t, anID, s.runs("go", "run", "."))
		})
	}
}

// The programs that need a server are run by the tests of the examples.
func TestTheFirstStepsAreAsTheyStand(t *testing.T) {
	all := sections(t, "docs/start.md")
	require.Len(t, all, 2)
	for i, section := range all {
		title, _, _ := strings.Cut(section, "\n")
		t.Run(title, func(t *testing.T) {
			var ids []string
			for _, printed := range arrive(t).follows(section) {
				if anID.MatchString(printed) {
					ids = append(ids, printed)
				}
			}
			if i == 0 {
				require.Len(t, ids, 2, "go run .")
				assert.Less(t, ids[0], ids[1])
			}
		})
	}
}
