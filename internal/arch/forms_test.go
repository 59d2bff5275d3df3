package arch

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// forms are of ids that are shown. They import what is named here of this module, and the
// standard library; that nothing of the core imports them is in the core's own list.
var forms = map[string][]string{
	"opaque":   {"uid"},
	"typeid":   {"uid", "opaque"},
	"bwmarrin": {"uid"},
}

func TestFormsOfIDsImportTheStandardLibraryAndUIDAlone(t *testing.T) {
	standard := map[string]bool{}
	for _, p := range list(t, "std") {
		standard[p.ImportPath] = true
	}
	for name, may := range forms {
		for _, p := range list(t, module+name) {
			for _, dep := range p.Imports {
				assert.True(t, standard[dep] || slices.Contains(may, strings.TrimPrefix(dep, module)), "%s imports %s", name, dep)
			}
		}
	}
}
