#!/usr/bin/env bash
# Judges unsloth's pass-through healer: unsloth.sh --source DIR [PATTERN...] [--log FILE]. DIR: a checkout of unslothai/unsloth.
# `unsloth.sh serve --source DIR` is the adapter alone. It needs nothing but Python.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
if [ "${1:-}" != serve ]; then
    . "$root/scripts/peers/judge.sh"
    checkout unsloth.sh "$@"
fi
shift
exec "${PYTHON:-python3}" "$root/scripts/adapters/python/peers/unsloth_adapter.py" "$@"
