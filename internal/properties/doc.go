// Package properties tests the packages that users import with inputs drawn at random, by
// pgregory.net/rapid. The tests use exported names, in a folder that no program imports. A
// program's go.sum has what its imports are tested with, so the tests beside those packages
// need only testify.
package properties
