#!/usr/bin/env bash
# The response templates of `transformers serve`, without torch. Options go to `streakstone run`.
. "$(dirname "$0")/python.sh"
environment transformers transformers==5.24.0
judge "$python $adapters/transformers_adapter.py" "$@"
