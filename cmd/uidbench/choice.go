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
		return notOneOf(c.words)
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

// A wordList is a flag's list of words, with commas between them, each one of a few. What
// is given again is added.
type wordList struct {
	values *[]string
	words  []string
	given  bool
}

// someOf is a flag that takes a list of the words. Its default are the values as they
// are.
func someOf(values *[]string, words ...string) *wordList {
	return &wordList{values: values, words: words}
}

func (c *wordList) Set(s string) error {
	if !c.given {
		c.given, *c.values = true, nil
	}
	for word := range strings.SplitSeq(s, ",") {
		word = strings.TrimSpace(word)
		if !slices.Contains(c.words, word) {
			return notOneOf(c.words)
		}
		*c.values = append(*c.values, word)
	}
	return nil
}

func (c *wordList) String() string {
	if c.values == nil {
		return ""
	}
	return strings.Join(*c.values, ",")
}

func (*wordList) Type() string { return "LIST" }

// notOneOf says which words a flag takes: text, json or bench.
func notOneOf(words []string) error { return fmt.Errorf("type %s", either(words)) }

// either lists words: text, json or bench.
func either(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
