#!/usr/bin/env bash
# The side-by-side bench with outside Rust parsers, and our verdicts against the project's targets.
#
#   scripts/peer-bench.sh [--ours] BENCH_DIR [OUT]
#
# BENCH_DIR is a checkout of the bench `tcbench`; it is only read. OUT (default target/peer-bench/out) gets its results,
# `tables.md` and `verdicts.md`. --ours measures our own parsers only and keeps the other rows of an earlier full run in OUT.
# SCRATCH (default target/peer-bench/src) is where the copy is built. Exit code 1: a target is missed.
set -euo pipefail

ours_only=0
if [ "${1:-}" = --ours ]; then ours_only=1; shift; fi
bench=$(realpath "${1:?usage: scripts/peer-bench.sh [--ours] BENCH_DIR [OUT]}")
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "${2:-$root/target/peer-bench/out}" "${SCRATCH:-$root/target/peer-bench/src}"
out=$(realpath "${2:-$root/target/peer-bench/out}")
copy=$(realpath "${SCRATCH:-$root/target/peer-bench/src}")

# Fresh sources; what cargo built and locked before stays.
rm -rf "$copy/src"
cp -r "$bench"/. "$copy"
chmod -R u+w "$copy"
cp "$root/harness/peers/tcbench/streakstone.rs" "$copy/src/peers/"
cat >> "$copy/Cargo.toml" <<TOML
streakstone-model = { path = "$root/harness/model" }
streakstone-parsers = { path = "$root/harness/parsers" }

[workspace]
TOML
sed -i -e 's|^pub fn all(.*|pub mod streakstone;\n\n&|' \
    -e 's|^    v$|    v.push(Box::new(streakstone::Streakstone::validated(tools)));\n    v.push(Box::new(streakstone::Streakstone::eager(tools)));\n    v|' \
    "$copy/src/peers/mod.rs"
grep -q 'Streakstone::eager' "$copy/src/peers/mod.rs" || { echo "$bench: src/peers/mod.rs has no list of peers to join" >&2; exit 3; }

# Memory that was used once stays mapped, for every peer: else each reading of 300 KB pays the kernel for its pages anew, which is most of
# the time of cells under 0.1 ms per 100 KB, and a step in their curve where the allocator begins to give memory back.
export MALLOC_TRIM_THRESHOLD_=1000000000 MALLOC_MMAP_THRESHOLD_=1000000000

# The bench's own script looks for what it built in target/.
unset CARGO_TARGET_DIR
cd "$copy"
tcbench=$copy/target/release/tcbench
rm -f "$out"/again*
if [ "$ours_only" = 0 ]; then
    bash ./run.sh "$out"
else
    cargo build --release
    # As the bench's script sets it: without the vocabulary its harmony peers err.
    vocabulary=$(ls -d ~/.cargo/registry/src/*/tiktoken-rs-*/assets 2>/dev/null | tail -1) || true
    export TIKTOKEN_ENCODINGS_BASE=${TIKTOKEN_ENCODINGS_BASE:-$vocabulary}
    mine=(peer=streakstone peer=streakstone-eager)
    forget_ours() { # FILE: keeps the rows of the outside peers
        [ ! -e "$1" ] || { grep -v '"peer":"streakstone' "$1" > "$1.others" || true; mv "$1.others" "$1"; }
    }
    for i in 1 2 3; do
        forget_ours "$out/typical_$i.jsonl"
        WORKERS=1 "$tcbench" suite "$out/typical_$i.jsonl" typical "${mine[@]}"
    done
    forget_ours "$out/perf.jsonl"
    WORKERS=${WORKERS:-2} "$tcbench" suite "$out/perf.jsonl" growth adv "${mine[@]}"
    "$tcbench" conform "$out/conform.jsonl"
    python3 report.py "$out" > "$out/tables.md"
fi

# A growth cell counts as missed only if it misses by the least times of three runs: load on the machine only adds.
for i in 1 2; do
    python3 "$root/scripts/peer_bench_verdicts.py" "$out" > "$out/verdicts.md" || true
    [ ! -s "$out/again.txt" ] || WORKERS=1 "$tcbench" suite "$out/again_$i.jsonl" only="$out/again.txt"
done
python3 "$root/scripts/peer_bench_verdicts.py" "$out" | tee "$out/verdicts.md"
