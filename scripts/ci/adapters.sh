#!/usr/bin/env bash
# The SDKs in scripts/adapters/: unit tests of each language, the examples of all against one table, the pytest plugin, and a smoke run of each example.
# What a new machine lacks comes from Debian (cc, go, python3-venv, if we are root) and PyPI (pytest, into the target folder); Node 20 must be there.
set -euo pipefail
target="${CARGO_TARGET_DIR:-target}"
mkdir -p "$target/adapters"
target="$(cd "$target" && pwd)"
here=scripts/adapters

missing=()
command -v cc >/dev/null || missing+=(gcc libc6-dev)
command -v go >/dev/null || missing+=(golang-go)
python3 -c 'import ensurepip' 2>/dev/null || missing+=(python3-venv)
if ((${#missing[@]})) && command -v apt-get >/dev/null && ((EUID == 0)); then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi
python="$target/adapters/venv/bin/python"
if ! "$python" -c 'import pytest' 2>/dev/null; then
    python3 -m venv "$target/adapters/venv"
    "$python" -m pip install --quiet --disable-pip-version-check 'pytest>=8,<10'
fi

cargo build --locked --quiet --package streakstone --package streakstone-cabi
export STREAKSTONE="$target/debug/streakstone" STREAKSTONE_CABI="$target/debug/streakstone-cabi" STREAKSTONE_ROOT="$PWD" ADAPTERS_REQUIRED=1
export GOCACHE="$target/adapters/go" GOFLAGS=-mod=mod GOTOOLCHAIN=local PYTHONDONTWRITEBYTECODE=1

passed=0
count() { passed=$((passed + $1)); }
suite() { # NAME PATTERN COMMAND...: runs a suite and counts its tests by the line that matches.
    local name="$1" pattern="$2" out
    shift 2
    printf -- '-- %s\n' "$name"
    out="$("$@" 2>&1)" || { printf '%s\ntest result: FAILED. %d passed; 1 failed (adapters)\n' "$out" "$passed"; exit 1; }
    [[ $out =~ $pattern ]] || { printf '%s\nno test ran in %s\n' "$out" "$name"; exit 1; }
    count "${BASH_REMATCH[1]}"
}

suite python 'Ran ([0-9]+) test' "$python" -m unittest discover -s "$here/python/tests"
suite node '# pass ([0-9]+)' node --test "$here/node/tests/"
[[ -z $(gofmt -l "$here/go") ]] || { gofmt -d "$here/go"; exit 1; }
suite go '([0-9]+)' bash -c "cd $here/go && go vet ./... && go test -count=1 -v ./... | grep -c '^--- PASS'"
suite examples 'Ran ([0-9]+) test' "$python" -m unittest discover -s "$here/tests"

cc -std=c99 -O1 -shared -fPIC -I "$here/c" -o "$target/adapters/libhermes.so" "$here/c/examples/hermes.c"
(cd "$here/go" && go build -o "$target/adapters/hermes-go" ./examples/hermes)
for command in "python3 $here/python/examples/hermes.py" "node $here/node/examples/hermes.mjs" "$target/adapters/hermes-go" \
    "$STREAKSTONE_CABI $target/adapters/libhermes.so"; do
    printf -- '-- smoke: %s\n' "$command"
    "$STREAKSTONE" adapter smoke "$command"
    count 1
done
printf 'test result: ok. %d passed; 0 failed (adapters)\n' "$passed"
