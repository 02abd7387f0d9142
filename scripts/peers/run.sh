#!/bin/sh
# Builds one peer of harness/peers and judges it: run.sh PEER [ARGS...]. The peers' own scripts call it with what they need to add.
# TEMPLATES is the adapter's argument where it has one; ARGS go to `streakstone run`, for example --log FILE.
set -eu

peer=$1
shift
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
peers=$root/harness/peers
. "$root/scripts/peers/judge.sh"

cargo build --quiet --locked --release --manifest-path "$peers/Cargo.toml" --package "peer-$peer"
judge "'${CARGO_TARGET_DIR:-$peers/target}/release/peer-$peer'${TEMPLATES:+ '$TEMPLATES'}" "$@"
