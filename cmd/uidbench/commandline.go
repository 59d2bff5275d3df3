package main

import (
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commandLine is what to type to do the same again, for a shell. The store is
// shown by its name: its URL may have a password.
func commandLine(c *cobra.Command, storeName string) string {
	words := []string{c.CommandPath()}
	c.Flags().Visit(func(f *pflag.Flag) {
		value := f.Value.String()
		if f.Name == "store" {
			value = storeName
		}
		switch {
		case f.Value.Type() == "bool" && value == "true":
			words = append(words, "--"+f.Name)
		case f.Value.Type() == "bool":
			words = append(words, "--"+f.Name+"="+value)
		default:
			words = append(words, "--"+f.Name, quote(value))
		}
	})
	return strings.Join(words, " ")
}

// plain words mean themselves in every shell.
var plain = regexp.MustCompile(`^[A-Za-z0-9_./:@%+,=-]+$`)

// quote writes a word as a POSIX shell reads it.
func quote(word string) string {
	if plain.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
