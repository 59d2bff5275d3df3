package bench

import (
	"fmt"
	"runtime"

	"github.com/ringuid/ringuid/internal/machine"
)

// Machine describes the machine of a run.
type Machine struct {
	OS         string `json:"os"`
	Arch       string `json:"arch"`
	CPU        string `json:"cpu,omitempty"` // its model, where that can be told
	CPUs       int    `json:"cpus"`
	GOMAXPROCS int    `json:"gomaxprocs"`
	Go         string `json:"go"`
}

// ThisMachine describes the machine that this program runs on.
func ThisMachine() Machine {
	return Machine{
		OS:         runtime.GOOS,
		Arch:       runtime.GOARCH,
		CPU:        machine.This.CPU(),
		CPUs:       machine.This.CPUs(),
		GOMAXPROCS: runtime.GOMAXPROCS(0),
		Go:         runtime.Version(),
	}
}

func (m Machine) String() string {
	cpu := m.CPU
	if cpu == "" {
		cpu = "unknown CPU"
	}
	used := ""
	if m.GOMAXPROCS != m.CPUs {
		used = fmt.Sprintf(" (%d used)", m.GOMAXPROCS)
	}
	return fmt.Sprintf("%d x %s%s, %s/%s, %s", m.CPUs, cpu, used, m.OS, m.Arch, m.Go)
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
