#!/usr/bin/env bash
# unsloth's pass-through healer as a subject. It needs nothing but Python.
#   streakstone run --adapter "scripts/peers/unsloth.sh --source DIR"     DIR: a checkout of unslothai/unsloth
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
exec "${PYTHON:-python3}" "$root/scripts/adapters/python/peers/unsloth_adapter.py" "$@"
