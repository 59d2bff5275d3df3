package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// addCompletion adds the command that makes a shell complete, which is cobra's, but
// for what it says of a shell that it does not know.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Args = noArgs
			c.RunE = func(c *cobra.Command, _ []string) error {
				return usagef("for which shell? `%s --help` lists them", c.CommandPath())
			}
		}
	}
}

// addCompletions tells the shell what may follow the flags of a command and of
// all below it: the words that there are, files, folders, or nothing to suggest.
func addCompletions(c *cobra.Command) {
	if c.ValidArgsFunction == nil && !readsFiles(c) {
		c.ValidArgsFunction = cobra.NoFileCompletions
	}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		// An error would say that there is no such flag, or that it was told before.
		_ = c.RegisterFlagCompletionFunc(f.Name, completion(f))
	})
	for _, sub := range c.Commands() {
		addCompletions(sub)
	}
}

// readsFiles reports whether the arguments of a command are files, as its use says.
func readsFiles(c *cobra.Command) bool {
	return strings.Contains(c.Use, "FILE")
}

// completion goes by the name that a flag's description gives to its value.
func completion(f *pflag.Flag) cobra.CompletionFunc {
	words, directive := suggestions(f), cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveKeepOrder
	name, _ := pflag.UnquoteUsage(f)
	switch {
	case f.Name == "store":
		return cobra.FixedCompletions(schemes(), directive|cobra.ShellCompDirectiveNoSpace)
	case len(words) > 0 && takesList(f):
		return listCompletion(words, directive|cobra.ShellCompDirectiveNoSpace)
	case len(words) > 0:
		return cobra.FixedCompletions(words, directive)
	case name == "FILE":
		return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault)
	case name == "DIR":
		return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	}
	return cobra.NoFileCompletions
}

// suggestions are the words that a flag knows, in the order in which they are described.
// There are none for a flag whose values cannot be listed.
func suggestions(f *pflag.Flag) []string {
	if s, ok := f.Value.(interface{ suggestions() []string }); ok {
		return s.suggestions()
	}
	return nil
}

// schemes are how the URLs of stores begin, as storeForms has them.
func schemes() []string {
	return []string{"sqlite:", "mysql://", "postgres://", "redis://", "rediss://", "zk://", "etcd://", "k8s:", "static:"}
}

// takesList reports whether a flag takes several words, with commas between them.
func takesList(f *pflag.Flag) bool {
	name, _ := pflag.UnquoteUsage(f)
	return name == "LIST" || f.Value.Type() == "LIST"
}

// listCompletion completes the last word of a list, with any that is not in it yet.
func listCompletion(words []string, directive cobra.ShellCompDirective) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		done := typed[:strings.LastIndexByte(typed, ',')+1]
		there := strings.Split(done, ",")
		var all []string
		for _, w := range words {
			if !slices.Contains(there, w) {
				all = append(all, done+w)
			}
		}
		return all, directive
	}
}
