#!/usr/bin/env bash
# The documentation builds without a warning.
set -euo pipefail
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked
