#!/usr/bin/env bash
# npm @ai-sdk-tool/parser as a subject: installs it once, then speaks streak/1.
#   streakstone run --adapter scripts/peers/ai-sdk-tool.sh     (--fragments: its tool-input parts instead of its tool-call parts)
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
home=${STREAKSTONE_PEERS:-$root/target/peers}/ai-sdk-tool
if [ ! -e "$home/ready" ]; then
    mkdir -p "$home"
    echo '{"private": true}' > "$home/package.json"
    npm install --prefix "$home" --silent --no-audit --no-fund --save-exact @ai-sdk-tool/parser@4.1.26 >&2
    touch "$home/ready"
fi
exec node "$root/scripts/adapters/node/peers/ai-sdk-tool.mjs" --modules "$home" "$@"
