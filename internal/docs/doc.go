// Package docs has only tests. They follow README.md and docs/start as a newcomer would,
// compile the programs of the other pages, and check where links lead. It and codecs are a module
// of their own, so that nobody downloads what these import.
//
// Pages are outside of this module, so go test does not see that one has changed: use -count 1.
package docs
