# Everything a contributor runs. `make` alone lists it.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=

BUILD_FLAGS := --explicit-target-dependency-import-check error
# The command starts faster, and runs where no Swift is installed, with the runtime inside.
STATIC_FLAGS = -c release --static-swift-stdlib $(if $(STATIC_LIBRARIES),$(LINK_ALL))
RELEASE_FLAGS = $(STATIC_FLAGS) --product cairn
# With the C libraries inside too nothing is left to load, and a process starts in half the time.
STATIC_LIBRARIES = $(and $(wildcard /usr/lib/*/liblmdb.a),$(wildcard /usr/lib/*/libicudata.a),$(wildcard /usr/lib/*/libstemmer.a),$(wildcard /usr/lib/*/libsqlite3.a),$(wildcard /usr/lib/*/libexpat.a),$(wildcard /usr/lib/*/libz.a),$(wildcard /usr/lib/*/liblzma.a),$(wildcard /usr/lib/*/libssl.a),$(wildcard /usr/lib/*/libcrypto.a),$(wildcard /usr/lib/*/libc.a))
LINK_ALL := -Xswiftc -static-executable $(addprefix -Xlinker ,-licui18n -licuuc -licudata -lstdc++ -lm --strip-debug)
RELEASE_BINARY = $(shell $(SWIFT) build $(RELEASE_FLAGS) --show-bin-path)/cairn
# What `cairn --version` names; empty outside a checkout.
COMMIT = $(shell git describe --always --dirty=+ 2>/dev/null)
# With the engine from PyPI that search is measured beside; the shell looks, since make looks too early.
PYTHON := $$(ls .build/peers/bin/python3 2>/dev/null || echo python3)
FORMATTED := Package.swift Sources Tests Migrations

.DEFAULT_GOAL := help
.PHONY: help deps build release demo pages demo-schema test bench benchstore benchproduct benchserver benchsearch benchfacets benchgrowth benchimport benchpages docs format lint sanitize fuzz promises home hostile past site servertrial consumer \
  install uninstall migration migrationdigests deb debtrial tarball testrelease speed

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

deps: ## install the C libraries that are missing (instant when none is)
	@Tools/deps

build: deps ## debug build, warnings are errors
	$(SWIFT) build --build-tests $(BUILD_FLAGS)

release: deps ## the command as users run it, with all libraries inside where they can be
	@CAIRN_COMMIT=$(COMMIT) $(SWIFT) build $(RELEASE_FLAGS)

demo: release ## watch this checkout's history become a searchable activity history
	@Tools/demo "$(RELEASE_BINARY)"

pages: release ## SHOTS=DIR ITEMS=1000000: drive the pages by keyboard in Chromium, held to axe-core; or time them
	@$(PYTHON) Tools/pages/check.py "$(RELEASE_BINARY)" $(if $(SHOTS),--shots $(SHOTS)) $(if $(ITEMS),--items $(ITEMS))

demo-schema: release ## ARTICLES=100000: a week of schema changes, every answer on the way checked
	@Tools/demo-schema "$(RELEASE_BINARY)" $(ARTICLES)

# Four tests at a time: with all begun at once, ended children of exit tests wait for their turn, and
# the thread of the testing library that looks for them takes a processor meanwhile.
test: ## the whole test suite
	@Tools/deps data
	SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=4 $(SWIFT) test --disable-xctest $(BUILD_FLAGS)

testrelease: deps ## TESTS=REGEX: the suite, or a part of it, optimised as users run it
	@Tools/deps data
	$(SWIFT) test -c release --scratch-path .build/promises -Xswiftc -enable-testing --disable-xctest \
	  $(BUILD_FLAGS) $(if $(TESTS),--filter '$(TESTS)')

migration: ## NAME=titles_lose_blanks KIND=upcaster|projection|format|repair: begin a step
	@Tools/migration/new "$(NAME)" "$(KIND)"

migrationdigests: ## note new steps and fixtures in Migrations/DIGESTS
	@Tools/migration/digests

bench: ## speed as ratios to others in four Markdown tables: benchstore, benchsearch, benchproduct, benchfacets
	@held=0; for table in benchstore benchsearch benchproduct benchfacets; do \
	  $(MAKE) --no-print-directory $$table || held=$$?; \
	done; exit $$held

benchstore: ## ROWS=1000000: appends, folds, rankings and purges beside SQLite, fdatasync and zoxide
	@Tools/deps bench
	@CAIRN_BENCH=1 $(SWIFT) build $(RELEASE_FLAGS)
	@CAIRN_BENCH=1 $(SWIFT) build $(STATIC_FLAGS) --product CairnBench
	@Tools/bench/run "$(RELEASE_BINARY)" "$(dir $(RELEASE_BINARY))CairnBench" $(ROWS)

benchproduct: release ## SEARCH="small keep DIR": searches through the command beside tantivy
	@Tools/deps bench
	@$(PYTHON) Tools/bench/product.py "$(RELEASE_BINARY)" $(SEARCH)

benchsearch: ## SEARCH="small keep DIR": the text index alone beside tantivy, SQLite FTS5 and Xapian, one table
	@Tools/deps bench
	@CAIRN_BENCH=1 $(SWIFT) build $(STATIC_FLAGS) --product CairnBench
	@$(PYTHON) Tools/bench/search.py "$(dir $(RELEASE_BINARY))CairnBench" $(SEARCH)

benchserver: ## SERVER="items N import MB only WORD": the server beside its engine, Datasette and aw-server
	@Tools/deps bench
	@CAIRN_BENCH=1 $(SWIFT) build $(RELEASE_FLAGS)
	@CAIRN_BENCH=1 $(SWIFT) build $(STATIC_FLAGS) --product CairnBench
	@$(PYTHON) Tools/bench/server.py "$(RELEASE_BINARY)" "$(dir $(RELEASE_BINARY))CairnBench" $(SERVER)

benchfacets: release ## ITEMS="1000000 keep DIR": counts, orders and ranges by declared attributes beside tantivy's fast fields
	@Tools/deps bench
	@$(PYTHON) Tools/bench/facets.py "$(RELEASE_BINARY)" $(ITEMS)

benchgrowth: release ## GROWTH="keep DIR measure": search as texts grow, change and are asked of the past
	@CAIRN_BENCH=1 $(SWIFT) build $(STATIC_FLAGS) --product CairnBench
	@$(PYTHON) Tools/bench/growth.py "$(RELEASE_BINARY)" "$(dir $(RELEASE_BINARY))CairnBench" $(GROWTH)

benchimport: release ## IMPORT="--chromium 1000000": histories read and imported beside other readers of them
	@Tools/deps peers
	@rm -rf .build/benchimport && $(PYTHON) -B Tools/bench/imports.py "$(RELEASE_BINARY)" .build/benchimport $(IMPORT)

benchpages: release ## MARKUP="--pages FOLDER": pages read from disk beside extruct
	@Tools/deps peers
	@rm -rf .build/benchpages && $(PYTHON) -B Tools/bench/markup.py "$(RELEASE_BINARY)" .build/benchpages $(MARKUP)

speed: ## GROWTH="keep DIR": write the article of speed from a run of `make bench`, and of benchgrowth where asked
	@Tools/bench/article >.build/Speed.md; held=$$?; mv .build/Speed.md Sources/Cairn/Cairn.docc/Speed.md; exit $$held

docs: deps ## the reference of both libraries, in .build/docs
	@SWIFT="$(SWIFT)" Tools/docs

format: ## bring every Swift file into the house style
	$(SWIFT) format -i --parallel --recursive $(FORMATTED)

lint: ## say what `make format` would change, and what it cannot
	$(SWIFT) format lint --strict --parallel --recursive $(FORMATTED)

consumer: deps ## the README's programs, built in a package outside this checkout
	@Tools/consumer

sanitize: deps ## TESTS=REGEX: the suite, or a part of it, under the thread and the address sanitizer
	@SWIFT="$(SWIFT)" Tools/sanitize/run thread '$(TESTS)'
	@SWIFT="$(SWIFT)" Tools/sanitize/run address '$(TESTS)'

fuzz: deps ## SECONDS=60 DECODERS=: every decoder under libFuzzer, each so long
	@CAIRN_FUZZ=1 $(SWIFT) build -c release --sanitize fuzzer --scratch-path .build/fuzz \
	  --product CairnFuzz -Xswiftc -enable-testing
	@Tools/fuzz .build/fuzz/release/CairnFuzz $(or $(SECONDS),60) $(DECODERS)

promises: deps ## SEED=1: 10,000 lives, 10,000 queries, 500 flipped bytes, 100 kills, 200 races, optimised
	@Tools/deps data
	CAIRN_LIVES=10000 CAIRN_QUERIES=10000 CAIRN_FLIPS=500 CAIRN_KILL_ROUNDS=100 CAIRN_RACES=200 CAIRN_POINTS=all $(if $(SEED),CAIRN_SEED=$(SEED)) \
	  $(MAKE) testrelease TESTS='$(or $(TESTS),RandomLife|LongExactness|FlippedBit|KillTests|RaceTests|Real git|film ratings)'

home: release ## EVENTS=2000000: forty-eight programs' histories as one, searched, purged and imported again
	@rm -rf .build/home && python3 -B Tools/home/check.py "$(RELEASE_BINARY)" .build/home --events $(or $(EVENTS),2000000)

hostile: release ## MEGABYTES=64: files that nobody should give an importer, each read or refused in clear lines
	@rm -rf .build/hostile && python3 -B Tools/home/hostile.py "$(RELEASE_BINARY)" .build/hostile --megabytes $(or $(MEGABYTES),64)

site: release ## PAGES=10000: a crawl of a site that does to crawlers what sites do, killed and repeated
	@rm -rf .build/site && python3 -B Tools/site/check.py "$(RELEASE_BINARY)" .build/site --pages $(or $(PAGES),10000)

servertrial: release ## KILLS=100 RESTARTS=20 FEED=40000: the server killed and restarted under work, its feed under 50 readers
	@Tools/deps client
	@$(PYTHON) Tools/servertrial.py "$(RELEASE_BINARY)" kills $(or $(KILLS),100) restarts $(or $(RESTARTS),20) feed $(or $(FEED),40000)

past: release ## ITEMS=1000 VERSIONS=1000: past points of long histories against replayed stores, and what diff costs
	@rm -rf .build/past && python3 -B Tools/past.py "$(RELEASE_BINARY)" .build/past \
	  --items $(or $(ITEMS),1000) --versions $(or $(VERSIONS),1000)

install: release ## PREFIX=/usr/local: the command, its completions, manual pages and units
	@Tools/install "$(RELEASE_BINARY)" "$(DESTDIR)$(PREFIX)"

uninstall: ## PREFIX=/usr/local: what `make install` put there
	@Tools/install --remove "$(DESTDIR)$(PREFIX)"

deb: release ## a Debian package in .build/packages, checked by lintian where it is
	@Tools/package deb "$(RELEASE_BINARY)" .build/packages

debtrial: deb ## installs that package in a bare Debian, uses it and takes it out
	@Tools/debtrial .build/packages

tarball: release ## the command with its pages and completions as a tarball, with its checksum
	@Tools/package tarball "$(RELEASE_BINARY)" .build/packages
