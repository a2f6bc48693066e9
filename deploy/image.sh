#!/bin/sh
# Puts what an image needs into a folder: the packed command with its packages, for one platform.
# usage: deploy/image.sh FOLDER [PREBUILT], where PREBUILT names a compiled library of SQLite.
set -eu

root=$(CDPATH='' cd -P "$(dirname "$0")/.." && pwd -P)
app=$1
mkdir -p "$app"
tarball=$app/$(cd "$root" && npm pack --silent --pack-destination "$app" | tail -1)
(cd "$app" && printf '{ "private": true }\n' >package.json &&
  npm install --silent --no-audit --no-fund "$tarball")
rm -f "$tarball"

# SQLite is compiled for one platform here, and nobody compiles it again.
prebuilt=${2-linuxmusl-$(node -p process.arch)}
sqlite=$app/node_modules/better-sqlite3
rm -rf "$sqlite/deps" "$sqlite/src"
find "$sqlite/prebuilds" -type f ! -name "$prebuilt.node" -delete
test -f "$sqlite/prebuilds/$prebuilt.node"
