package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersion(stdout io.Writer) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long: `Version prints one line: the version of uidbench and the commit that it was built
from, where the Go command knew them, then the version of Go, the operating system
and the processor.`,
		Example: `  uidbench version`,
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(stdout, version())
			return err
		},
	}
}

// version is what the Go command recorded when it built this.
func version() string {
	v, commit := "(unknown)", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		v = info.Main.Version
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				commit = " " + s.Value
			}
		}
	}
	return fmt.Sprintf("uidbench %s%s %s %s/%s", v, commit, runtime.Version(), runtime.GOOS,
		runtime.GOARCH)
}
