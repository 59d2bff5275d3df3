package testserver

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// Missing ends a test that needs the program name, which is not installed. The test is skipped
// by that name, or fails if UID_TEST_REQUIRE has it. install says how to get the program.
// Missing is exported for programs that other packages start.
func Missing(t testing.TB, name, install string) {
	t.Helper()
	text := fmt.Sprintf("%s is not installed: %s", name, install)
	if list := os.Getenv("UID_TEST_REQUIRE"); required(name, list) {
		t.Fatalf("%s (UID_TEST_REQUIRE=%s)", text, list)
	}
	t.Skip(text)
}

// required reports whether UID_TEST_REQUIRE, a list of names or "all", has name.
func required(name, list string) bool {
	words := strings.FieldsFunc(strings.ToLower(list),
		func(r rune) bool { return r == ',' || r == ' ' })
	return slices.Contains(words, "all") || slices.Contains(words, strings.ToLower(name))
}
