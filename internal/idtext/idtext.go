// Package idtext has what the texts of this module's ids have in common.
package idtext

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Clip copies the start of a text for an error: errors stay short, and as they do not keep the
// text itself, decoders need not allocate it.
func Clip(s string) string { return strings.Clone(s[:min(len(s), 60)]) }

// Shown returns the text of an id, or for an invalid one what is wrong with it.
func Shown(text []byte, err error) string {
	if err != nil {
		return "!(" + err.Error() + ")"
	}
	return string(text)
}

// Unquoted reads a JSON string without escapes. Any other value is an error that wraps syntax.
// So is null, which would otherwise silently keep the previous id.
func Unquoted(data []byte, syntax error, read func([]byte) error) error {
	if n := len(data); n >= 2 && data[0] == '"' && data[n-1] == '"' {
		return read(data[1 : n-1])
	}
	return fmt.Errorf("%w: %s is not a text in quotes", syntax, Clip(string(data)))
}

// WriteGQL writes an id for gqlgen as in JSON; null for one that has no text.
func WriteGQL(w io.Writer, id any) {
	b, err := json.Marshal(id)
	if err != nil {
		b = []byte("null")
	}
	_, _ = w.Write(b) // gqlgen leaves no way to return an error
}

// ReadGQL reads a text that gqlgen has read. Any other value is an error that wraps syntax.
func ReadGQL(v any, syntax error, read func([]byte) error) error {
	if s, ok := v.(string); ok {
		return read([]byte(s))
	}
	return fmt.Errorf("%w: a %T is not a text", syntax, v)
}
