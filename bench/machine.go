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

// defaultVerifyMemory is half of what is available, in bytes.
func defaultVerifyMemory() int64 {
	const unknown, most32bit = 1 << 30, 1 << 30
	half := machine.AvailableMemory() / 2
	switch {
	case half <= 0:
		return unknown
	case half > most32bit && ^uint(0)>>32 == 0:
		return most32bit
	}
	return half
}
