#!/bin/sh
# Builds one peer of harness/peers and judges it: run.sh PEER [ARGS...]. The peers' own scripts call it with what they need to add.
# PLANS overrides the plans, TEMPLATES is the adapter's argument where it has one; ARGS go to `streakstone run`, for example --log FILE.
set -eu

peer=$1
shift
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
peers=$root/harness/peers
# What servers do, every cut into two, and one character at a time: what a report needs, in a fraction of the time of all plans.
plans=${PLANS:-whole,given,tokens,special-tokens,bursts,last-with-finish,every-cut,chars}

cargo build --quiet --locked --release --manifest-path "$peers/Cargo.toml" --package "peer-$peer"
cargo build --quiet --locked --release --manifest-path "$root/Cargo.toml" --bin streakstone
adapter="'${CARGO_TARGET_DIR:-$peers/target}/release/peer-$peer'${TEMPLATES:+ '$TEMPLATES'}"
streakstone=${CARGO_TARGET_DIR:-$root/target}/release/streakstone
exec "$streakstone" run --adapter "$adapter" --plan "$plans" "$@"
