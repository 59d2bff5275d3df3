//go:build !linux

package bench

import "os"

// cpuModel is known on Windows, where the environment has it.
func cpuModel() string { return os.Getenv("PROCESSOR_IDENTIFIER") }

func availableMemory() int64 { return 0 }
