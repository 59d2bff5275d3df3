# `make test` is all that is needed on a fresh Debian or Ubuntu with Go: it installs the
# missing servers and runs the tests, most with the race detector. Those that need an API
# server are `make test-kubernetes`, which builds one.

GO        ?= go
# What make test runs with the race detector. Backwards, so that those whose tests wait
# longest for servers begin first. Other targets have what their servers are for.
TESTED     = $(shell $(GO) list work | grep -vE '/(worker/k8sstore|internal/docs.*|examples/bucket|cmd/(ringuid|uidbench))$$' | sort -r)
# Their tests run other programs and libraries, where there is nothing for the race detector: what a
# command does at once is in packages of its own. They read files outside of their module, whose
# changes go test does not see.
UNRACED   := ./cmd/ringuid ./cmd/uidbench ./internal/docs/...
PACKAGES  ?=
TESTFLAGS ?=
BENCH     ?= .
FUZZTIME  ?= 10s
SEEDS     ?= 1000000
NUMBERS   ?= 1e10
ROUNDS    ?= 20
STARTS    ?= 40
HERD      ?= 200
TIMES     ?= 10
ARGS      ?=
BASE      ?= origin/main
VERSION   ?=
DATES     ?= 2028-02-29 2036-06-01
# The oldest Go that is supported, and the newest that is tested.
MIN_GO    := go1.26.0
NEW_GO    := go1.27.2
CORE      := ./uid/... ./ringbuffer/... ./padding/... ./policy/... ./worker ./preset/... ./opaque ./typeid ./bwmarrin ./internal/properties
CORE_ARGS := -short -timeout 10m $(CORE)
CORE_TEST  = GOWORK=off $(GO) test $(CORE_ARGS)
# What the race detector would only slow down (internal/race) is run without it too.
COUNTED   := ./internal/preempt ./internal/properties ./preset ./ringbuffer ./uid ./worker ./worker/docstore ./worker/s3store
COUNTS    := Hammer|Interleaving|Mutants|HundredMillion|Originals|Truth|Simulation|IsNeeded|SmallWorld|ManyStart|AnIdleGenerator|InAnOutage|JumpingClock|TestSegments|EveryWayToTakeKeeps|CloseBesideTakes|EveryCopy|EachStep|TestGateways
# What needs a Kubernetes, which test-kubernetes has.
CLUSTERED := Kubernetes|FiftyPods
# What may differ on another version of a server, those first that wait longest.
SERVED    := ./worker/sqlstore/integration ./worker/zkstore ./worker/etcdstore ./worker/redisstore ./bench/keys ./cmd/ringuid/internal/stores ./internal/testserver ./internal/docs/codecs
# What users import.
IMPORTED  := ./uid ./ringbuffer ./padding ./policy ./worker ./worker/store ./worker/memstore ./worker/sqlstore
PLATFORMS := linux/amd64 linux/arm64 linux/386 windows/amd64 windows/arm64 windows/386 darwin/amd64 darwin/arm64
# Many packages, and many tests of one, mostly wait for servers.
ATONCE    ?= 4
CACHE     := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/ringuid-testserver

# tool: the program of a tool of tools/go.mod.
tool       = $$(GOWORK=off $(GO) -C tools tool -n $(1))
export GOTESTSUM_FORMAT ?= pkgname-and-test-fails
# Without what debuggers read, programs are linked in two thirds of the time. make lint runs go
# vet, which reads all that is imported.
TEST       = $(call tool,gotestsum) --format-hide-empty-pkg -- -ldflags=-w -vet=off -timeout 60m $(TESTFLAGS)
# SQLite is C made Go: looking for races in it makes it ten times as slow.
RACE       = $(TEST) -race -gcflags=modernc.org/...=-race=false -p $(ATONCE) -parallel $(ATONCE)
# -short leaves out what shows the same on each version of a server.
CURRENT    = $(TEST) -short -count 1 -p $(ATONCE) -parallel $(ATONCE)
SERVERS    = UID_TEST_REQUIRE=$$(scripts/install-test-servers.sh),versitygw && export UID_TEST_REQUIRE
# Else each program with the race detector lasts a second more.
export GORACE ?= atexit_sleep_ms=0

.PHONY: help test raced unraced counts test-current test-kubernetes etcd versitygw test-buckets test-clickhouse test-dates test-loaded servers size lint tidy tidy-check cross core go-versions bench bench-base starts clones fuzz hammer simulate keys rivals instructions soak soak-cluster vuln api-diff release-check release-files

help: ## what there is to make
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

test: ## install missing servers, run all tests, most with the race detector; PACKAGES= chooses
	@$(SERVERS) && if [ -n '$(PACKAGES)' ]; then exec $(MAKE) --no-print-directory raced; fi && \
	exec $(MAKE) --no-print-directory -j3 raced unraced counts

raced: versitygw
	@CGO_ENABLED=1 $(RACE) -skip '$(CLUSTERED)' $(or $(PACKAGES),$(TESTED))

unraced: versitygw
	@$(TEST) -count 1 -parallel $(ATONCE) -skip '$(CLUSTERED)' $(UNRACED)

counts: versitygw
	@$(TEST) -parallel $(ATONCE) -run '$(COUNTS)' -skip '$(CLUSTERED)' $(COUNTED)

current.work: go.work internal/testserver/testdata/clients/go.mod # with today's clients
	@sed 's|^use (|&\n\t./internal/testserver/testdata/clients|' go.work >$@ && cp go.work.sum $@.sum

test-current: etcd current.work ## what versions of servers and of clients may differ in: those of Debian's unstable suite, a newer etcd, today's drivers; no race detector: make test has it
	@$(SERVERS) && home=$$(scripts/current-servers.sh) && export GOWORK=$(CURDIR)/current.work && \
	UID_TEST_SERVERS=$$home/bin:$$home/zookeeper:$(CACHE)/etcd UID_TEST_REQUIRE=mariadb,mysql,postgresql,redis,etcd,zookeeper \
	  $(CURRENT) $(SERVED) && \
	UID_TEST_SERVERS=$$home/bin UID_TEST_REQUIRE=mariadb,mysql,postgresql $(CURRENT) -run 'TestSQLOn|BaidusJava' ./cmd/ringuid ./internal/docs && \
	UID_TEST_SERVERS=$$home/valkey UID_TEST_REQUIRE=redis $(CURRENT) ./worker/redisstore

test-kubernetes: etcd current.work ## what takes worker ids from Kubernetes, on an API server that is built, in some eight minutes
	GOWORK=off $(GO) -C worker/k8sstore/testdata/apiserver build -ldflags='-s -w' -o $(CACHE)/ ./kube-apiserver ./kubectl
	@$(SERVERS) && export CGO_ENABLED=1 UID_TEST_SERVERS=$(CACHE)/etcd UID_TEST_REQUIRE=kubernetes,etcd && \
	$(TEST) -run '$(CLUSTERED)' ./cmd/ringuid ./cmd/ringuid/internal/stores ./examples/kubernetes ./internal/docs && \
	GOWORK=$(CURDIR)/current.work $(RACE) ./worker/k8sstore

etcd: # newer than Debian's
	@GOWORK=off $(GO) -C worker/etcdstore/testdata/etcd build -ldflags='-s -w' -o $(CACHE)/etcd/etcd go.etcd.io/etcd/server/v3
	@GOWORK=off $(GO) -C worker/etcdstore/testdata/etcd build -ldflags='-s -w' -o $(CACHE)/etcd/ go.etcd.io/etcd/etcdctl/v3 go.etcd.io/etcd/etcdutl/v3

versitygw: # an S3 server
	@GOWORK=off $(GO) -C worker/s3store/testdata/versitygw build -ldflags='-s -w' -o $(CACHE)/ github.com/versity/versitygw/cmd/versitygw

test-buckets: ## examples/bucket, on servers of other object storage, which are built, or come by npm
	@scripts/install-test-servers.sh 'npm npm npm' >/dev/null
	@GOWORK=off $(GO) -C examples/bucket/testdata/fake-gcs-server build -ldflags='-s -w' -o $(CACHE)/ github.com/fsouza/fake-gcs-server
	@[ -e $(CACHE)/azurite/node_modules/.bin/azurite-blob ] || npm install --silent --no-audit --no-fund --prefix $(CACHE)/azurite azurite@3.35.0
	@UID_TEST_REQUIRE=fake-gcs-server,azurite $(TEST) -count 1 ./examples/bucket

test-clickhouse: ## the SQL for ClickHouse, on the one in an npm package, of 550 MB
	@scripts/install-test-servers.sh 'npm npm npm' >/dev/null
	@[ -e $(CACHE)/chdb/node_modules/chdb ] || npm install --silent --no-audit --no-fund --prefix $(CACHE)/chdb chdb@3.4.0
	@UID_TEST_REQUIRE=chdb $(TEST) -count 1 -run SQLOnClickHouse ./cmd/ringuid

test-dates: versitygw ## all tests with the clock at each of DATES; no race detector: a date makes no races
	@$(SERVERS) && for date in $(DATES); do \
	  scripts/test-at.sh $$date $(TEST) -count 1 $(or $(PACKAGES),$(TESTED) $(UNRACED)) || exit 1; done

test-loaded: ## make test TIMES times, beside three busy loops for each processor
	@for i in $$(seq $$((3 * $$(getconf _NPROCESSORS_ONLN)))); do \
	  timeout 8h sh -c 'while :; do :; done' & loops="$$loops $$!"; done; trap "kill $$loops" EXIT; \
	for i in $$(seq $(TIMES)); do \
	  echo "run $$i"; $(MAKE) test TESTFLAGS='-count=1 $(TESTFLAGS)' || exit 1; done

servers: ## install missing servers alone
	@scripts/install-test-servers.sh

size: ## how large each part is, beside its budget; more columns than 100 in a line are an error
	@GOWORK=off $(GO) run -C tools ./size

lint: ## gofmt, go vet, staticcheck, actionlint
	@unformatted=$$(gofmt -l .); [ -z "$$unformatted" ] || { \
	  echo "gofmt would change:"; echo "$$unformatted"; exit 1; }
	$(GO) vet work
	$(call tool,staticcheck) work
	$(call tool,actionlint)
	GOWORK=off $(GO) -C tools vet ./...

tidy: ## go mod tidy in each module; VERSION= makes them require each other at it
	[ -z '$(VERSION)' ] || sed -i -E 's,^(\t|require )(github.com/ringuid/ringuid[^ ]*) v[^ ]+,\1\2 $(VERSION),' go.work $$(git ls-files '*go.mod')
	scripts/each.sh go mod tidy

tidy-check: ## is each module tidy, and does it build by itself?
	scripts/each.sh sh -c 'go mod tidy -diff && go build -ldflags=-w -o /dev/null ./...'

cross: ## build what users import for every platform, and everything for two that differ from this one in all that matters
	for p in $(PLATFORMS); do CGO_ENABLED=0 GOOS=$${p%/*} GOARCH=$${p#*/} $(GO) build $(IMPORTED) || exit 1; done
	for p in windows/386 darwin/arm64; do export CGO_ENABLED=0 GOOS=$${p%/*} GOARCH=$${p#*/}; \
	  $(GO) build -ldflags=-w ./cmd/ringuid/... ./cmd/uidbench/... && $(GO) vet $$($(GO) list work | grep -v /internal/docs/codecs) || exit 1; done

core: ## test what needs neither servers nor other modules, on any system
	$(CORE_TEST)

go-versions: ## build with the oldest Go; test the core with it, with the newest, and for 32 bits
	GOTOOLCHAIN=$(MIN_GO) $(GO) build -ldflags=-w work
	GOTOOLCHAIN=$(MIN_GO) $(CORE_TEST)
	GOTOOLCHAIN=$(NEW_GO) $(CORE_TEST)
	export GOARCH=386 CGO_ENABLED=0; $(GO) test -run '^$$' ./padding 2>/dev/null || { \
	  exec='-exec true'; echo 'NOT RUN, only built: this kernel runs no 386 programs' >&2; }; $(CORE_TEST) $$exec

bench: ## the packages' benchmarks; BENCH= chooses
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem $(or $(PACKAGES),work)

bench-base: ## uidbench of BASE and of this tree, in turn, compared
	scripts/compare.sh speed $(BASE)

starts: ## STARTS processes that start at once on each SQL server, beside a busy loop for each processor; HERD copies
	@home=$$(scripts/current-servers.sh) || exit 1; \
	UID_STARTS=$(STARTS) UID_TEST_SERVERS="$$home/bin" UID_TEST_REQUIRE=mariadb,mysql,postgresql \
	  $(GO) test -run TestStartsAtOnce -count 1 -v ./worker/sqlstore/integration
	UID_HERD=$(HERD) $(GO) test -run TestAHerdOfCopies -count 1 -v ./cmd/ringuid

clones: ## one snapshot of a machine resumed twice, in QEMU: its ids, and those where nothing tells the copies
	@scripts/install-test-servers.sh 'qemu qemu-system-x86_64 qemu-system-x86' \
	  'kernel /boot/vmlinuz-*-cloud-amd64 linux-image-cloud-amd64' >/dev/null
	UID_CLONES=$$(ls /boot/vmlinuz-*-cloud-amd64 | tail -n 1) CGO_ENABLED=0 $(GO) test -run TestClones -count 1 -v ./worker/redisstore

fuzz: ## each fuzz target for FUZZTIME
	@git grep -oE '^func Fuzz\w+' -- '*_test.go' | sed -E 's,/[^/]*:func , ,' | while read -r package target; do \
	  echo "$$package $$target"; $(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) "./$$package" || exit 1; done

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
	$(GO) test -race -run TestStore/whoever -count $(ROUNDS) -timeout 6h -v ./worker/etcdstore ./worker/zkstore
	$(GO) test -run PostgresFailsOver -count $(ROUNDS) -timeout 6h -v ./worker/sqlstore/integration

simulate: ## SEEDS worlds of the lease protocol's simulation, and each rule switched off
	UID_SIM_SEEDS=$(SEEDS) $(GO) test -run 'TestSimulation|TestEachRuleIsNeeded|SmallWorld' -count 1 -timeout 6h -v ./worker

vuln: ## known vulnerabilities in what each module requires, as scanners see it; VULNDB= is a database
	@v=$(call tool,govulncheck) && scripts/each.sh sh -c 'cd "$$(go list -f "{{.Dir}}" ./... | head -n 1)" && \
	  '"$$v"' $(if $(VULNDB),-db $(VULNDB)) -scan module'

api-diff: ## what has changed in the exported API since BASE
	scripts/compare.sh api $(BASE)

release-check: ## can VERSION=v0.2.0 be released? Prints how
	scripts/release-check.sh $(VERSION)

release-files: ## what VERSION, which is published, offers for download
	scripts/release-files.sh $(VERSION) ringuid-$(VERSION)
