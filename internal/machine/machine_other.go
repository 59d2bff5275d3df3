//go:build !linux

package machine

import "os"

// CPU is its model: on Windows the environment has it, elsewhere it is empty.
func CPU() string { return os.Getenv("PROCESSOR_IDENTIFIER") }

// AvailableMemory is not known here.
func AvailableMemory() int64 { return 0 }
