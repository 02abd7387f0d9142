#!/usr/bin/env bash
# The README's test command; `--no-fail-fast` so that the totals are those of all tests.
set -euo pipefail
cargo test --locked --no-fail-fast
