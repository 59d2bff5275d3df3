package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is what the Go command recorded when it built this.
func version() string {
	v := "(unknown)"
	if info, ok := debug.ReadBuildInfo(); ok {
		v = info.Main.Version
	}
	return fmt.Sprintf("uidbench %s %s %s/%s", v, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
