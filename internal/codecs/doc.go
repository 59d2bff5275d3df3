// Package codecs has tests of ids in other people's libraries. It is a module of its own, so that
// nobody downloads those.
package codecs
