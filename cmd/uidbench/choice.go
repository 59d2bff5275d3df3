package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
)

// A choice is a flag's word, one of a few.
type choice struct {
	value *string
	words []string
}

// oneOf is a flag that takes one of the words. Its default is the value as it is.
func oneOf(value *string, words ...string) choice { return choice{value, words} }

func (c choice) Set(s string) error {
	if !slices.Contains(c.words, s) {
		return fmt.Errorf("type %s", either(c.words))
	}
	*c.value = s
	return nil
}

func (c choice) String() string {
	if c.value == nil {
		return ""
	}
	return *c.value
}

func (choice) Type() string { return "WORD" }

// either lists words: text, json or bench.
func either(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// A format is the word of --format: text or json.
type format string

// bind binds the flag; what says of what the format is.
func (f *format) bind(flags *pflag.FlagSet, what string) {
	*f = "text"
	flags.Var(oneOf((*string)(f), "text", "json"), "format", "`FORMAT`, text or json, of the "+what)
}

// write writes an answer as JSON, or has it written as text.
func (f format) write(w io.Writer, answer any, text func(io.Writer) error) error {
	if f == "json" {
		return human.WriteJSON(w, answer)
	}
	return text(w)
}

// print writes an answer as JSON, or this line.
func (f format) print(w io.Writer, answer any, line string, args ...any) error {
	return f.write(w, answer, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, line+"\n", args...)
		return err
	})
}
