#!/usr/bin/env bash
# The client jury: the official clients of the three surfaces read our streams and the planted ones. Writes reports/JURY.md and reports/jury.json;
# --check writes nothing and fails if a client misreads what we write; --only WORD prints single readings.
# Needs Rust, Python 3.11 and npm, and PyPI and npm once; Node 22 comes from npm on Linux x64. All of it goes to target/jury or $STREAKSTONE_JURY.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
here=scripts/jury
home="${STREAKSTONE_JURY:-${CARGO_TARGET_DIR:-target}/jury}"
mkdir -p "$home/node"
home="$(cd "$home" && pwd)"

if ! cmp -s "$here/requirements.txt" "$home/python/requirements.txt"; then
    python3 -m venv --clear "$home/python"
    "$home/python/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps -r "$here/requirements.txt"
    cp "$here/requirements.txt" "$home/python/"
fi
cp "$here/clients.mjs" "$here/package.json" "$home/node/"
if ! cmp -s "$here/package-lock.json" "$home/node/installed.json"; then
    cp "$here/package-lock.json" "$home/node/"
    (cd "$home/node" && npm ci --loglevel=error --no-audit --no-fund >/dev/null)
    cp "$here/package-lock.json" "$home/node/installed.json"
fi

export PYTHONDONTWRITEBYTECODE=1
python3 -m unittest discover --quiet -s "$here"
rm -rf "$home/streams"
cargo run --locked --quiet --package streakstone-surfaces --example jury-streams -- "$home/streams"
exec python3 "$here/jury.py" "$home" "$@"
