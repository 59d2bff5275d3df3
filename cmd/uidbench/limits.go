package main

import (
	"github.com/spf13/pflag"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/limit"
)

// limitFlags are what a run may not be worse than.
type limitFlags struct{ limit.Limits }

func (f *limitFlags) bind(flags *pflag.FlagSet) {
	flags.Var(amount{&f.IDsPerSecond, false}, "fail-under", "exit with 4 when there are less than `N` ids a second: 5e7, 50M")
	flags.Float64Var(&f.Ratio, "fail-ratio", 0, "exit with 4 when an id costs more than `N` shared atomic adds, which compares from machine to machine")
	flags.DurationVar(&f.P50, "fail-p50", 0, "exit with 4 when half of the calls take longer than `DURATION`")
	flags.DurationVar(&f.P90, "fail-p90", 0, "the same when one call in 10 takes longer than `DURATION`")
	flags.DurationVar(&f.P99, "fail-p99", 0, "the same when one call in 100 takes longer than `DURATION`")
	flags.DurationVar(&f.P999, "fail-p999", 0, "the same when one call in 1,000 takes longer than `DURATION`")
	flags.DurationVar(&f.P9999, "fail-p9999", 0, "the same when one call in 10,000 takes longer than `DURATION`: 100us")
	flags.DurationVar(&f.Max, "fail-max", 0, "the same when any call that was timed takes longer than `DURATION`")
}

// check refuses limits that any run misses.
func (f *limitFlags) check(flags *pflag.FlagSet) error {
	for _, name := range []string{"fail-p50", "fail-p90", "fail-p99", "fail-p999", "fail-p9999", "fail-max"} {
		if d, err := flags.GetDuration(name); flags.Changed(name) && (err != nil || d <= 0) {
			return usagef("--%s %v: type a time above 0, such as 100us", name, d)
		}
	}
	if flags.Changed("fail-ratio") && !(f.Ratio > 0) {
		return usagef("--fail-ratio %v: type more than 0, such as 1.5", f.Ratio)
	}
	return nil
}
