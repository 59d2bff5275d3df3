// Package cacheline keeps hot fields apart.
package cacheline

// Size is what a field needs on each side to have its cache line to itself:
// 64 bytes on most machines, twice that because x86 prefetches lines in pairs
// and because arm64 has machines with lines of 128.
const Size = 128

// Pad goes between fields that different CPUs write.
type Pad [Size]byte
