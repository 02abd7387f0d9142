#!/bin/sh
# Judges the crate openai-harmony: openai-harmony.sh [PATTERN...] [--log FILE]
set -eu
. "$(dirname -- "$0")/vocabulary.sh"
exec "$(dirname -- "$0")/run.sh" openai-harmony "$@"
