package main

import "regexp"

// quotedFrom says where the ratios of quoted generators come from. They were
// measured by this project, on that machine, beside the same baseline.
const quotedFrom = "quoted: measured on 2026-11-20 with 2 vCPUs (AMD Zen 5), Go 1.26.8 and OpenJDK 17, " +
	"as ratios to a shared atomic add of the same run (AtomicLong for Java)"

// quoted are generators that this command cannot fetch: they are in Java, or no
// module proxy serves them.
func quoted() []row {
	const unbounded = "ahead of the clock without bound; crashes when GOMAXPROCS grows"
	return []row{
		quote("Baidu CachedUidGenerator (Java)", "28/22/13", 23, 32, "",
			"layout ended on 2024-11-20: negative ids without an error"),
		quote("Baidu CachedUidGenerator (Java)", "31/23/9", 50, 46, "",
			"33 % of the calls fail at 8 threads"),
		quote("Baidu DefaultUidGenerator (Java)", "30 sequence bits", 6.3, 6.1,
			"13 bits: 8192 ids a second", ""),
		quote("bytentropy/snowflake", "", 1.4, 0.45,
			"a shard per CPU", unbounded),
		quote("bytentropy/snowflake", "NextBatch 1024", 0.09, 0.05, "per id of a batch", unbounded),
		quote("treeyh/raindrop", "", 4.3, 3.9,
			"", "ids by code crash or come twice when many goroutines take them"),
		quote("lin-coco/uid-generator", "", 15, 19,
			"", "its default generator: 3.1 M duplicates in 20 M"),
		{
			Name: "chuidaqi666/uid-generator-go", Quoted: true,
			One: timing{Ratio: 17, High: 22}, All: timing{Ratio: 31, High: 42},
		},
	}
}

func quotedMatching(only *regexp.Regexp) (some []row) {
	for _, q := range quoted() {
		if only.MatchString(title(q.Name, q.Variant)) {
			some = append(some, q)
		}
	}
	return some
}

func quote(name, variant string, one, all float64, note, faults string) row {
	return row{
		Name: name, Variant: variant, Quoted: true,
		One: timing{Ratio: one}, All: timing{Ratio: all},
		Note: note, Faults: faults,
	}
}
