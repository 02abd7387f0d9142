#!/usr/bin/env bash
# vLLM's parsers and chat serving steps, from the wheel, without torch. Options go to `streakstone run`; PARSERS="hermes=qwen3_json" chooses others.
. "$(dirname "$0")/python.sh"
environment vllm openai==3.57.0 pydantic==2.14.4 regex==2026.11.19 partial-json-parser==0.2.1.1.post7 ijson==3.6.0 mistral-common==1.13.1 cohere-melody==0.15.3
unpack vllm 0.33.0 --python-version 3.11 --platform manylinux_2_28_x86_64 -- \
    'vllm/tool_parsers/*' 'vllm/parser/*' 'vllm/reasoning/*' 'vllm/envs.py' 'vllm/exceptions.py' 'vllm/utils/*.py' 'vllm/entrypoints/*.py' \
    'vllm/renderers/chat_utils/*'
judge "$python $adapters/vllm_adapter.py $home/wheel ${PARSERS:-}" "$@"
