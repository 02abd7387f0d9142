#!/usr/bin/env bash
# SGLang's detectors and chat serving methods, from the wheel, without torch. Options go to `streakstone run`; PARSERS="hermes=hermes+qwen3" chooses others.
. "$(dirname "$0")/python.sh"
environment sglang openai==3.57.0 pydantic==2.14.4 regex==2026.11.19 partial-json-parser==0.2.1.1.post7 orjson==3.13.0 msgspec==0.23.0 jsonschema==4.26.0 lxml numpy==2.3.5
unpack sglang 0.5.23 --python-version 3.11 --platform manylinux_2_34_x86_64 -- \
    'sglang/srt/function_call/*' 'sglang/srt/parser/*' 'sglang/srt/environ.py' 'sglang/srt/entrypoints/openai/*.py'
judge "$python $adapters/sglang_adapter.py $home/wheel ${PARSERS:-}" "$@"
