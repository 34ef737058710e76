#!/usr/bin/env bash
# Puts a real VS Code (the npm package code-server) and a browser driver into a cache folder, and
# what the extension is built with beside the extension.
#
# The package's own install script downloads parts from elsewhere; installing without scripts and
# building the four native modules here needs nothing but the npm registry and a C++ compiler.
# Running it again does nothing. Prints what is missing, and fails, where it cannot help itself.
set -euo pipefail

code_server=4.96.4
playwright=1.65.1

root=$(cd "$(dirname "$0")/../.." && pwd)
cache=${ADLSP_VSCODE_CACHE:-$root/.vscode-test}
stamp=$cache/ready-$code_server-$playwright

missing() {
    echo "setup.sh: $1" >&2
    exit 3
}

find_browser() {
    local name
    for name in "${ADLSP_CHROMIUM:-}" chromium chromium-browser google-chrome; do
        if [ -n "$name" ] && command -v "$name"; then return; fi
    done
    return 1
}

install_browser() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null ||
        missing "no chromium on PATH; install it (Debian: apt-get install chromium)"
    apt-get update -qq >/dev/null
    apt-get install -y -qq --no-install-recommends chromium >/dev/null
}

# The headers that came with node, where they did; else node-gyp fetches them.
use_node_headers() {
    local prefix
    prefix=$(dirname "$(dirname "$(readlink -f "$(command -v node)")")")
    if [ -f "$prefix/include/node/node.h" ]; then export npm_config_nodedir=$prefix; fi
}

node_gyp() {
    local npm_root
    npm_root=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
    node "$npm_root/node_modules/node-gyp/bin/node-gyp.js" "$@"
}

build_code_server() {
    local package=$cache/node_modules/code-server
    (
        cd "$package/lib/vscode"
        rm -f npm-shrinkwrap.json
        npm install --omit=dev --ignore-scripts --legacy-peer-deps --no-fund --no-audit
        npm rebuild @vscode/spdlog native-watchdog node-pty @parcel/watcher
        ln -sfn node_modules node_modules.asar
    )
    (
        cd "$(dirname "$(node -p "require.resolve('argon2/package.json', {paths: ['$package']})")")"
        node_gyp rebuild --module="$PWD/lib/binding/napi-v3/argon2.node" --module_name=argon2 \
            --module_path="$PWD/lib/binding/napi-v3" --napi_build_version=3
    )
}

command -v node >/dev/null || missing "no node on PATH; install Node.js 20"
[ "$(node -p 'process.versions.node.split(".")[0]')" = 20 ] ||
    missing "code-server $code_server needs Node.js 20, found $(node --version)"
find_browser >/dev/null || install_browser
if [ ! -f "$stamp" ]; then
    command -v c++ >/dev/null || missing "no C++ compiler on PATH; install one (Debian: apt-get install g++ make)"
    log=$cache/setup.log
    rm -rf "$cache/node_modules"
    mkdir -p "$cache"
    use_node_headers
    echo "setup.sh: installing code-server $code_server (about a minute; log in $log)"
    if ! {
        npm install --prefix "$cache" --no-save --ignore-scripts --no-fund --no-audit \
            "code-server@$code_server" "playwright-core@$playwright" &&
            build_code_server
    } >"$log" 2>&1; then
        tail -n 30 "$log" >&2
        missing "installing code-server failed"
    fi
    touch "$stamp"
fi
"$root/tools/vscode/modules.sh" || missing "what the extension is built with is missing"
echo "setup.sh: ready in $cache, browser $(find_browser)"
