# Sourced by the peers that read harmony: sets TIKTOKEN_ENCODINGS_BASE, the folder with o200k_base.tiktoken, unless it is set. The file
# lies in the crate tiktoken-rs, which the peers' lock file pins and cargo fetches.
if [ -z "${TIKTOKEN_ENCODINGS_BASE:-}" ]; then
    manifest=$(dirname -- "$0")/../../harness/peers/Cargo.toml
    cargo fetch --quiet --locked --manifest-path "$manifest"
    crate=$(cargo metadata --locked --offline --format-version 1 --manifest-path "$manifest" |
        sed -n 's|.*"manifest_path":"\([^"]*/tiktoken-rs-[^"]*\)/Cargo.toml".*|\1|p')
    TIKTOKEN_ENCODINGS_BASE=$crate/assets
    export TIKTOKEN_ENCODINGS_BASE
fi
