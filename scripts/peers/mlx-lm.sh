#!/usr/bin/env bash
# mlx-lm's tool parsers and the text state machine of its server, from the wheel, without MLX. Options go to `streakstone run`.
. "$(dirname "$0")/python.sh"
environment mlx-lm regex==2026.11.19 numpy==2.3.5
unpack mlx-lm 0.32.2 -- 'mlx_lm/tool_parsers/*' 'mlx_lm/generate.py' 'mlx_lm/server.py' 'mlx_lm/tokenizer_utils.py'
judge "$python $adapters/mlx_lm_adapter.py $home/wheel" "$@"
