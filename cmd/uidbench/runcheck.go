package main

import "github.com/spf13/cobra"

// check refuses invalid settings before anything costs a worker id.
func (f *runFlags) check(c *cobra.Command) error {
	set := c.Flags().Changed
	for _, name := range []string{"duration", "goroutines", "batch"} {
		if v := c.Flag(name).Value.String(); set(name) && (v == "0" || v == "0s") {
			return usagef("--%s 0: type more than 0, or leave it out", name)
		}
	}
	switch {
	case f.generator == "default" && f.bench.Stream:
		return usagef("--stream needs --generator cached")
	case set("html") && f.html == "":
		return usagef("--html is empty: type a name, or leave it out")
	}
	f.bench.Detail = f.html != ""
	if set("count") {
		f.bench.Count, f.bench.Duration = int64(f.count), 0
	}
	return f.bench.Validate()
}
