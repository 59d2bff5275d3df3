// Package properties holds the tests that draw what they are about at random, with
// pgregory.net/rapid, of packages that users import: by their exported names, in a folder
// that nobody imports. A program's go.sum has what its imports are tested with, so the
// tests beside those packages need testify alone.
package properties
