#!/bin/sh
# Judges the crate dynamo-parsers-v2 (Dynamo): dynamo-parsers-v2.sh [PATTERN...] [--log FILE]
set -eu
exec "$(dirname -- "$0")/run.sh" dynamo-parsers-v2 "$@"
