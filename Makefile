# What one does with this repository; README.md tells more. Each target makes what it needs first.

.PHONY: demo vscode test lint types pytest pytest-vscode fuzz digest test-all-pythons benchmark dist clean

# Shows adlsp at work in the terminal: findings, a derivative, training, a stop in the backward sweep.
demo: .venv/.demo
	@.venv/bin/python tools/demo.py

# Opens the examples in a real VS Code with the extension, in a browser.
vscode: .venv/.demo
	@tools/vscode/serve.sh

# Tests everything, the extension in a real VS Code included. Where Node.js or a browser cannot be
# had, those tests are left out and it says so; with CI=true or ADLSP_REQUIRE_ALL=1 they must run.
test: lint types pytest pytest-vscode

lint: .venv/.test
	.venv/bin/ruff check
	.venv/bin/ruff format --check

types: .venv/.test
	.venv/bin/mypy

# Three processes for two processors, eight at most: those that debug others wait half of the time.
# None is given many tests at once, or one of them has the slow ones while the others have nothing.
WORKERS = $(shell n=$$(( ($$(nproc 2>/dev/null || echo 4) * 3 + 1) / 2 )); echo $$(( n < 8 ? n : 8 )))

pytest: .venv/.test
	.venv/bin/python -m pytest -q -rfEs -n $(WORKERS) --maxschedchunk 400 --ignore tests/extension

# Alone, as a person would have the editor: nothing else keeps it waiting.
pytest-vscode: .venv/.test
	.venv/bin/python -m pytest -q -rfEs tests/extension

# Derives thousands of random programs and compares with differences: PROGRAMS of each sort, from the
# seed FIRST on; repairs as many others, and compares what they compute before and after. A failure
# shows the smallest program that fails in the same way. What `make test` leaves out of products of
# programs, of samples and of cases (tests/thinning.py) is tried, too.
PROGRAMS = 1000
FIRST = 1000
fuzz: .venv/.test
	ADLSP_PROPERTY_PROGRAMS=$(PROGRAMS) ADLSP_PROPERTY_FIRST=$(FIRST) \
		.venv/bin/python -m pytest -q tests/property tests/tensors/test_random_tensors.py \
		tests/tensors/test_tensor_rules.py tests/rules/test_derivatives.py \
		tests/transform/test_cases.py

# Tells which derivatives a change touches: text, map and findings of all cases, samples and random
# programs, against the last commit (AGAINST=COMMIT: another), with SHOW=N of the differences.
AGAINST =
SHOW = 0
digest: .venv/.test
	@.venv/bin/python tools/digest.py $(if $(AGAINST),--against $(AGAINST)) --show $(SHOW)

# Runs the tests of the Python package on each Python from 3.10 that is installed.
test-all-pythons:
	@tools/all_pythons.sh

# Measures gradients against primals and against gradients written by hand; benchmarks/README.md
# has the tables. JAX is measured too if it is installed in .venv.
benchmark: .venv/.test
	@.venv/bin/python -m benchmarks.run

# Builds sdist and wheel, and the extension (needs Node.js 20), into dist/.
dist: .venv/.dist
	@tools/dist.sh

clean:
	rm -rf dist .venv .venv-* adlsp.egg-info .vscode-test artifacts vscode-extension/node_modules
	rm -rf vscode-extension/out vscode-extension/bundled vscode-extension/*.vsix
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .digest

.venv/.demo: pyproject.toml tools/environment.sh
	@tools/environment.sh .venv .
	@touch $@

.venv/.test: pyproject.toml tools/environment.sh
	@tools/environment.sh .venv ".[test]"
	@touch .venv/.demo $@

.venv/.dist: pyproject.toml tools/environment.sh
	@tools/environment.sh .venv ".[dist]"
	@touch .venv/.demo $@
