#!/usr/bin/env bash
# Judges npm @ai-sdk-tool/parser, installed once: ai-sdk-tool.sh [PATTERN...] [--log FILE]. FRAGMENTS=1: its tool-input parts instead of
# its tool-call parts. `ai-sdk-tool.sh serve` is the adapter alone.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
if [ "${1:-}" != serve ]; then
    . "$root/scripts/peers/judge.sh"
    judge "'$root/scripts/peers/ai-sdk-tool.sh' serve${FRAGMENTS:+ --fragments}" "$@"
fi
shift
home=${STREAKSTONE_PEERS:-$root/target/peers}/ai-sdk-tool
if [ ! -e "$home/ready" ]; then
    mkdir -p "$home"
    echo '{"private": true}' > "$home/package.json"
    npm install --prefix "$home" --silent --no-audit --no-fund --save-exact @ai-sdk-tool/parser@4.1.26 >&2
    touch "$home/ready"
fi
exec node "$root/scripts/adapters/node/peers/ai-sdk-tool.mjs" --modules "$home" "$@"
