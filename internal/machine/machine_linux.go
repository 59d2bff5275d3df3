package machine

import (
	"os"
	"strconv"
	"strings"
)

// CPU returns the CPU's model, or "" if it is not known.
func CPU() string {
	info, _ := os.ReadFile("/proc/cpuinfo")
	return field(string(info), "model name")
}

// AvailableMemory returns how many bytes can still be allocated, 0 if that is unknown: what the
// kernel says, or what the container's limit leaves.
func AvailableMemory() int64 {
	info, _ := os.ReadFile("/proc/meminfo")
	kib, err := strconv.ParseInt(strings.TrimSuffix(field(string(info), "MemAvailable"), " kB"), 10,
		64)
	if err != nil {
		return 0
	}
	free := kib << 10
	limit, limited := number("/sys/fs/cgroup/memory.max")
	used, known := number("/sys/fs/cgroup/memory.current")
	if limited && known {
		free = min(free, max(limit-used, 1))
	}
	return free
}

// number reads a file that holds a number; "max" and a missing file hold none.
func number(path string) (int64, bool) {
	text, _ := os.ReadFile(path)
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil
}

// field returns what follows name and a colon in the first such line of a file
// like those under /proc.
func field(file, name string) string {
	for line := range strings.Lines(file) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
