package docs

import (
	"regexp"
	"strings"
	"time"

	"github.com/ringuid/ringuid/internal/lasting"
	"github.com/ringuid/ringuid/uid"
)

// A rule is something that is done to commands, so that a test can run them.
type rule struct {
	when   string // these commands, as a regular expression of the whole line
	unless string // but not these
	say    string // "a → b": a stands for b in the command
	first  string // is run before, in the same folder, with STORE and NAMESPACE of the command set
	add    string // flags behind those that are there
	exit   int    // what it exits with
	why    string
}

// rules are all there are. Each that fits a command is applied, in this order.
var rules = []rule{
	// Words that stand for something.
	{when: `--store URL`, say: `URL → sqlite:url.db`, why: "any store will do"},
	{when: `^uidbench decode ID`, say: `ID → 2123627392005050368`, why: "any id will do"},
	{when: `^uidbench worker exec`, say: `(java -jar app.jar|node app.js) → true`, why: "no program of somebody's is here"},
	{when: `--store k8s:shop`, say: `k8s:shop → etcd://etcd.example.com:2379/uid`, why: "the tests of uidbench have a cluster"},

	{when: `^benchstat`, say: `benchstat .* → true`, why: "a tool of others, which is not installed"},
	{when: `--rate N`, say: `N → 100`, why: "any rate will do"},

	{when: `^uidbench (migrate|verify|worker quarantine|worker exec)$`, add: `--help`, why: "the name of a command, which needs flags"},

	{when: `^go (mod init|get|build -o service|run \.)`, say: `go .* → true`, why: "in an empty folder: the tests of internal/release follow these pages"},

	// What is there when somebody types this.
	{when: `--store (sqlite|mysql|postgres):`, unless: `worker init|soak|leased|worker (release|steal|quarantine)`,
		first: `uidbench worker init --store "$STORE"`, why: "tables are made once"},
	{when: `--store (redis|zk|etcd|k8s):|leased|worker (release|steal|quarantine)`, unless: `worker init|soak`,
		first: `uidbench worker init --store "$STORE" --assigner leased --namespace "$NAMESPACE" --fresh`, why: "namespaces are made once"},
	{when: `^uidbench worker list`, unless: `--store|leased`, first: `uidbench -q --count 1`, why: "there was a run before"},
	{when: `^uidbench verify`, first: `for n in 1 2 3; do echo 53881567319168614$n; done > ids.txt
		gzip -c ids.txt > server-1.log.gz; echo 538815673191686155 | gzip -c > server-2.log.gz
		echo '2028-01-02T03:04:05Z,538815673191686144' > orders.csv
		printf 'order_id,created_at\n538815673191686144,2028-01-02T03:04:05Z\n' > export.csv
		echo '{"request":{"id":"538815673191686144"},"ts":"2028-01-02T03:04:05Z"}' > app.jsonl`, why: "logs of somebody's programs"},
	{when: `--keys keys.txt`, first: `echo 1:000102030405060708090a0b0c0d0e0f > keys.txt`, why: "keys of somebody's program"},
	{when: `app\.log`, first: `echo 'level=INFO uid=538815673191686144' > app.log`, why: "a log of somebody's program"},

	// What the default layout's end in 2034 leaves open, and uidbench then asks for.
	{when: `^uidbench (worker init .*--(fresh|earlier|assigner leased)|.*--store (redis|zk|etcd|k8s):|.*(--assigner leased|--order (adnc|leaf|raindrop|zk)))`,
		unless: `--preset|worker (list|steal|release|quarantine)|soak`, add: laterEpoch(), why: "a namespace is for the ids of a layout whose time runs"},

	// What would take too long, or rests on the speed of the machine.
	{when: `^uidbench( run)?( -|$)`, unless: `--count|--help|--version|^uidbench --format bench`, add: `--duration 50ms`, why: "five seconds show no more"},
	{when: `^uidbench --format bench( >|$)`, add: `--count 1000000`, why: "that has ten rounds to compare on any machine"},
	{when: `--duration 2s --format bench`, say: `duration 2s → count 10000`, why: "twelve runs take a minute"},
	{when: `--count`, add: `--count 10000`, why: "fewer ids show the same"},
	{when: `^uidbench .*--fail`, say: `p9999>[0-9a-z]+ → p50>1h`, why: "no test asserts a speed, and 50 ms are too short for p99.99"},
	{when: `^uidbench .*--fail`, say: `ids_per_second<50M → ids_per_second<1`, why: "no test asserts a speed"},
	{when: `^uidbench .*--fail`, say: `ratio>4 → ratio>1000`, why: "no test asserts a speed"},
	{when: `^uidbench sweep`, add: `--slice 1ms --rounds 1`, why: "a hundred combinations take minutes"},
	{when: `^uidbench soak`, unless: `--store-command|--faults`, add: `--duration 200ms --faults none`, why: "each fault takes a lease's time; the tests of soak have them"},
	{when: `^uidbench soak .*--faults`, unless: `--store-command`, add: `--duration 200ms`, say: `kill[a-z,]* → none`, why: "each fault takes a lease's time; the tests of soak have them"},
	{when: `^uidbench soak .*--store-command`, add: `--duration 200ms --store-command true`, why: "there is no container to restart"},
	{when: `^go run -C bench/rivals`, add: `--rounds 1 --slice 1ms --check 1000 --svg /dev/null`, why: "all rivals take minutes, and a picture would stay in the source tree"},

	// What exits with another code than 0, and says so where it stands.
	{when: `^uidbench migrate --from (baidu|snowflake|29/21/13)`, unless: `--new-workers`, exit: 1, why: "it answers that ids can be equal"},
	{when: `^uidbench plan --from 2026-11-21 --nodes 32 --starts-per-day 10 `, exit: 1, why: "the table says that nothing fits"},
}

// laterEpoch is nothing as long as the default layout lasts.
func laterEpoch() string {
	published := uid.DefaultLayout
	if epoch := lasting.Epoch(published.Epoch, published.End()); epoch != published.Epoch {
		return "--epoch " + epoch.Format(time.DateOnly)
	}
	return ""
}

// about reports whether a rule is about a command.
func (r rule) about(command string) bool {
	return regexp.MustCompile(r.when).MatchString(command) &&
		(r.unless == "" || !regexp.MustCompile(r.unless).MatchString(command))
}

// rulesFor are the rules about a command.
func rulesFor(command string) (all []rule) {
	for _, r := range rules {
		if r.about(command) {
			all = append(all, r)
		}
	}
	return all
}

// unusedRules are those about no line of the scripts.
func unusedRules(all []script) (unused []string) {
	used := map[string]bool{}
	for _, s := range all {
		for _, line := range s.lines {
			for part := range strings.SplitSeq(line, "|") {
				for _, r := range rulesFor(canonical(part)) {
					used[r.when] = true
				}
			}
		}
	}
	for _, r := range rules {
		if !used[r.when] {
			unused = append(unused, r.when)
		}
	}
	return unused
}

// comment is what a shell takes for one.
var comment = regexp.MustCompile(`(^|\s)#.*$`)

// canonical is a command as the rules have it.
func canonical(line string) string {
	line = strings.TrimSpace(comment.ReplaceAllString(line, ""))
	return strings.Replace(line, "go run ./cmd/uidbench", "uidbench", 1)
}

// shortened are the arguments of a program with the flags that the rules add.
func shortened(program string, args []string) []string {
	command := strings.Join(append([]string{program}, args...), " ")
	for _, r := range rulesFor(command) {
		args = append(args, strings.Fields(r.add)...)
	}
	return args
}

// flagOf is the value of a flag in a command.
func flagOf(command, flag, otherwise string) string {
	words := strings.Fields(command)
	for i, w := range words[:max(0, len(words)-1)] {
		if w == flag {
			return strings.Trim(words[i+1], `'"`)
		}
	}
	return otherwise
}

// replaced is a line with what its words stand for.
func replaced(line string) string {
	for _, r := range rulesFor(canonical(line)) {
		if from, to, ok := strings.Cut(r.say, " → "); ok {
			line = regexp.MustCompile(`\b`+from+`\b`).ReplaceAllString(line, to)
		}
	}
	return line
}
