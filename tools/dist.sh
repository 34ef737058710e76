#!/usr/bin/env bash
# Builds what is handed out into dist/: sdist and wheel, and the extension as a .vsix.
#
# Reaches the package index and the npm registry.
set -euo pipefail

cd "$(dirname "$0")/.."
rm -rf dist
tools/packages.sh dist
tools/vscode/modules.sh
(cd vscode-extension && npm run --silent package >/dev/null)
version=$(sed -n 's/^VERSION = "\(.*\)"$/\1/p' adlsp/version.py)
mv vscode-extension/adlsp.vsix "dist/adlsp-$version.vsix"
ls dist
