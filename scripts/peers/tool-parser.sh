#!/bin/sh
# Judges the crate tool-parser (SMG): tool-parser.sh [PATTERN...] [--log FILE]
set -eu
exec "$(dirname -- "$0")/run.sh" tool-parser "$@"
