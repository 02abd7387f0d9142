//! Which template stands for which dialect.

/// A dialect's template.
#[derive(Debug, Clone, Copy)]
pub struct Template {
    /// The row's name.
    pub dialect: &'static str,
    /// Its file in `models/templates`.
    pub file: &'static str,
}

const fn of(dialect: &'static str, file: &'static str) -> Template {
    Template { dialect, file }
}

/// One template a dialect, of a model that writes it.
pub const ALL: &[Template] = &[
    of("hermes", "Qwen-Qwen3-0.6B.jinja"),
    of("granite4", "ibm-granite-granite-4.0.jinja"),
    of("llama3", "meta-llama-Llama-3.1-8B-Instruct.jinja"),
    of("granite31", "ibm-granite-granite-3.3-2B-Instruct.jinja"),
    of("apriel", "Apriel-1.6-15b-Thinker-fixed.jinja"),
    of("nemotron_deci", "NVIDIA-Nemotron-Nano-v2.jinja"),
    of("firefunction", "fireworks-ai-llama-3-firefunction-v2.jinja"),
    of("cohere", "CohereForAI-c4ai-command-r7b-12-2024-tool_use.jinja"),
    of("command_r", "CohereForAI-c4ai-command-r-plus-tool_use.jinja"),
    of("apertus", "Apertus-8B-Instruct.jinja"),
    of("minimax_m1", "MiniMax-M1.jinja"),
    of("mistral_list", "mistralai-Mistral-Nemo-Instruct-2407.jinja"),
    of("mistral_v11", "Mistral-Small-3.2-24B-Instruct-2506.jinja"),
    of("mistral_v13", "mistralai-Ministral-3-14B-Reasoning-2512.jinja"),
    of("deepseek_v3", "llama-cpp-deepseek-r1.jinja"),
    of("deepseek_v31", "deepseek-ai-DeepSeek-V3.1.jinja"),
    of("deepseek_v32", "deepseek-ai-DeepSeek-V3.2.jinja"),
    of("deepseek_v4", "deepseek-ai-DeepSeek-V4.jinja"),
    of("kimi_k2", "Kimi-K2-Instruct.jinja"),
    of("kimi_k3", "Kimi-K3.jinja"),
    of("functionary_v31", "meetkai-functionary-medium-v3.1.jinja"),
    of("functionary_v32", "meetkai-functionary-medium-v3.2.jinja"),
    of("solar_open", "upstage-Solar-Open-100B.jinja"),
    of("qwen3_coder", "Qwen3-Coder.jinja"),
    of("nemotron3", "NVIDIA-Nemotron-3-Nano-30B-A3B-BF16.jinja"),
    of("seed_oss", "ByteDance-Seed-OSS.jinja"),
    of("minimax_m2", "MiniMax-M2.jinja"),
    of("minimax_m3", "MiniMax-M3.jinja"),
    of("minicpm5", "openbmb-MiniCPM5-1B.jinja"),
    of("glm45", "GLM-4.6.jinja"),
    of("glm47", "GLM-4.7-Flash.jinja"),
    of("ling3", "inclusionai-ling-3.0-flash.jinja"),
    of("poolside", "poolside-Laguna-XS.2.jinja"),
    of("spark25", "Spark2.5.jinja"),
    of("hy_v3", "tencent-Hy3.jinja"),
    of("lfm2", "LFM2-8B-A1B.jinja"),
    of("gemma4", "google-gemma-4-31B-it.jinja"),
    of("harmony", "openai-gpt-oss-120b.jinja"),
    of("muse", "muse-glimmer.jinja"),
    of("gigachat3", "GigaChat3.1-10B-A1.8B.jinja"),
];
