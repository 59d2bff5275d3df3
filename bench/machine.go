package bench

import (
	"cmp"
	"fmt"
	"runtime"

	"github.com/ringuid/ringuid/internal/machine"
)

// Machine describes the machine that this program runs on, for people.
func Machine() string {
	cpus, used := machine.This.CPUs(), ""
	if n := runtime.GOMAXPROCS(0); n != cpus {
		used = fmt.Sprintf(" (%d used)", n)
	}
	return fmt.Sprintf("%d x %s%s, %s/%s, %s", cpus, cmp.Or(machine.This.CPU(), "unknown CPU"), used,
		runtime.GOOS, runtime.GOARCH, runtime.Version())
}
