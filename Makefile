# The two commands: `make run` serves the console on port 8080, `make test` runs all tests.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: run test test-qdrant test-llm demo lint messages screenshots clean

run: .venv/run.stamp
	@$(BIN)/python manage.py prepare
	@PATH="$(CURDIR)/$(BIN):$$PATH" CONSOLE_LOG_FORMAT=$${CONSOLE_LOG_FORMAT:-text} $(BIN)/honcho start

# All tests on the embedded engines, then those that use a database or a server on PostgreSQL and Redis. Tests whose server is missing
# are named as skipped, and fail under REQUIRE_SERVICES=1. Only Qdrant has a target of its own: no package brings it.
TEST_POSTGRES_URL ?= postgresql://postgres@127.0.0.1:5432/postgres
TEST_REDIS_URL ?= redis://127.0.0.1:6379/9
export TEST_REDIS_URL
PYTEST := $(BIN)/python -m pytest
# each process with a database of its own; one more than two cores need, because some tests wait for servers to come back
SUITE := $(PYTEST) -n 3 --dist worksteal
test: .venv/dev.stamp
	@echo "== on SQLite"
	@env -u POSTGRES_URL -u REDIS_URL $(SUITE) -m "not postgres and not qdrant and not llm"
	@echo "== on PostgreSQL and Redis"
	@if $(BIN)/python -c "import psycopg; psycopg.connect('$(TEST_POSTGRES_URL)', connect_timeout=3)" 2>/dev/null; \
	then $(BIN)/python -c "import redis; redis.Redis.from_url('$(TEST_REDIS_URL)', socket_timeout=2).ping()" 2>/dev/null \
	&& export REDIS_URL=$(TEST_REDIS_URL); POSTGRES_URL=$(TEST_POSTGRES_URL) $(SUITE) -m "(database or postgres or redis) and not chromium and not qdrant and not llm and not sqlite"; \
	else $(PYTEST) -m postgres; fi

# The index contract, an outage and a load against a real Qdrant: VECTOR_DB_URL=http://127.0.0.1:6333 make test-qdrant
test-qdrant: .venv/dev.stamp
	@env -u VECTOR_DB_URL -u VECTOR_DB_API_KEY TEST_QDRANT_URL="$(VECTOR_DB_URL)" TEST_QDRANT_API_KEY="$(VECTOR_DB_API_KEY)" \
	$(PYTEST) -m qdrant

# The judge against a real model: the server at LLM_API_BASE, or else a small one that is installed here (its compiling
# takes some 15 minutes, once) and runs on this machine. A record of such a run is docs/llm-run.md.
LLM_VENV ?= var/llm-venv
test-llm: .venv/dev.stamp
	@if test -z "$(LLM_API_BASE)"; then test -x $(LLM_VENV)/bin/python || $(PYTHON) -m venv $(LLM_VENV); \
	$(LLM_VENV)/bin/pip install --quiet --disable-pip-version-check -r requirements-llm.txt; fi
	@env -u LLM_API_BASE -u LLM_MODEL -u LLM_API_KEY TEST_LLM_API_BASE="$(LLM_API_BASE)" TEST_LLM_MODEL="$(LLM_MODEL)" \
	TEST_LLM_API_KEY="$(LLM_API_KEY)" $(BIN)/python -m memory.tests.local_llm $(LLM_VENV)/bin/python $(PYTEST) -m llm -s

lint: .venv/dev.stamp
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .

demo: .venv/run.stamp
	@$(BIN)/python manage.py demo

messages: .venv/dev.stamp
	@$(BIN)/python manage.py makemessages -l zh_Hans --ignore=.venv --no-obsolete --no-wrap && $(BIN)/python manage.py compilemessages -l zh_Hans --ignore=.venv

# every page with the demo's memories, in both languages and themes: docs/pages.md (needs chromium and fonts-noto-cjk)
screenshots: .venv/dev.stamp
	@$(BIN)/python -m benchmarks.screenshots

.venv/run.stamp: requirements.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

.venv/dev.stamp: requirements-dev.txt .venv/run.stamp
	@$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

clean:
	rm -rf .venv var
