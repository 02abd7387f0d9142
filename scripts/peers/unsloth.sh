#!/usr/bin/env bash
# Judges unsloth's pass-through healer: unsloth.sh --source DIR [PATTERN...] [--log FILE]. DIR: a checkout of unslothai/unsloth.
# `unsloth.sh serve --source DIR` is the adapter alone. It needs nothing but Python.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
if [ "${1:-}" != serve ]; then
    [ "${1:-}" = --source ] && [ -d "${2:-}" ] || { echo "usage: $0 --source DIR [OPTION of streakstone run...]" >&2; exit 2; }
    . "$root/scripts/peers/judge.sh"
    source=$(cd "$2" && pwd)
    shift 2
    judge "'$root/scripts/peers/unsloth.sh' serve --source '$source'" "$@"
fi
shift
exec "${PYTHON:-python3}" "$root/scripts/adapters/python/peers/unsloth_adapter.py" "$@"
