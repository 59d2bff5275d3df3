# `make test` is all that is needed on a fresh Debian or Ubuntu with Go: it installs the
# missing servers and runs the tests, most with the race detector. Those that need an API
# server are `make test-kubernetes`, which builds one.

GO        ?= go
# Backwards, so that those whose tests wait longest for servers begin first.
MODULES   := $(subst ././,./,$(patsubst %,./%/...,$(shell scripts/modules.sh --workspace | sort -r)))
# Those of internal/moduleproxy are release-check's.
TESTED    := $(filter-out ./worker/k8sstore/... ./internal/moduleproxy/...,$(MODULES))
# Their tests run other programs and libraries, where there is nothing for the race detector, and
# read files outside of their module, whose changes go test does not see.
UNRACED   := ./internal/codecs/... ./internal/docs/...
PACKAGES  ?= $(TESTED)
TESTFLAGS ?=
BENCH     ?= .
FUZZTIME  ?= 10s
SEEDS     ?= 1000000
NUMBERS   ?= 1e10
ROUNDS    ?= 20
STARTS    ?= 40
TIMES     ?= 10
ARGS      ?=
BASE      ?= origin/main
VERSION   ?=
DATES     ?= 2027-03-01 2028-02-29 2031-06-01 2036-06-01
# What make api-diff compares the API with, as long as there is no tag.
API_BASE  ?= 5a7c85b1c5d1
# The oldest Go that is supported, and the newest that is tested.
MIN_GO    := go1.26.0
NEW_GO    := go1.27.2
CORE      := ./uid/... ./ringbuffer/... ./padding/... ./policy/... ./worker ./preset/... ./opaque ./typeid ./bwmarrin ./internal/properties
CORE_ARGS := -short -timeout 10m $(CORE)
CORE_TEST  = GOWORK=off $(GO) test $(CORE_ARGS)
# What the race detector would only slow down (internal/race) is run without it too.
COUNTED   := ./cmd/ringuid ./cmd/uidbench ./internal/preempt ./internal/properties ./ringbuffer ./uid ./worker ./worker/k8sstore
COUNTS    := Hammer|Interleaving|Mutants|HundredMillion|Originals|Truth|Simulation|RuleIsNeeded|SmallWorld|Commands|AnIdleGenerator|InAnOutage|JumpingClock|TestLaps|BusyName|EveryWayToTakeKeeps|TwoNewNames|ReadyBesideTakes|CloseBesideTakes
# What needs a Kubernetes, which test-kubernetes has.
CLUSTERED := Kubernetes|FiftyPods
# What talks to servers, those first that wait longest, but for the commands that need none.
SERVED    := ./worker/sqlstore/integration ./cmd/ringuid ./cmd/ringuid/internal/stores ./worker/zkstore ./worker/etcdstore ./internal/testserver ./worker/redisstore ./cmd/ringuid/internal/soak ./worker/sqlstore ./bench/keys ./internal/codecs
VALKEY    := ./worker/redisstore ./internal/testserver ./cmd/ringuid/internal/soak
# Many packages, and many tests of one, mostly wait for servers.
ATONCE    ?= 4
STATIC     = $$(GOWORK=off $(GO) -C tools tool -n staticcheck)
CURRENT    = $(GO) test -json $(LINKED) -vet=off -count 1 -p $(ATONCE) -parallel $(ATONCE) -timeout 60m -skip '^TestCommands$$' $(TESTFLAGS)
# Without what debuggers read, programs are linked in two thirds of the time.
LINKED    := -ldflags=-w
# make lint runs go vet, which reads all that is imported.
TEST       = $(GO) test -json $(LINKED) -vet=off -timeout 60m $(TESTFLAGS)
# SQLite is C made Go: looking for races in it makes it ten times as slow.
RACE       = $(TEST) -race -gcflags=modernc.org/...=-race=false -p $(ATONCE) -parallel $(ATONCE)
# Else each program with the race detector lasts a second more.
export GORACE ?= atexit_sleep_ms=0

.PHONY: help test test-current test-kubernetes test-dates test-loaded servers size lint tidy tidy-check cross core go-versions bench bench-base starts fuzz hammer simulate keys rivals instructions soak soak-cluster vuln api-diff release-check

help: ## what there is to make
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

test: ## install missing servers, run all tests, most of them with the race detector
	@require=$$(scripts/install-test-servers.sh) || exit 1; \
	cc=$$($(GO) env CC); command -v $$cc >/dev/null || { \
	  echo "the race detector needs a C compiler, and there is no $$cc: install gcc," \
	    "or run $(GO) test without it" >&2; exit 1; }; \
	export CGO_ENABLED=1 UID_TEST_REQUIRE=$$require; \
	if [ '$(PACKAGES)' != '$(TESTED)' ]; then exec scripts/test.sh $(RACE) $(PACKAGES); fi; \
	exec scripts/test.sh $(RACE) -skip '$(CLUSTERED)' $(filter-out $(UNRACED),$(TESTED)) \
	  --beside $(TEST) -count 1 $(UNRACED) --then $(TEST) -run '$(COUNTS)' $(COUNTED)

test-current: ## what talks to servers, on those that Debian's unstable suite has, on Valkey and a newer etcd; no race detector: make test has it
	@scripts/install-test-servers.sh >/dev/null && home=$$(scripts/current-servers.sh) && etcd=$$(scripts/build-etcd.sh) || exit 1; \
	exec scripts/test.sh env UID_TEST_SERVERS="$$home/valkey" UID_TEST_REQUIRE=redis \
	  $(CURRENT) $(VALKEY) \
	  --beside env UID_TEST_SERVERS="$$etcd" UID_TEST_REQUIRE=etcd \
	  $(CURRENT) ./worker/etcdstore ./internal/testserver \
	  --beside env UID_TEST_SERVERS="$$home/bin:$$home/zookeeper" \
	  UID_TEST_REQUIRE=mariadb,mysql,postgresql,redis,etcd,zookeeper \
	  $(CURRENT) $(SERVED)

test-kubernetes: ## what takes worker ids from Kubernetes, on an API server and its etcd that are built once
	@scripts/install-test-servers.sh >/dev/null && scripts/build-kube-apiserver.sh && etcd=$$(scripts/build-etcd.sh) || exit 1; \
	export UID_TEST_SERVERS="$$etcd" UID_TEST_REQUIRE=kubernetes,etcd; \
	exec scripts/test.sh $(RACE) -run '$(CLUSTERED)' ./cmd/ringuid/... ./examples/kubernetes ./internal/testserver \
	  --then $(RACE) ./worker/k8sstore/...

test-dates: ## all tests with the clock at each of DATES; no race detector: a date makes no races
	@require=$$(scripts/install-test-servers.sh) || exit 1; \
	export UID_TEST_REQUIRE=$$require; \
	for date in $(DATES); do \
	  scripts/test.sh scripts/test-at.sh $$date -json -timeout 15m $(TESTFLAGS) $(PACKAGES) || exit 1; \
	done

test-loaded: ## make test TIMES times, beside three busy loops for each processor
	scripts/test-loaded.sh $(TIMES) PACKAGES='$(PACKAGES)' TESTFLAGS='-count=1 $(TESTFLAGS)'

servers: ## install missing servers alone
	@scripts/install-test-servers.sh

size: ## how large each part is, beside its budget; more columns than 100 in a line are an error
	@GOWORK=off $(GO) -C tools run ./size "$(CURDIR)"

lint: ## gofmt, go vet, staticcheck, actionlint, and the tools' own tests
	@unformatted=$$(gofmt -l .); [ -z "$$unformatted" ] || { \
	  echo "gofmt would change:"; echo "$$unformatted"; exit 1; }
	$(GO) vet $(MODULES)
	tool=$(STATIC) && "$$tool" $(MODULES)
	tool=$$(GOWORK=off $(GO) -C tools tool -n actionlint) && "$$tool"
	GOWORK=off $(GO) -C tools vet ./... && GOWORK=off $(GO) -C tools test ./...

tidy: ## go mod tidy in each module; VERSION= makes them require each other at it
	scripts/tidy.sh $(VERSION)

tidy-check: ## is each module tidy, and does it build by itself?
	scripts/tidy.sh --check

cross: ## build for every platform; ARGS=--all: everything for each
	scripts/cross.sh $(ARGS)

core: ## test what needs neither servers nor other modules, on any system
	$(CORE_TEST)

go-versions: ## build with the oldest Go; test the core with it, with the newest, and for 32 bits
	GOTOOLCHAIN=$(MIN_GO) $(GO) build $(LINKED) $(MODULES)
	GOTOOLCHAIN=$(MIN_GO) $(CORE_TEST)
	GOTOOLCHAIN=$(NEW_GO) $(CORE_TEST)
	GOWORK=off scripts/test-32-bit.sh $(CORE_ARGS)

bench: ## the packages' benchmarks; BENCH= chooses
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem $(PACKAGES)

bench-base: ## uidbench of BASE and of this tree, in turn, compared
	scripts/bench-base.sh $(BASE)

starts: ## STARTS processes that start at once on each SQL server, beside a busy loop for each processor
	@home=$$(scripts/current-servers.sh) || exit 1; \
	UID_STARTS=$(STARTS) UID_TEST_SERVERS="$$home/bin" UID_TEST_REQUIRE=mariadb,mysql,postgresql \
	  $(GO) test -run TestStartsAtOnce -count 1 -v ./worker/sqlstore/integration

fuzz: ## each fuzz target for FUZZTIME
	scripts/fuzz.sh $(FUZZTIME)

hammer: ## NUMBERS numbers through rings of all shapes, with an account of each
	UID_HAMMER=$(NUMBERS) $(GO) test -run TestHammer -count 1 -timeout 12h -v ./ringbuffer

keys: ## what kinds of keys do to the indexes of databases that are installed; ARGS= are flags
	UID_KEYS='$(ARGS)' $(GO) test -run TestKeys -count 1 -v -timeout 12h ./bench/keys

rivals: ## measure other generators for a moment, for benchstat
	$(GO) test -run '^$$' -bench . -benchtime 20ms -cpu 1,2 ./bench/rivals

instructions: ## instructions per id, under callgrind; a figure, nothing fails by it
	scripts/instructions.sh

soak: ## five minutes of faults on SQLite, every id checked
	$(GO) run ./cmd/ringuid soak --store "sqlite:$$(mktemp -d)/soak.db" --processes 4 --duration 5m

soak-cluster: ## fail-overs of etcd, ZooKeeper and PostgreSQL, ROUNDS times, every id checked
	$(GO) test -race -run WhoeverLeads -count $(ROUNDS) -timeout 6h -v ./worker/etcdstore ./worker/zkstore
	$(GO) test -run PostgresFailsOver -count $(ROUNDS) -timeout 6h -v ./worker/sqlstore/integration

simulate: ## SEEDS worlds of the lease protocol's simulation, and each rule switched off
	UID_SIM_SEEDS=$(SEEDS) $(GO) test -run 'TestSimulation|TestEachRuleIsNeeded|SmallWorld' -count 1 -timeout 6h -v ./worker

vuln: ## known vulnerabilities in what the modules call
	scripts/vuln.sh

api-diff: ## what has changed in the exported API since the last tag, or API_BASE before the first
	scripts/api-diff.sh $(API_BASE)

release-check: ## can VERSION=v0.2.0 be released? Prints how
	scripts/release-check.sh $(VERSION)
