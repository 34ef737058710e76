#!/usr/bin/env bash
# Puts a copy of adlsp and of the pure Python packages that its server needs into the extension, so
# that the editor shows findings right after install, with any Python and nothing installed there.
#
# The copy is made again only when our sources or the pinned packages changed.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
target=$root/vscode-extension/bundled
pins=$root/tools/vscode/bundled.txt
python=${ADLSP_PYTHON:-$root/.venv/bin/python}
if ! command -v "$python" >/dev/null; then python=$(command -v python3); fi

state=$(cd "$root" && cat "$pins" "$root/tools/vscode/bundle.sh" "$root/tools/vscode/without_docs.py" pyproject.toml $(find adlsp -name '*.py' | LC_ALL=C sort) | cksum)
if [ "$(cat "$target/.made-from" 2>/dev/null)" = "$state" ]; then exit 0; fi

# Built from a copy: building in place leaves files behind, which the next build would take in.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R "$root/adlsp" "$root/pyproject.toml" "$root/README.md" "$root/LICENSE" "$work"

pip_install() {
    "$python" -m pip install -qq --disable-pip-version-check --root-user-action ignore \
        --no-deps --no-compile --target "$work/bundled" "$@"
}
pip_install --only-binary :all: --platform any --implementation py --python-version 3.10 -r "$pins"
pip_install "$work"
rm -rf "$work/bundled/bin"
# What only pip and type checkers read is left out.
find "$work/bundled" \( -name RECORD -o -name '*.pyi' \) -delete
# So is what packages say of themselves at length, behind the first empty line.
find "$work/bundled" -name METADATA -exec sed -i '/^$/,$d' {} +
# A server needs no clients, and no formats but JSON.
(
    cd "$work/bundled"
    rm -f pygls/client.py pygls/lsp/client.py pygls/lsp/_base_client.py astor/rtrip.py
    find cattrs/preconf -name '*.py' ! -name __init__.py ! -name json.py -delete
)
# What our functions say of themselves is read in the repository.
"$python" "$root/tools/vscode/without_docs.py" "$work/bundled/adlsp"
find "$work/bundled" -name __pycache__ -type d -prune -exec rm -rf {} +
rm -rf "$target"
mv "$work/bundled" "$target"
echo "$state" >"$target/.made-from"
