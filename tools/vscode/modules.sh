#!/usr/bin/env bash
# Puts what the extension is built with beside it, from the npm registry, unless it is there.
set -euo pipefail

extension=$(cd "$(dirname "$0")/../../vscode-extension" && pwd)
command -v npm >/dev/null || {
    echo "modules.sh: no npm on PATH; install Node.js 20" >&2
    exit 3
}
if cmp -s "$extension/package-lock.json" "$extension/node_modules/.built-from"; then exit 0; fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! (cd "$extension" && npm ci --ignore-scripts --no-fund --no-audit) >"$log" 2>&1; then
    tail -n 30 "$log" >&2
    echo "modules.sh: npm ci of the extension failed" >&2
    exit 3
fi
cp "$extension/package-lock.json" "$extension/node_modules/.built-from"
