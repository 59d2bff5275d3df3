// Package docs has tests alone. They follow README.md and docs/start.md as a newcomer would,
// compile the programs of the other pages, and look where links lead.
//
// Go test does not see that a page has changed, which is outside of this module: type
// go test -count 1.
package docs
