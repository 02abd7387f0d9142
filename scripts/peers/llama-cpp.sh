#!/bin/sh
# Judges llama.cpp's chat parser: llama-cpp.sh [PATTERN...] [--log FILE]. Needs a C++ compiler; the parser is built from the sources in
# the crate llama-cpp-sys-2. The chat templates come from the source package of llama-cpp-python on PyPI, which has llama.cpp's test
# templates, unless TEMPLATES names a folder with them (models/templates of a checkout). They are their models' own and stay outside.
set -eu

package=llama-cpp-python
version=0.3.36
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
if [ -z "${TEMPLATES:-}" ]; then
    store=${CARGO_TARGET_DIR:-$here/../../harness/peers/target}/templates-$version
    if [ ! -d "$store" ]; then
        mkdir -p "$store.part"
        python3 -m pip download --quiet --no-deps --no-binary "$package" --dest "$store.part" "$package==$version"
        tar -xzf "$store.part"/*.tar.gz -C "$store.part" --strip-components=5 --wildcards '*/vendor/llama.cpp/models/templates/*'
        rm "$store.part"/*.tar.gz
        mv "$store.part" "$store"
    fi
    TEMPLATES=$store
fi
export TEMPLATES
# Its sources are of a crate that is fetched and never built.
cargo fetch --quiet --locked --manifest-path "$here/../../harness/peers/Cargo.toml"
exec "$here/run.sh" llama-cpp "$@"
