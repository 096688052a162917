# Large Margins: `make book` and `make test` do everything from a bare machine. `make help` lists the rest.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
PYTHON ?= python3
RUN := .venv/bin/python
PYTEST := $(RUN) -m pytest
# As many processes side by side as there are cores, and 2 GB of memory for each.
JOBS ?= $(shell $(PYTHON) -c 'import os; ask = os.sysconf; \
  cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(); \
  print(max(1, min(cores, round(ask("SC_PAGE_SIZE") * ask("SC_PHYS_PAGES") / 2e9))))')
PROCESSOR ?= machine
ONE_THREAD := OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 # JOBS processes run side by side, on small matrices

.PHONY: help setup book test test-notebooks test-fast test-portable bench lab serve pdf slides exam address notebooks release grade reproduce evidence pages check size links lock system clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 16

setup: ## create .venv and install the exact versions of requirements.lock (skipped when done)
	@$(PYTHON) tools/bootstrap.py

book: setup ## execute the chapters, build the site, print its path
	@$(RUN) -m _ext.problems
	@JOBS=$(JOBS) .venv/bin/jupyter-book build . -W -n --keep-going --quiet

test: book test-notebooks test-fast ## everything: notebooks (PROCESSOR=farthest as another computes them), then all other tests

test-notebooks: setup # nbval compares every printed number of every notebook; sliders write down what they say
	@rm -rf _build/sentences; mkdir -p _build/sentences
	MLLIB_SENTENCES="$$PWD/_build/sentences" $(ONE_THREAD) $(RUN) -m tools.portable $(PROCESSOR) --run $(PYTEST) --nbval --nbval-cell-timeout=300 -n $(JOBS) --dist loadscope chapters labs

test-fast: setup
	$(ONE_THREAD) $(PYTEST) -n $(JOBS) --doctest-modules tests mllib grader

test-portable: setup ## compute as other processors would: PROCESSORS="prescott zen" PARTS="notebooks doctests tests" for some
	@$(RUN) -m tools.portable $(PROCESSORS) $(if $(PARTS),--parts $(PARTS)) --jobs $(JOBS)

lab: setup ## open JupyterLab on the labs; chapters and plain notebooks are one folder up; SOLUTIONS=1 shows labs/source
	@$(RUN) -m tools.plain
	@if [ "$$(id -u)" = 0 ]; then \
	  echo "You are root, as in a container, so JupyterLab starts with --allow-root: all that it runs is root, too."; fi
	.venv/bin/jupyter lab --LabApp.default_url=/lab/tree/labs $(if $(filter 0,$(shell id -u)),--allow-root) \
	  $(if $(SOLUTIONS),,--ContentsManager.hide_globs=source --ContentsManager.hide_globs=exams --ContentsManager.hide_globs=__pycache__)

serve: setup ## show the site at http://127.0.0.1:8000 and rebuild it as you edit
	@JOBS=$(JOBS) $(RUN) -m tools.serve

pdf: book ## print the whole book to one PDF (optional; needs what `make system` installs)
	@$(RUN) -m tools.pdf

slides: book ## slides of a chapter, with living sliders: make slides NAME=04-boosting
	@$(RUN) -m tools.slides "$(NAME)"

exam: setup ## an examination from the bank, with solutions: make exam CHAPTERS="04 10" SEED=7 (PER=2 problems of each)
	@$(RUN) -m tools.exam $(CHAPTERS) --seed $(or $(SEED),1) --per $(or $(PER),2)

address: setup ## say where the course lives: make address URL=https://github.com/owner/name (SITE=, BRANCH=)
	@$(RUN) -m tools.address "$(URL)" --site "$(SITE)" --branch "$(BRANCH)"

notebooks: setup ## execute the notebooks and write them back in the form that git keeps
	@$(RUN) -m tools.normalise --jobs $(JOBS)

release: setup ## make the students' labs from labs/source
	@$(RUN) -m grader release

grade: setup ## mark a folder of submissions, one folder a student in it: make grade SUBMISSIONS=folder
	@$(RUN) -m grader grade "$(SUBMISSIONS)"

reproduce: setup ## run published experiments again (slow); EXPERIMENTS="ten_points letters" for some
	$(ONE_THREAD) $(RUN) -m benchmarks.reproduce $(EXPERIMENTS)

# Kernels are told by PYTHONWARNINGS, pytest by -W, that the sentence about it is no error.
WITHOUT = mllib has no numba here
test-without-numba: setup ## doctests, theorem tests and the labs' solutions where numba cannot be had
	export PYTHONPATH="$$PWD/tests/without_numba" PYTHONWARNINGS="ignore:$(WITHOUT)" $(ONE_THREAD); \
	$(PYTEST) -q -n $(JOBS) -W "ignore:$(WITHOUT)" --doctest-modules mllib tests/mllib/test_without_numba.py tests/theorems; \
	$(PYTEST) -q -n $(JOBS) --nbval --nbval-cell-timeout=1200 --dist loadscope labs/source

evidence: setup ## run what chapters rest on and is out of date, draw by draw; EXPERIMENTS="06_contest" for some
	@$(ONE_THREAD) $(RUN) -m benchmarks.evidence $(EXPERIMENTS) --jobs $(JOBS)

bench: setup ## the promises of speed, held on this machine; QUICK=1 what guards them, ROWS="svm-large growth" some
	@$(RUN) -m benchmarks $(if $(QUICK),--quick) $(if $(BOOK),--book) $(ROWS)

pages: book ## measure every built page: weight, requests, first picture, axe, width on a phone
	@$(RUN) -m benchmarks.pages

check: setup ## lint only: ruff, spelling, layers, normalised notebooks
	$(PYTEST) -q tests/contract

size: setup ## lines of code: the house, each file of mllib, the files that a fit crosses (tests hold budgets)
	@$(RUN) -m tools.size
	@$(RUN) -m tests.crossed

links: book ## ask every site that a page links to whether the link still works (needs the network)
	@.venv/bin/jupyter-book build . --builder linkcheck -W -n --keep-going --quiet

lock: ## resolve requirements.lock anew (needs uv)
	uv pip compile --no-strip-extras pyproject.toml --extra book --extra lab --extra test --extra dask --universal \
	  --generate-hashes --python-version 3.11 --no-emit-index-url --no-header -o requirements.lock

system: ## install the Debian packages that some tests and the PDF need (Chromium, bubblewrap, poppler)
	@missing=""; for pair in chromium:chromium chromedriver:chromium-driver bwrap:bubblewrap pdfinfo:poppler-utils; do \
	  command -v "$${pair%%:*}" > /dev/null || missing="$$missing $${pair##*:}"; done; \
	if [ -z "$$missing" ]; then echo "Chromium, its driver, bubblewrap and poppler are here."; exit 0; fi; \
	if ! command -v apt-get > /dev/null; then echo "Install by hand:$$missing (no apt-get on this system)"; exit 1; fi; \
	sudo=""; [ "$$(id -u)" = 0 ] || sudo=sudo; failed=""; $$sudo apt-get update; \
	for package in $$missing; do \
	  $$sudo apt-get install -y --no-install-recommends "$$package" || failed="$$failed $$package"; done; \
	if [ -n "$$failed" ]; then echo "Not installed:$$failed (Ubuntu has Chromium as a snap only)"; exit 1; fi

clean: ## remove what was built (not .venv)
	rm -rf _build
