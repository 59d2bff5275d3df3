//go:build !linux

package machine

import "os"

// cpu is known on Windows, where the environment has it.
func cpu() string { return os.Getenv("PROCESSOR_IDENTIFIER") }

// AvailableMemory is not known here.
func AvailableMemory() int64 { return 0 }
