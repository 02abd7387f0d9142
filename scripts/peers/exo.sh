#!/usr/bin/env bash
# exo as a subject: sets it up once, then speaks streak/1.
#   streakstone run --adapter "scripts/peers/exo.sh --source DIR"     DIR: a checkout of exo-explore/exo
# Wants Python 3.13, as exo does; another one by PYTHON=. The packages go to target/peers/exo.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
home=${STREAKSTONE_PEERS:-$root/target/peers}/exo
if [ ! -e "$home/ready" ]; then
    "${PYTHON:-python3.13}" -m venv "$home" >&2
    "$home/bin/pip" install --quiet pydantic loguru regex anyio aiofiles tomlkit openai-harmony >&2
    # Its tool parsers and templates are plain Python; mlx itself is not needed.
    "$home/bin/pip" install --quiet --no-deps mlx-lm==0.32.2 >&2
    touch "$home/ready"
fi
exec "$home/bin/python" "$root/scripts/adapters/python/peers/exo_adapter.py" "$@"
