#!/usr/bin/env bash
# Makes a virtual environment, unless it is there, and installs adlsp into it from this repository.
#
# Usage: environment.sh FOLDER WHAT, where WHAT is `.` or `.[test]`. PYTHON names the interpreter;
# without it, the first on the PATH is taken that is Python 3.10 or later.
set -euo pipefail

folder=$1 what=$2
cd "$(dirname "$0")/.."

fail() {
    echo "environment.sh: $1" >&2
    exit 1
}

find_python() {
    local name
    for name in ${PYTHON:-python3 python3.13 python3.12 python3.11 python3.10 python}; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
            echo "$name"
            return
        fi
    done
    return 1
}

if ! "$folder/bin/python" -m pip --version >/dev/null 2>&1; then
    python=$(find_python) ||
        fail "found no Python 3.10 or later; install one, or name it: make PYTHON=/path/to/python"
    echo "Making a virtual environment in $folder with $("$python" --version)."
    if ! message=$("$python" -m venv --clear "$folder" 2>&1); then
        rm -rf "$folder"
        echo "$message" >&2
        fail "$python cannot make virtual environments; install what it lacks (Debian and Ubuntu: apt-get install python3-venv) and try again"
    fi
fi
echo "Installing adlsp."
"$folder/bin/python" -m pip install -qq --disable-pip-version-check -e "$what"
