// Package codecs has tests of ids in other people's libraries: of the table of them in the guide.
package codecs
