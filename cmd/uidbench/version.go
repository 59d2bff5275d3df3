package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

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
