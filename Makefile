# Decides how everything is started: `make run` for a club, `make test` for whoever changes the code; `make help` lists all.
# Nothing has to be prepared by hand: each target makes what it needs, and a second call skips what is already there.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup run test lint measure assets bench soak screenshots pictures messages requirements image

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
GERMAN := $(filter de%,$(firstword $(LANGUAGE) $(LC_ALL) $(LC_MESSAGES) $(LANG)))
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps

help: ## This list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | while IFS=$$'\t' read -r name what; do printf '  make %-13s %s\n' "$$name" "$$what"; done

setup: $(VENV)/.tools ## The environment in .venv/ with everything that running, testing and linting need

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "$(if $(GERMAN),Club Ledger braucht Python 3.11 oder neuer; zu wählen mit,Club Ledger needs Python 3.11 or newer; choose one with): make PYTHON=/path/to/python3 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
		|| { rm -rf $(VENV); echo "$(if $(GERMAN),Python kann hier keine virtuelle Umgebung anlegen; unter Debian hilft,Python cannot make a virtual environment here; on Debian this helps): apt install python3-venv"; exit 1; }

$(VENV)/.pins: requirements.txt | $(BIN)/python
	@echo "$(if $(GERMAN),Club Ledger wird in $(VENV)/ installiert,Installing what Club Ledger is built from into $(VENV)/) ..."
	@$(PIP) -r requirements.txt
	@touch $@

$(VENV)/.tools: requirements-dev.txt $(VENV)/.pins
	@echo "Installing the tools for tests into $(VENV)/ ..."
	@$(PIP) -r requirements-dev.txt
	@touch $@

run: free-port $(VENV)/.pins ## Club Ledger for everybody in this network (HOST, PORT, SECRET_KEY, DATABASE_URL, ALLOWED_HOSTS; DEMO=0 without a demo club)
	@exec $(BIN)/python -m clubledger.serve

.PHONY: free-port
free-port:
	@$(PYTHON) -m clubledger.server.port

test: $(VENV)/.tools ## Everything in its short form on SQLite, what a database decides on PostgreSQL where one answers, and in a real browser
	@$(BIN)/python -m tests.everything $(ARGS)

lint: $(VENV)/.tools ## ruff, mypy (strict, on everything but migrations), the types of the scripts, whether built/ is up to date, the templates, the models against their migrations, bandit, and the deploy check
	$(BIN)/ruff check .
	$(BIN)/mypy
	@$(BIN)/python -m tests.typecheck
	$(BIN)/djlint templates scoring --lint --quiet
	@find templates scoring -name '*.html' -print0 | xargs -0 $(BIN)/djade --check
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/bandit --configfile pyproject.toml --recursive --quiet clubledger scoring manage.py
	@# As the server of docs/server.md has it, with a key that is nobody's.
	HTTPS=1 TRUSTED_PROXIES=1 ALLOWED_HOSTS=club.example SECRET_KEY="$$($(BIN)/python -c 'import secrets; print(secrets.token_urlsafe(64))')" \
		$(BIN)/python manage.py check --deploy --fail-level WARNING

measure: $(VENV)/.tools ## How large everything is, beside the limits that it should keep
	@$(BIN)/python -m tests.measure

assets: node_modules/.package-lock.json ## Build the scripts and styles of the pages: assets/ into built/, with node and npm
	@npm run --silent build

node_modules/.package-lock.json: package-lock.json
	@npm ci --ignore-scripts --silent
	@touch $@

bench: $(VENV)/.tools ## How fast the rules are, and the table on a slow phone
	@$(BIN)/python -m tests.bench

soak: export SOAK := 1
soak: $(VENV)/.tools ## What takes longer: long forms, then everything else on both databases with many more random cases
	@$(BIN)/python -m pytest -m soak $(ARGS)
	@url=$$($(BIN)/python -c 'from tests.everything import postgresql; print(postgresql() or "")'); \
		if [ -z "$$url" ]; then echo "NOT RUN: the same on PostgreSQL; start a local server, or set TEST_DATABASE_URL"; \
		else DATABASE_URL="$$url" $(BIN)/python -m pytest -m soak $(ARGS); fi
	@echo "The server once more with an SQLite that has no write-ahead log"
	@PYTHONPATH=tests/without_log $(BIN)/python -m pytest -n 2 tests/clubledger tests/soak
	@$(BIN)/python -m tests.everything $(ARGS)

screenshots: $(VENV)/.tools ## Every page at 320, 360 and 1280 px, light and dark, into var/screenshots/
	@$(BIN)/python -m tests.browser.screenshots $(ARGS)

pictures: $(VENV)/.tools ## The icons, and the pictures of the help, of a demo club, into scoring/static/scoring/
	@$(BIN)/python -m tests.browser.icons
	@$(BIN)/python -m tests.browser.pictures

story: $(VENV)/.tools ## A club founded, and ten games of a written sheet, tap by tap, recorded into var/story/ (docs/testing.md says how to watch)
	@$(BIN)/python -m pytest tests/stories/test_founding.py tests/stories/test_written_sheet.py --tracing on --output var/story $(ARGS)

messages: $(VENV)/.tools ## Gather the interface's sentences and compile their translations
	$(BIN)/python manage.py makemessages --locale en --no-obsolete --no-wrap --add-location file \
		--ignore '$(VENV)/*' --ignore 'tests/*' --ignore 'var/*' --ignore 'node_modules/*'
	$(BIN)/python manage.py compilemessages --locale en --locale de --ignore '$(VENV)/*' --ignore 'var/*' --ignore 'node_modules/*'

requirements: $(VENV)/.tools ## Compile the pins in requirements*.txt again from pyproject.toml
	CUSTOM_COMPILE_COMMAND="make requirements" $(BIN)/pip-compile --upgrade --output-file requirements.txt pyproject.toml
	CUSTOM_COMPILE_COMMAND="make requirements" $(BIN)/pip-compile --upgrade --extra dev --constraint requirements.txt --output-file requirements-dev.txt pyproject.toml

image: export BUILDAH_FORMAT := docker
image: ## The container image `clubledger`, with podman, buildah or docker (IMAGE_OPTIONS: what these take, for example --build-arg BASE=…)
	@builder=$$(command -v podman || command -v buildah || command -v docker) \
		|| { echo "An image is built by podman, buildah or docker; none of them is here."; exit 1; }; \
	$$builder build $(IMAGE_OPTIONS) --file Containerfile --tag clubledger .
