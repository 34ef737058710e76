#!/usr/bin/env bash
# Runs the tests of the Python package on each Python from 3.10 to 3.13 that is found, on the PATH
# or among pyenv's, each in an environment of its own. Further words go to pytest.
set -euo pipefail
cd "$(dirname "$0")/.."

find_python() {
    local path
    if path=$(command -v "python$1") && "$path" -c '' 2>/dev/null; then
        echo "$path"
        return
    fi
    command -v pyenv >/dev/null || return 1
    for path in "$(pyenv root)/versions/$1".*/bin/python; do
        if [ -x "$path" ]; then
            echo "$path"
            return
        fi
    done
    return 1
}

status=0
for version in 3.10 3.11 3.12 3.13; do
    if ! python=$(find_python "$version"); then
        echo "Python $version: not found, left out"
        continue
    fi
    PYTHON=$python tools/environment.sh ".venv-$version" ".[test]"
    echo "Python $version: running the tests"
    ".venv-$version/bin/python" -m pytest -q --ignore tests/extension -p no:cacheprovider "$@" || status=1
done
exit "$status"
