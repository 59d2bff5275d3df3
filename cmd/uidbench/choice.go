package main

import (
	"fmt"
	"slices"
	"strings"
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
