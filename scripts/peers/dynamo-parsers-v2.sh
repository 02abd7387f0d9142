#!/bin/sh
# Judges the crate dynamo-parsers-v2 (Dynamo): dynamo-parsers-v2.sh [PATTERN...] [--log FILE]
set -eu
. "$(dirname -- "$0")/vocabulary.sh"
exec "$(dirname -- "$0")/run.sh" dynamo-parsers-v2 "$@"
