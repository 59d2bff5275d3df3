package cli

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
)

func TestExitCodes(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		err  error
		want int
	}{
		"nothing wrong":              {t.Context(), nil, OK},
		"an error":                   {t.Context(), io.ErrUnexpectedEOF, Error},
		"usage":                      {t.Context(), Usagef("type %d", 1), Usage},
		"a layout":                   {t.Context(), fmt.Errorf("x: %w", uid.ErrLayout), Usage},
		"interrupted":                {ended, fmt.Errorf("x: %w", context.Canceled), Interrupted},
		"an error while interrupted": {ended, io.ErrUnexpectedEOF, Error},
		"a timeout of somebody else": {t.Context(), context.Canceled, Error},
		"a duplicate and interrupted": {ended, errors.Join(context.Canceled, Coded(io.EOF, Duplicate)),
			Duplicate},
	} {
		assert.Equal(t, c.want, ExitCode(c.ctx, c.err), name)
	}
}

func TestFieldsAreTheFlagsOfTheCommand(t *testing.T) {
	has, lacks := &cobra.Command{}, &cobra.Command{}
	has.Flags().Bool("allow-other-layouts", false, "")
	has.Flags().String("workers", "", "")
	for text, want := range map[string][2]string{
		"or set Claim.AllowOtherLayouts":         {"or type --allow-other-layouts", "or " + another},
		"or claim more worker ids (Claim.Count)": {"or type more --workers", "or " + another},
		"claim 8 to 63 (First 8, Count 56); or":  {"type --workers 8-63; or", another + "; or"},
		"raise Options.WaitTimeout": {"raise wait_timeout in --store",
			"raise wait_timeout in --store"},
		"with MinReplicas +waitaof": {"with min_replicas in --store +waitaof",
			"with min_replicas in --store +waitaof"},
	} {
		assert.Equal(t, want, [2]string{Typed(has, text), Typed(lacks, text)})
	}
}

// What a package says of a field is in the words of the shell, but for what no command sets.
func TestNoFieldIsLeftForTheShell(t *testing.T) {
	field := regexp.MustCompile(`\b(Claim|Config|Options)\.[A-Z]\w+|\(sqlstore\.Open`)
	none := regexp.MustCompile(`Claim\.MaxClockOffset|Config\.(Above|Host|Layout\.Epoch|Generation$)`)
	found := 0
	read := func(path string, _ fs.DirEntry, _ error) error {
		if !strings.HasSuffix(path, ".go") || strings.Contains(path, "test") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			text := literal(n)
			if field.MatchString(text) && !none.MatchString(text) {
				found++
				assert.NotRegexp(t, field, Typed(&cobra.Command{}, text), path)
			}
			return text == ""
		})
		return nil
	}
	require.NoError(t, filepath.WalkDir("../../../worker", read))
	require.NoError(t, filepath.WalkDir("../../../uid", read))
	assert.Greater(t, found, 10)
}

// literal returns a text that is written in one or more pieces.
func literal(n ast.Node) string {
	switch n := n.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(n.Value)
		return text
	case *ast.BinaryExpr:
		return literal(n.X) + literal(n.Y)
	}
	return ""
}
