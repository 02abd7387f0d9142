#!/usr/bin/env bash
# N random replies (a million by default) over all dialects, written by their encoders and cut at random, from seed S (1 by default).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cargo run --release --locked -- run --generated "${1:-1000000}" --seed "${2:-1}"
