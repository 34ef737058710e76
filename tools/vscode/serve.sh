#!/usr/bin/env bash
# Opens the examples in a real VS Code with the extension, in a browser of yours.
#
# Usage: serve.sh [FOLDER]. Packages the extension, installs it into a fresh profile, and prints the
# address to open; Ctrl+C ends it. ADLSP_PYTHON names the interpreter (default: .venv of the
# repository, else python3), ADLSP_PORT the port (default: 8421).
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
cache=${ADLSP_VSCODE_CACHE:-$root/.vscode-test}
folder=$(cd "${1:-$root/examples}" && pwd)
port=${ADLSP_PORT:-8421}
python=${ADLSP_PYTHON:-$root/.venv/bin/python}
if ! command -v "$python" >/dev/null; then python=$(command -v python3); fi

"$here/setup.sh"
(cd "$root/vscode-extension" && npm run --silent package)

profile=$(mktemp -d "${TMPDIR:-/tmp}/adlsp-vscode-XXXXXX")
trap 'rm -rf "$profile"' EXIT
mkdir -p "$profile/user-data/Machine"
echo "auth: none" >"$profile/config.yaml"
printf '{"adlsp.interpreter": "%s", "security.workspace.trust.enabled": false}\n' "$python" \
    >"$profile/user-data/Machine/settings.json"

code_server() {
    EXTENSIONS_GALLERY='{}' node "$cache/node_modules/code-server/out/node/entry.js" \
        --config "$profile/config.yaml" \
        --user-data-dir "$profile/user-data" --extensions-dir "$profile/extensions" "$@"
}

code_server --install-extension "$root/vscode-extension/adlsp.vsix" >/dev/null
echo
echo "Open http://127.0.0.1:$port/?folder=$folder"
echo
code_server --bind-addr "127.0.0.1:$port" --auth none --disable-telemetry --disable-update-check \
    --disable-workspace-trust --disable-getting-started-override "$folder" >"$profile/log" 2>&1
