#!/usr/bin/env bash
# Clippy pedantic, as the workspace lints say; a warning is an error.
set -euo pipefail
cargo clippy --workspace --all-targets --locked -- -D warnings
