#!/usr/bin/env bash
# Corpus, goldens and known lists are valid; then the main job, as a stranger types it.
set -euo pipefail
cargo build --release --locked
cargo run --release --locked -- check
cargo run --release --locked
