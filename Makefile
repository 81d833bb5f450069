# Tubeline. `make` lists the targets.
SWIFT ?= swift
BUILD := $(SWIFT) build
RELEASE := .build/release
PREFIX ?= /usr/local

.DEFAULT_GOAL := help
.PHONY: help packages build release demo test test-kafka lint format sanitize thread-sanitizer address-sanitizer google-client acceptance contract-check manual-check chaos fuzz bench soak catalog-demo catalog-api browser-test browser-pictures clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

packages: ## install the Debian packages that build and tests need
	@scripts/install-packages all

build: packages ## build everything for debugging
	$(BUILD)

release: ## build the executables for use
	@scripts/install-packages build
	$(BUILD) -c release

demo: release ## harvest Apple, Google and Microsoft from the built-in API double into videos.jsonl
	@scripts/demo

test: packages ## build and run all tests (they start their own redis-server, broker and stub)
	@scripts/test

test-kafka: packages ## run the tests that have to do with Kafka on the cluster at TEST_KAFKA (host:port), in topics of their own
	@scripts/test-kafka

lint: ## check the format of every Swift file
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests

format: ## format every Swift file
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests

sanitize: thread-sanitizer address-sanitizer ## run the tests under both sanitizers

thread-sanitizer: packages ## run the tests of the targets without Kafka under the thread sanitizer
	@scripts/sanitize thread

address-sanitizer: packages ## run the tests of the C wrappers under the address sanitizer
	@scripts/sanitize address

google-client: packages release ## check youtube-stub with Google's own client
	@"$$(scripts/python-env)" Tests/google_client/check.py --stub $(RELEASE)/youtube-stub

acceptance: packages release ## run the black box in ../shared against the executables
	@scripts/acceptance

contract-check: packages ## hold every message of a run with faults, and every example in the documents, to the published schemas
	@scripts/contract

manual-check: packages release ## hold manual pages and completions to man, mandoc and the shells
	@scripts/check-manual

catalog-demo: release ## run everything with made-up data, and print the address of the catalogue's page
	@scripts/catalog-demo

catalog-api: packages release ## let Schemathesis try the catalogue's API against its OpenAPI document
	@scripts/catalog-api

chaos: packages ## harvest while everything fails that can fail; CHAOS_SEED repeats a run, CHAOS_SECONDS and CHAOS_CHANNELS make it longer
	@scripts/chaos

fuzz: packages ## feed every reader with 100,000 broken inputs; FUZZ_CASES makes it longer, FUZZ_SEED and FUZZ_CASE repeat it
	@scripts/fuzz

bench: packages release ## measure records per second, CPU and memory, beside a Python peer; and the catalogue on a million videos
	@scripts/bench

soak: packages release ## harvest a million videos and look at the memory of every process
	@scripts/soak

browser-test: packages release ## drive the catalogue's page in headless Chromium; pictures of every step go to .build/screenshots
	@scripts/install-packages browser
	@scripts/browser-test

browser-pictures: packages release ## take the README's two pictures of the catalogue's page
	@scripts/install-packages browser
	@scripts/browser-test pictures

.PHONY: install deb deb-check image-check deploy-files deploy-check alerts-check rolling-restart
install: release ## install into PREFIX (/usr/local) below DESTDIR
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/install

deb: packages release ## make the Debian package, in .build/deb
	@scripts/deb

deb-check: packages release ## install, try and purge the Debian package in a fresh Debian root (as root)
	@scripts/deb-check

image-check: packages release ## run the Dockerfile's steps in a fresh Debian root, and try the image (as root); FULL=1 compiles there, too
	@python3 Tests/deploy/image_check.py $(if $(FULL),--full)

deploy-files: ## write what in deploy/ follows from the sources (topics, rights, rules for the Prometheus operator)
	@"$$(scripts/python-env deploy)" Tests/deploy/sources.py

deploy-check: packages ## check the Compose file, Kubernetes manifests, alert rules, dashboards, scripts and the Dockerfile
	@scripts/deploy-check

alerts-check: packages release ## harvest with faults under a real Prometheus, and see alerts fire and resolve
	@scripts/alerts-check

rolling-restart: packages release ## restart every worker during a harvest of 20,000 videos; TEST_KAFKA=host:port takes a real cluster
	@scripts/rolling-restart

clean: ## remove what was built
	rm -rf .build
