//go:build !linux

package machine

import "os"

// CPU is known on Windows, where the environment has it.
func CPU() string { return os.Getenv("PROCESSOR_IDENTIFIER") }

// AvailableMemory is not known here.
func AvailableMemory() int64 { return 0 }
