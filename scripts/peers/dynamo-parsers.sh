#!/bin/sh
# Judges the crate dynamo-parsers (Dynamo, first generation): dynamo-parsers.sh [PATTERN...] [--log FILE]
set -eu
. "$(dirname -- "$0")/vocabulary.sh"
exec "$(dirname -- "$0")/run.sh" dynamo-parsers "$@"
