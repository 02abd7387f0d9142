# Sourced by the peers' scripts, with `root` set: `judge COMMAND OPTION...` runs the corpus against the adapter that COMMAND starts.
# PLANS overrides the plans; STREAKSTONE names a built program, else it is built.

# What servers do, every cut into two, and one character at a time: what a report needs, in a fraction of the time of all plans.
plans=${PLANS:-whole,given,tokens,special-tokens,bursts,last-with-finish,every-cut,chars}

judge() {
    command=$1
    shift
    if [ -z "${STREAKSTONE:-}" ]; then
        cargo build --quiet --locked --release --manifest-path "$root/Cargo.toml" --bin streakstone
        STREAKSTONE=${CARGO_TARGET_DIR:-$root/target}/release/streakstone
    fi
    exec "$STREAKSTONE" run --adapter "$command" --plan "$plans" "$@"
}

# checkout SCRIPT --source DIR OPTION...: the same for an adapter that reads a checkout, which SCRIPT in this folder serves.
checkout() {
    script=$1
    [ "${2:-}" = --source ] && [ -d "${3:-}" ] || { echo "usage: scripts/peers/$script --source DIR [OPTION of streakstone run...]" >&2; exit 2; }
    source=$(cd "$3" && pwd)
    shift 3
    judge "'$root/scripts/peers/$script' serve --source '$source'" "$@"
}
