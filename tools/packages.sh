#!/usr/bin/env bash
# Builds the source distribution, and from that the wheel, into a folder: packages.sh FOLDER.
#
# The module `build` fetches setuptools from the package index; nothing else is reached. Built from
# a copy: building in place leaves files behind, which the next build would take in.
set -euo pipefail

mkdir -p "$1"
out=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/.." && pwd)
python=${ADLSP_PYTHON:-$root/.venv/bin/python}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/source"
cp -R "$root/adlsp" "$root/pyproject.toml" "$root/README.md" "$root/LICENSE" "$work/source"
find "$work/source" -name __pycache__ -type d -prune -exec rm -rf {} +
if ! "$python" -m build --outdir "$work/built" "$work/source" >"$work/log" 2>&1; then
    tail -n 30 "$work/log" >&2
    exit 1
fi
mv "$work"/built/* "$out"
