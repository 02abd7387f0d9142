#!/usr/bin/env bash
# Every Rust file is as rustfmt writes it.
set -euo pipefail
cargo fmt --all --check
