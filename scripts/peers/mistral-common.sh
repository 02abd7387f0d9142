#!/usr/bin/env bash
# The tool-call decoders of mistral-common's experimental server: finished texts only. Options go to `streakstone run`.
. "$(dirname "$0")/python.sh"
environment mistral-common mistral-common==1.13.1
judge "$python $adapters/mistral_common_adapter.py" "$@"
