#!/bin/sh
# Builds one peer of harness/peers and judges it: run.sh PEER [ARGS...]; the peers' own scripts call it, with what they need to add.
# PLANS overrides the plans, ADAPTER_ARGS are words for the adapter's command line, the rest goes to `streakstone run`.
set -eu

peer=$1
shift
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
peers=$root/harness/peers
# Cut families that say most in the least time: what servers do, and every cut into two.
plans=${PLANS:-whole,given,tokens,special-tokens,bursts,last-with-finish,every-cut,chars,reuse}

cargo build --quiet --locked --release --manifest-path "$peers/Cargo.toml" --package "peer-$peer"
cargo build --quiet --locked --release --manifest-path "$root/Cargo.toml" --bin streakstone
adapter=${CARGO_TARGET_DIR:-$peers/target}/release/peer-$peer
streakstone=${CARGO_TARGET_DIR:-$root/target}/release/streakstone
cd "$root"
exec "$streakstone" run --adapter "$adapter${ADAPTER_ARGS:+ $ADAPTER_ARGS}" --plan "$plans" "$@"
