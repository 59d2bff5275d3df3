package testserver

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// missing skips the test, or fails it when the server is required.
func missing(t testing.TB, k kind, require string) {
	t.Helper()
	text := fmt.Sprintf("%s is not installed: %s", k.name, k.install)
	if required(k.name, require) {
		t.Fatalf("%s (UID_TEST_REQUIRE=%s)", text, require)
	}
	t.Skip(text)
}

// required says whether UID_TEST_REQUIRE, a list of names or "all", has name.
func required(name, list string) bool {
	words := strings.FieldsFunc(strings.ToLower(list), func(r rune) bool { return r == ',' || r == ' ' })
	return slices.Contains(words, "all") || slices.Contains(words, strings.ToLower(name))
}
