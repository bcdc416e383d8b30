# SPDX-License-Identifier: Apache-2.0
#
# `make help` lists the targets. Everything that is made goes to build/MODE/.

# All cores, unless somebody says how many.
ifeq ($(MAKELEVEL)$(filter -j% --jobserver%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc)
endif

MODE ?= release
# A Debian architecture: Debian's compilers for it are used, and QEMU runs what they make.
ARCH ?=
BUILD := build/$(MODE)$(ARCH:%=-%)
TRIPLET_amd64 := x86_64-linux-gnu
TRIPLET_arm64 := aarch64-linux-gnu
TRIPLET := $(if $(ARCH),$(or $(TRIPLET_$(ARCH)),$(error ARCH=$(ARCH): amd64 and arm64 are known)))
PKG_CONFIG := $(TRIPLET:%=%-)pkg-config
RUNNER = $(if $(ARCH),$(if $(filter $(TRIPLET),$(shell gcc -dumpmachine)),,qemu-$(firstword $(subst -, ,$(TRIPLET)))-static))
V ?= 0
Q := $(if $(filter 0,$(V)),@)
comma := ,
say = @$(if $(filter 0,$(V)),printf '  %-9s %s\n' '$(1)' '$(2)',:)

ifeq ($(origin CC),default)
CC := $(if $(filter asan tsan fuzz,$(MODE)),clang,$(TRIPLET:%=%-)gcc)
endif

SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# A debugger or a leak checker may look into it.
TRACEABLE := -DBALLAST_TRACEABLE
CFLAGS_release := -O2 -g
CFLAGS_debug := -O0 -g $(TRACEABLE)
CFLAGS_static := $(CFLAGS_release) -DBALLAST_STATIC
# An empty vector is walked from NULL to NULL + 0, which C2y allows and clang tells of.
CFLAGS_asan := -O1 -g $(TRACEABLE) $(SANITIZE) -fno-sanitize=pointer-overflow
CFLAGS_tsan := -O1 -g $(TRACEABLE) -fsanitize=thread -fno-omit-frame-pointer
CFLAGS_coverage := -O0 -g --coverage
CFLAGS_fuzz := -O1 -g $(TRACEABLE) $(SANITIZE) -fsanitize=fuzzer-no-link
WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla \
	-Wwrite-strings -Wformat=2 -Werror

# Asked once, when the first recipe needs it: by then `deps` has run.
PKGS := libcurl libssl libcrypto zlib jansson yaml-0.1 libprotobuf-c
PKG_CFLAGS = $(eval PKG_CFLAGS := $$(shell $(PKG_CONFIG) --cflags $$(PKGS)))$(PKG_CFLAGS)
ifeq ($(MODE),static)
# Debian's libcurl wants libraries that Debian has no static ones of: packaging/static-curl makes one of its source.
CURL := $(BUILD)/curl
PKG_CONFIG := PKG_CONFIG_PATH=$(CURDIR)/$(CURL)/lib/pkgconfig $(PKG_CONFIG) --static
# The cross compiler's own libc gets no security updates; the one for that architecture does.
override LDFLAGS += -static-pie $(TRIPLET:%=-B/usr/lib/%)
LINK_MAP = -Wl,-Map=$@.map
endif
PKG_LIBS = $(eval PKG_LIBS := $$(shell $(PKG_CONFIG) --libs $$(PKGS)))$(PKG_LIBS)
override CPPFLAGS += -Iinclude -Isrc -I$(BUILD)/proto -D_GNU_SOURCE $(PKG_CFLAGS)
override CFLAGS += -std=c17 $(CFLAGS_$(MODE)) $(WARNINGS)
LDLIBS += $(PKG_LIBS) -lm

# A target's words in `make deps`: what to look for, and whether to install what is missing.
GOALS := $(or $(MAKECMDGOALS),all)
DEPS_FOR := $(if $(filter-out roots release,$(GOALS)),build) $(if $(filter static,$(MODE)),static) $(if $(filter deb,$(GOALS)),package) \
	$(if $(filter-out all install demo deb chart-archive krew roots cross image image-root release,$(GOALS)),test) $(if $(filter image-root,$(GOALS)),image-root) \
	$(foreach set,lint valgrind coverage fuzz e2e estimator fault monitoring completion browser schema package optimum chart roots image,$(if $(filter $(set),$(GOALS)),$(set))) \
	$(if $(filter cross,$(GOALS)),roots) $(if $(filter release,$(GOALS)),image) $(if $(filter kube-scheduler,$(GOALS)),e2e)
DEPS_INSTALL := $(if $(filter test demo,$(GOALS)),--install)

LIB_SRC := src/cycle.c $(sort $(wildcard src/*/*.c src/*/*/*.c))
PROTO_DIR := src/estimator/proto
PROTO := $(patsubst $(PROTO_DIR)/%.proto,$(BUILD)/proto/%.pb-c,$(sort $(wildcard $(PROTO_DIR)/*.proto)))
UNIT_SRC := $(sort $(wildcard tests/unit/*.c))
CONFORMANCE_SRC := $(sort $(wildcard tests/conformance/*.c))
WORLDS_SRC := $(sort $(wildcard tests/worlds/*.c))
SIMULATE_SRC := $(sort $(wildcard tests/simulate/*.c)) tests/worlds/random.c
OPTIMUM_SRC := $(sort $(wildcard tests/optimum/*.c)) tests/worlds/random.c
BENCH_SRC := $(sort $(wildcard tests/bench/*.c)) tests/optimum/tight.c tests/worlds/random.c
ESTIMATOR_SRC := $(sort $(wildcard tests/estimator/*.c))
FUZZ_SRC := $(sort $(wildcard tests/fuzz/fuzz_*.c))
objects = $(patsubst %.c,$(BUILD)/%.o,$(1))
SUITES := $(patsubst tests/unit/test_%.c,%,$(filter tests/unit/test_%,$(UNIT_SRC)))
FUZZERS := $(patsubst tests/fuzz/fuzz_%.c,%,$(FUZZ_SRC))
PROGRAM := $(BUILD)/ballast
LIBRARY := $(BUILD)/libballast.a
ALL_OBJ := $(call objects,src/main.c $(LIB_SRC) $(UNIT_SRC) $(CONFORMANCE_SRC) $(WORLDS_SRC) \
	$(SIMULATE_SRC) $(OPTIMUM_SRC) $(BENCH_SRC) $(ESTIMATOR_SRC) $(FUZZ_SRC) tests/fuzz/replay.c)

TEST_PROGRAMS := $(BUILD)/test-unit $(BUILD)/conformance $(BUILD)/worlds \
	$(FUZZERS:%=$(BUILD)/replay-%)

VECTORS ?= build/vectors
SHARDS_FLEETS ?= 12
SHARDS_SEED ?= 1
PROPERTY_FLEETS ?= 2000
PROPERTY_SEED ?= 1
WORLDS_FIELDS ?= 3000
# Invariants of tests/worlds that are known to be broken: shown, and no failure.
WORLDS_KNOWN ?=
SIMULATE_SEEDS ?= 3
OPTIMUM_FLEETS ?= 50
OPTIMUM_SEED ?= 1
# Of the most that could be placed, in 1/1000: all fleets together, and each of them.
OPTIMUM_FLOOR ?= 995
OPTIMUM_EACH ?= 970
# Fleets of large replicas, of which each must reach as much: without the last steps they did not.
OPTIMUM_HARD ?= 1051 1699 3353
# For the integer programme of each fleet; 0: its relaxation bounds it.
OPTIMUM_SECONDS ?= 0
# Whose plans: ballast, first-pass (Ballast's without the second look) or karmada.
OPTIMUM_PLANNER ?= ballast
THREADED := lease live identity survival unpacking
FUZZ_SECONDS ?= 60
SCENARIO ?=
# Suites that talk to servers and look at the clock, and the one that starts programs: QEMU does not tell why
# one cannot be started.
NOT_UNDER_QEMU = $(shell grep -lE '"(fault_server|fault_tls|fake_api|live_fleet|live_run|member_rig|kube_test|summary_rig)\.h"' \
	$(UNIT_SRC) | xargs sed -n 's/.*check_suite("\([^"]*\)").*/\1,/p' tests/unit/test_kube_exec.c | tr -d '\n')
prefix ?= /usr/local
bindir ?= $(prefix)/bin
datadir ?= $(prefix)/share
mandir ?= $(datadir)/man
bashcompdir ?= $(datadir)/bash-completion/completions
zshcompdir ?= $(datadir)/zsh/$(if $(filter /usr,$(prefix)),vendor-completions,site-functions)
fishcompdir ?= $(datadir)/fish/vendor_completions.d

all: $(PROGRAM) ## build the program (build/release/ballast)

help: ## show this list
	@sed -n 's/^\([a-z0-9-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14
	@echo "Variables: MODE=release|debug|static|asan|tsan|coverage|fuzz ARCH=arm64|amd64 V=1 CC= CFLAGS= prefix= DESTDIR="

deps: ## look for the compiler and libraries that the build needs
	@scripts/deps.sh $(DEPS_INSTALL) $(ARCH:%=--arch %) $(DEPS_FOR)

# --- programs ---------------------------------------------------------------------------------

link = $(Q)$(CC) $(CFLAGS) $(LDFLAGS) $(LINK_MAP) -o $@ $(filter %.o %.a,$^) $(1) $(LDLIBS)

$(PROGRAM): $(call objects,src/main.c) $(LIBRARY)
	$(call say,LINK,$@)
	$(call link)

$(LIBRARY): $(call objects,$(LIB_SRC)) $(PROTO:=.o)
	$(call say,AR,$@)
	@rm -f $@
	$(Q)ar rcs $@ $^

$(BUILD)/test-unit: $(call objects,$(UNIT_SRC)) $(LIBRARY)
	$(call say,LINK,$@)
	$(call link,-lcunit -Wl$(comma)--wrap=value_get)

VECTOR_FILES := $(patsubst tests/conformance/%.xz,build/%,$(wildcard tests/conformance/vectors/*.xz))
build/vectors/%: tests/conformance/vectors/%.xz | deps
	@mkdir -p $(@D)
	$(Q)xz -dc $< > $@.tmp && mv $@.tmp $@

$(BUILD)/conformance: $(call objects,$(CONFORMANCE_SRC)) $(LIBRARY)
	$(call say,LINK,$@)
	$(call link)

$(BUILD)/optimum: $(call objects,$(OPTIMUM_SRC)) $(LIBRARY)
	$(call say,LINK,$@)
	$(call link)

# What the program asks objects for is seen at the linker's seams (tests/worlds/fields.c).
WORLDS_SEAMS := $(foreach name,document_root yaml_parse projector_read value_get value_at value_each \
	label_list_find,-Wl,--wrap=$(name))
$(BUILD)/worlds: $(call objects,$(WORLDS_SRC)) $(LIBRARY)
	$(call say,LINK,$@)
	$(call link,$(WORLDS_SEAMS))

$(BUILD)/simulate: $(call objects,$(SIMULATE_SRC)) $(LIBRARY)
	$(call say,LINK,$@)
	$(call link)

$(BUILD)/bench: $(call objects,$(BENCH_SRC)) $(LIBRARY)
	$(call say,LINK,$@)
	$(call link)

$(BUILD)/estimator-probe: $(call objects,$(ESTIMATOR_SRC)) $(LIBRARY)
	$(call say,LINK,$@)
	$(call link)

$(BUILD)/replay-%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/tests/fuzz/replay.o $(LIBRARY)
	$(call say,LINK,$@)
	$(call link)

$(BUILD)/fuzz-%: $(BUILD)/tests/fuzz/fuzz_%.o $(LIBRARY)
	$(call say,LINK,$@)
	$(call link,-fsanitize=fuzzer)

$(BUILD)/tests/unit/check.o: override CPPFLAGS += -I$(BUILD)
$(BUILD)/tests/unit/check.o: $(BUILD)/suites.inc
$(BUILD)/suites.inc: $(UNIT_SRC)
	@mkdir -p $(@D)
	$(Q)printf 'SUITE(%s)\n' $(SUITES) > $@

# Which commit this is, where there is a repository of ours to ask: not of somebody who unpacked us in
# his own; else COMMIT_ID and COMMIT_DATE, if they are set. With "-dirty" where there is more in it than the
# commit has: that one it is not. Several makes may ask at once.
$(BUILD)/src/cli/commands/command_version.o: override CPPFLAGS += -I$(BUILD)
$(BUILD)/src/cli/commands/command_version.o: $(BUILD)/commit.inc
$(BUILD)/commit.inc: FORCE
	@mkdir -p $(@D)
	@new=$@.$$$$; { { test "$$(git rev-parse --show-prefix)" = "" && \
		git log -1 --date=iso-strict-local --format="\"$$(git describe --always --dirty \
			--abbrev=12 --exclude='*')\", \"%cd\""; } 2>/dev/null || \
		printf '"%s", "%s"\n' "$$COMMIT_ID" "$$COMMIT_DATE"; } >$$new; \
		cmp -s $$new $@ || cp $$new $@; rm -f $$new

# The style and the script of a page, as C strings.
PAGE_PARTS := $(BUILD)/html_style.inc $(BUILD)/html_script.inc
$(BUILD)/src/report/html/html_page.o: override CPPFLAGS += -I$(BUILD)
$(BUILD)/src/report/html/html_page.o: $(PAGE_PARTS)
$(BUILD)/html_style.inc: src/report/html/html_style.css
$(BUILD)/html_script.inc: src/report/html/html_script.js
$(PAGE_PARTS):
	@mkdir -p $(@D)
	$(Q)sed -e '/^\/\*.*\*\/$$/d' -e 's/^ *//' -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n"/' $< > $@

ifeq ($(MODE),static)
CURL_LIBRARY := $(CURL)/lib/libcurl.a
$(CURL_LIBRARY): packaging/static-curl | deps
	$(call say,CURL,$@)
	$(Q)packaging/static-curl $(CURDIR)/$(CURL) $(TRIPLET)
endif

$(BUILD)/%.o: %.c | deps $(CURL_LIBRARY)
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

# Generated, so not held to our warnings.
$(BUILD)/proto/%.pb-c.c $(BUILD)/proto/%.pb-c.h: $(PROTO_DIR)/%.proto | deps
	$(call say,PROTOC,$<)
	@mkdir -p $(@D)
	$(Q)protoc-c --proto_path=$(PROTO_DIR) --c_out=$(@D) $<
$(PROTO:=.o): override CFLAGS += -w
$(PROTO:=.o): $(BUILD)/proto/%.o: $(BUILD)/proto/%.c $(PROTO:=.h)
	$(call say,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<
$(BUILD)/src/estimator/messages.o: $(PROTO:=.h)

# --- tests ------------------------------------------------------------------------------------

# Built with all cores, run one after the other: what they print is read, and some look at the clock.
TESTS := unit conformance scenarios fleets manifests shards properties corpus
test: deps ## build and run all tests
	$(Q)$(MAKE) --no-print-directory all $(TEST_PROGRAMS)
	$(Q)for test in $(TESTS); do $(MAKE) --no-print-directory $$test || exit 1; done
	@echo "all tests passed"

unit: $(BUILD)/test-unit ## the unit tests (build/MODE/test-unit PATTERN runs some)
	$(Q)$(if $(RUNNER),UNIT_SKIP="$(NOT_UNDER_QEMU)") $(RUNNER) $(BUILD)/test-unit

conformance: $(BUILD)/conformance ## what upstream answered: VECTORS=DIR
	$(Q)$(BUILD)/conformance $(VECTORS)
ifeq ($(VECTORS),build/vectors)
conformance: $(VECTOR_FILES)
endif

scenarios: all ## golden scenarios: SCENARIO=name for one, or for one folder
	$(Q)tests/scenarios/run $(BUILD) $(SCENARIO)

golden: all $(BUILD)/test-unit ## rewrite from the program's answers what tests compare, for review with git diff; SCENARIO=name: that one's alone
	$(Q)tests/scenarios/run --golden $(BUILD) $(SCENARIO)
	$(Q)tests/scenarios/index
	$(Q)[ -n '$(SCENARIO)' ] || { GOLDEN=update $(BUILD)/test-unit && GOLDEN=update $(MAKE) --no-print-directory schema; }

fleets: all ## the captured fleets
	$(Q)tests/fleets/check $(BUILD)

manifests: all ## cronjob/ and the overlays in docs/, rendered, and what they name
	$(Q)tests/manifests/run $(BUILD)

chart: all ## the Helm chart beside cronjob/, by a current helm and kubectl: CASE=pattern for some
	$(Q)tests/chart/run $(BUILD) $(CASE)

shards: all ## fleets in files that shards look into, and members in slices: SHARDS_FLEETS=n SHARDS_SEED=n
	$(Q)tests/shards/run $(BUILD) $(SHARDS_FLEETS) $(SHARDS_SEED)

properties: $(BUILD)/worlds ## random fleets: PROPERTY_FLEETS=n PROPERTY_SEED=n
	$(Q)$(BUILD)/worlds --fields $(WORLDS_FIELDS)
	$(Q)$(BUILD)/worlds $(PROPERTY_FLEETS) $(PROPERTY_SEED) '$(WORLDS_KNOWN)'

optimum: $(BUILD)/optimum ## how much of what could be placed is: OPTIMUM_FLEETS=n OPTIMUM_SEED=n; OPTIMUM_PLANNER=first-pass or karmada: what others place
	$(Q)$(BUILD)/optimum $(OPTIMUM_FLEETS) $(OPTIMUM_SEED) $(OPTIMUM_FLOOR) $(OPTIMUM_SECONDS) $(OPTIMUM_EACH) $(OPTIMUM_PLANNER)
	$(Q)set -e; [ '$(OPTIMUM_PLANNER)' = ballast ] || exit 0; for seed in $(OPTIMUM_HARD); do $(BUILD)/optimum 1 $$seed 0 0 $(OPTIMUM_EACH); done

simulate: $(BUILD)/simulate ## fleets over time, and Ballast's invariants in each cycle: SIMULATE_SEEDS=n
	$(Q)$(BUILD)/simulate --seeds $(SIMULATE_SEEDS)

simulate-compare: $(BUILD)/simulate ## the same under other policies: the table of docs/dev/simulation.md
	$(Q)$(BUILD)/simulate --compare --seeds $(SIMULATE_SEEDS)

corpus: $(FUZZERS:%=$(BUILD)/replay-%) ## the fuzzers' seed and regression inputs, once each
	$(Q)for f in $(FUZZERS); do $(BUILD)/replay-$$f tests/fuzz/corpus/$$f || exit 1; done

sanitize: ## all tests again, made by clang, under AddressSanitizer and UBSan, those with threads under TSan
	$(Q)BRIEF=yes $(MAKE) --no-print-directory MODE=asan test
	$(Q)$(MAKE) --no-print-directory MODE=tsan threads

threads: $(BUILD)/test-unit ## the unit tests in which threads meet (made for MODE=tsan)
	$(Q)for suite in $(THREADED); do \
		TSAN_OPTIONS="halt_on_error=1 $$TSAN_OPTIONS" $(BUILD)/test-unit $$suite || exit 1; done

valgrind: all ## the scenarios under valgrind: EVERY=3 runs each third
	$(Q)BRIEF=yes EVERY='$(EVERY)' WRAPPER="valgrind -q --error-exitcode=99 --leak-check=full" \
		tests/scenarios/run $(BUILD) $(SCENARIO)

coverage: ## which lines the tests reach: build/coverage/coverage.html
	$(Q)$(MAKE) --no-print-directory MODE=coverage PROPERTY_FLEETS=500 test
	$(Q)gcovr --root . --filter src/ --html-details build/coverage/coverage.html --print-summary \
		build/coverage

fuzz: ## libFuzzer on every decoder: FUZZ_SECONDS=n for each
	$(Q)$(MAKE) --no-print-directory MODE=fuzz $(FUZZERS:%=fuzz-run-%)
fuzz-run-%: $(BUILD)/fuzz-%
	@mkdir -p $(BUILD)/corpus/$*
	$(Q)cd $(BUILD) && ./fuzz-$* -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=2048 \
		-print_final_stats=1 -verbosity=0 corpus/$* $(CURDIR)/tests/fuzz/corpus/$*

bench: all $(BUILD)/bench ## speed and memory on synthetic fleets (BENCH=quick: the small ones; BENCH=growth: exponents; BENCH="growth 1000000": up to a million bindings; BENCH=members: large members; BENCH=hostile; BENCH=survival; BENCH=program; BENCH=packing; BENCH="list KUBECONFIG": beside curl; BENCH="shards 100": the hundredth part of a million bindings; BENCH=shard: the largest shard alone; BENCH=slices: one huge member, whole and in four slices; BENCH=live-slices: likewise, over HTTP; BENCH=questions: live plans of large fleets; BENCH=nominated: nodes that are kept free)
	$(Q)$(BUILD)/bench $(BENCH)

estimator: all $(BUILD)/estimator-probe ## the gRPC client and plans by it against grpcio and a raw HTTP/2 server: CASE=name for one
	$(Q)tests/estimator/run $(BUILD) $(CASE)

fault: all ## against an HTTPS server that misbehaves on purpose: CASE=pattern for some
	$(Q)tests/fault/run $(BUILD) '$(CASE)'

browser: all ## the pages of -o html in Debian's chromium: CASE=name for one, PICTURES=DIR to look at them
	$(Q)tests/browser/run $(BUILD) $(CASE)

monitoring: all ## the alert rules, and metrics of real runs, as promtool checks them
	$(Q)tests/monitoring/run $(BUILD)

e2e: all ## against a real kube-apiserver and etcd: CASE=name for one, KUBERNETES=1.36 for custom resources of that release, E2E_SCALE=full for all of it
	$(Q)tests/e2e/run $(BUILD) $(CASE)

kube-scheduler: all ## room on nodes beside what a real kube-scheduler places: PAIRS=10000 SEED=2
	$(Q)PAIRS=$(PAIRS) SEED=$(SEED) tests/kube-scheduler/run $(BUILD)

completion: all ## completion in real shells: bash, zsh, fish
	$(Q)tests/completion/run $(BUILD)

schema: all ## the configuration's JSON Schema beside Ballast's own reader
	$(Q)tests/schema/run $(BUILD)

package: all ## the manual, the Debian package (installed, run, removed) and krew's manifest
	$(Q)$(MAKE) --no-print-directory deb krew KREW_URI=https://127.0.0.1/ballast.tar.gz
	$(Q)tests/package/run

roots: deps ## the README's commands in fresh minimal roots of Debian 12 and 13: DEBIAN=trixie for one
	$(Q)tests/roots/run $(or $(DEBIAN),bookworm trixie)

cross: all ## build for another architecture in a minimal Debian 12, and run the unit tests under QEMU: CROSS=arm64
	$(Q)tests/roots/cross $(or $(CROSS),arm64)

image: all ## the container image, built by buildah as root, run and looked at: IMAGES="amd64 arm64" for which
	$(Q)tests/image/run $(BUILD) $(IMAGES)

lint: $(LIBRARY) $(PAGE_PARTS) $(BUILD)/commit.inc $(BUILD)/suites.inc ## layers, circles, headers, banned functions, formatting, clang-tidy, cppcheck, shellcheck
	$(Q)tests/lint/lint $(BUILD) $(CPPFLAGS)

demo: all ## plan, run and plan again on the fleet in examples/
	$(Q)examples/demo $(PROGRAM)

# --- the rest ---------------------------------------------------------------------------------

install: all ## install to DESTDIR/prefix, also as kubectl-ballast, with manual and completions
	install -D -m 755 $(PROGRAM) $(DESTDIR)$(bindir)/ballast
	ln -sf ballast $(DESTDIR)$(bindir)/kubectl-ballast
	install -m 755 packaging/kubectl_complete-ballast $(DESTDIR)$(bindir)/
	install -d $(DESTDIR)$(bashcompdir) $(DESTDIR)$(zshcompdir) $(DESTDIR)$(fishcompdir)
	$(RUNNER) $(PROGRAM) completion bash >$(DESTDIR)$(bashcompdir)/ballast
	ln -sf ballast $(DESTDIR)$(bashcompdir)/kubectl-ballast
	$(RUNNER) $(PROGRAM) completion zsh >$(DESTDIR)$(zshcompdir)/_ballast
	$(RUNNER) $(PROGRAM) completion fish >$(DESTDIR)$(fishcompdir)/ballast.fish
	install -d $(DESTDIR)$(datadir)/ballast $(DESTDIR)$(mandir)/man1
	$(RUNNER) $(PROGRAM) config schema >$(DESTDIR)$(datadir)/ballast/config.schema.json
	install -m 644 docs/ballast.1 docs/man/*.1 $(DESTDIR)$(mandir)/man1/
	ln -sf ballast.1 $(DESTDIR)$(mandir)/man1/kubectl-ballast.1
	ln -sf ballast-completion.1 $(DESTDIR)$(mandir)/man1/kubectl_complete-ballast.1

VERSION = $(shell sed -n 's/^\#define BALLAST_VERSION "\(.*\)"$$/\1/p' src/cli/options/version.h)
RELEASED = $(shell sed -n 's/^\#define BALLAST_DATE "\(.*\)"$$/\1/p' src/cli/options/version.h)
DEB_ARCH = $(or $(ARCH),$(shell dpkg --print-architecture))
KREW_ARCHIVE = build/krew/ballast-$(VERSION)-linux-$(DEB_ARCH).tar.gz

deb: deps ## build a Debian package: build/deb/ballast_VERSION_ARCH.deb
	$(Q)packaging/build-deb build/deb '$(VERSION)' '$(RELEASED)' $(ARCH)

chart-archive: ## build the Helm chart as a file: build/chart/ballast-VERSION.tgz
	$(Q)packaging/build-chart build/chart '$(VERSION)' '$(RELEASED)'

# Where it is published cannot be known here, and a manifest without it is none.
krew: all ## build an archive for krew and its manifest, in build/krew/: KREW_URI=where the archive will be
	$(if $(KREW_URI),,$(error give KREW_URI=https://..., from where krew is to fetch the archive))
	$(Q)rm -rf build/krew && mkdir -p build/krew/root
	$(Q)install -m 755 $(PROGRAM) build/krew/root/kubectl-ballast && cp LICENSE build/krew/root/
	$(Q)tar -C build/krew/root --owner=0 --group=0 --sort=name -czf $(KREW_ARCHIVE) kubectl-ballast LICENSE
	$(Q)packaging/krew/manifest $(VERSION) $(DEB_ARCH) $(KREW_ARCHIVE) '$(KREW_URI)' >build/krew/ballast.yaml
	@echo $(KREW_ARCHIVE) build/krew/ballast.yaml

image-root: all ## what a container image holds: IMAGE_ROOT=DIR (cronjob/Containerfile calls it)
	$(Q)packaging/image-root $(PROGRAM) $(or $(IMAGE_ROOT),$(BUILD)/image) $(TRIPLET)

release: deps ## everything of a release, in build/release-VERSION/: ARCHS="amd64 arm64" RELEASE_URL=where it will be
	$(Q)RELEASE_URL='$(RELEASE_URL)' packaging/release $(ARCHS)

clean: ## remove build/
	rm -rf build

.PHONY: all help deps test unit conformance scenarios golden fleets manifests chart shards properties optimum simulate simulate-compare corpus sanitize threads \
	valgrind coverage fuzz bench browser e2e kube-scheduler estimator fault monitoring completion schema package roots cross image image-root release deb chart-archive krew lint demo install clean FORCE
.SECONDARY:
.DELETE_ON_ERROR:
-include $(ALL_OBJ:.o=.d)
