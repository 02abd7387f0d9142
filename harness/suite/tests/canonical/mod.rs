//! What each model's own template writes for one call and for two: the canonical texts of the facts on wire formats, as data.

/// Row, the text of one call, the text of two; `None` where the grammar has one call.
pub const CANONICAL: &[(&str, &str, Option<&str>)] = &[
    (
        "hermes",
        "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}\n</tool_call>",
        Some(
            "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}\n</tool_call>\n<tool_call>\n{\"name\": \"get_time\", \"arguments\": {\"tz\": \"UTC\"}}\n</tool_call>",
        ),
    ),
    (
        "qwen3_coder",
        "<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n<parameter=unit>\nc\n</parameter>\n</function>\n</tool_call>",
        Some(
            "<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n<parameter=unit>\nc\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=get_time>\n<parameter=tz>\nUTC\n</parameter>\n</function>\n</tool_call>",
        ),
    ),
    (
        "mimo",
        "<tool_call><function=get_weather><parameter=city>Paris</parameter><parameter=unit>c</parameter></function></tool_call>",
        Some(
            "<tool_call><function=get_weather><parameter=city>Paris</parameter><parameter=unit>c</parameter></function></tool_call><tool_call><function=get_time><parameter=tz>UTC</parameter></function></tool_call>",
        ),
    ),
    (
        "seed_oss",
        "<seed:tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n<parameter=unit>\nc\n</parameter>\n</function>\n</seed:tool_call>",
        Some(
            "<seed:tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n<parameter=unit>\nc\n</parameter>\n</function>\n</seed:tool_call>\n<seed:tool_call>\n<function=get_time>\n<parameter=tz>\nUTC\n</parameter>\n</function>\n</seed:tool_call>",
        ),
    ),
    (
        "mistral_list",
        "[TOOL_CALLS] [{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}]",
        Some(
            "[TOOL_CALLS] [{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}, {\"name\": \"get_time\", \"arguments\": {\"tz\": \"UTC\"}}]",
        ),
    ),
    (
        "mistral_v13",
        "[TOOL_CALLS]get_weather[ARGS]{\"city\": \"Paris\", \"unit\": \"c\"}",
        Some("[TOOL_CALLS]get_weather[ARGS]{\"city\": \"Paris\", \"unit\": \"c\"}[TOOL_CALLS]get_time[ARGS]{\"tz\": \"UTC\"}"),
    ),
    (
        "mistral_v11",
        "[TOOL_CALLS]get_weather[CALL_ID]a1B2c3D4e[ARGS]{\"city\": \"Paris\", \"unit\": \"c\"}",
        Some(
            "[TOOL_CALLS]get_weather[CALL_ID]a1B2c3D4e[ARGS]{\"city\": \"Paris\", \"unit\": \"c\"}[TOOL_CALLS]get_time[CALL_ID]f5G6h7I8j[ARGS]{\"tz\": \"UTC\"}",
        ),
    ),
    (
        "mistral_brace",
        "[TOOL_CALLS]get_weather{\"city\": \"Paris\", \"unit\": \"c\"}",
        Some("[TOOL_CALLS]get_weather{\"city\": \"Paris\", \"unit\": \"c\"}[TOOL_CALLS]get_time{\"tz\": \"UTC\"}"),
    ),
    (
        "llama3",
        "{\"name\": \"get_weather\", \"parameters\": {\"city\": \"Paris\", \"unit\": \"c\"}}",
        Some(
            "{\"name\": \"get_weather\", \"parameters\": {\"city\": \"Paris\", \"unit\": \"c\"}}; {\"name\": \"get_time\", \"parameters\": {\"tz\": \"UTC\"}}",
        ),
    ),
    ("pythonic", "[get_weather(city='Paris', unit='c')]", Some("[get_weather(city='Paris', unit='c'), get_time(tz='UTC')]")),
    (
        "lfm2",
        "<|tool_call_start|>[get_weather(city=\"Paris\", unit=\"c\")]<|tool_call_end|>",
        Some("<|tool_call_start|>[get_weather(city=\"Paris\", unit=\"c\"), get_time(tz=\"UTC\")]<|tool_call_end|>"),
    ),
    (
        "olmo3",
        "<function_calls>get_weather(city=\"Paris\", unit=\"c\")</function_calls>",
        Some("<function_calls>\nget_weather(city=\"Paris\", unit=\"c\")\nget_time(tz=\"UTC\")\n</function_calls>"),
    ),
    (
        "deepseek_v3",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{\"city\": \"Paris\", \"unit\": \"c\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        Some(
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{\"city\": \"Paris\", \"unit\": \"c\"}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>get_time\n```json\n{\"tz\": \"UTC\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        ),
    ),
    (
        "deepseek_v31",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{\"city\": \"Paris\", \"unit\": \"c\"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        Some(
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{\"city\": \"Paris\", \"unit\": \"c\"}<｜tool▁call▁end｜><｜tool▁call▁begin｜>get_time<｜tool▁sep｜>{\"tz\": \"UTC\"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        ),
    ),
    (
        "deepseek_v32",
        "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"get_weather\">\n<｜DSML｜parameter name=\"city\" string=\"true\">Paris</｜DSML｜parameter>\n<｜DSML｜parameter name=\"unit\" string=\"true\">c</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
        Some(
            "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"get_weather\">\n<｜DSML｜parameter name=\"city\" string=\"true\">Paris</｜DSML｜parameter>\n<｜DSML｜parameter name=\"unit\" string=\"true\">c</｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke name=\"get_time\">\n<｜DSML｜parameter name=\"tz\" string=\"true\">UTC</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
        ),
    ),
    (
        "deepseek_v4",
        "<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"get_weather\">\n<｜DSML｜parameter name=\"city\" string=\"true\">Paris</｜DSML｜parameter>\n<｜DSML｜parameter name=\"unit\" string=\"true\">c</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>",
        Some(
            "<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"get_weather\">\n<｜DSML｜parameter name=\"city\" string=\"true\">Paris</｜DSML｜parameter>\n<｜DSML｜parameter name=\"unit\" string=\"true\">c</｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke name=\"get_time\">\n<｜DSML｜parameter name=\"tz\" string=\"true\">UTC</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>",
        ),
    ),
    (
        "deepseek_v41",
        "<｜DSML｜ calls>\n<｜DSML｜ invoke name=\"get_weather\">\n<｜DSML｜ parameter name=\"city\" string=\"true\">Paris</｜DSML｜ parameter>\n<｜DSML｜ parameter name=\"unit\" string=\"true\">c</｜DSML｜ parameter>\n</｜DSML｜ invoke>\n</｜DSML｜ calls>",
        Some(
            "<｜DSML｜ calls>\n<｜DSML｜ invoke name=\"get_weather\">\n<｜DSML｜ parameter name=\"city\" string=\"true\">Paris</｜DSML｜ parameter>\n<｜DSML｜ parameter name=\"unit\" string=\"true\">c</｜DSML｜ parameter>\n</｜DSML｜ invoke>\n<｜DSML｜ invoke name=\"get_time\">\n<｜DSML｜ parameter name=\"tz\" string=\"true\">UTC</｜DSML｜ parameter>\n</｜DSML｜ invoke>\n</｜DSML｜ calls>",
        ),
    ),
    (
        "kimi_k2",
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{\"city\": \"Paris\", \"unit\": \"c\"}<|tool_call_end|><|tool_calls_section_end|>",
        Some(
            "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{\"city\": \"Paris\", \"unit\": \"c\"}<|tool_call_end|><|tool_call_begin|>functions.get_time:1<|tool_call_argument_begin|>{\"tz\": \"UTC\"}<|tool_call_end|><|tool_calls_section_end|>",
        ),
    ),
    (
        "kimi_k3",
        "<|open|>response<|sep|><|close|>response<|sep|><|open|>tools<|sep|><|open|>call tool=\"get_weather\" index=\"1\"<|sep|><|open|>argument key=\"city\" type=\"string\"<|sep|>Paris<|close|>argument<|sep|><|open|>argument key=\"unit\" type=\"string\"<|sep|>c<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|><|close|>message<|sep|>",
        Some(
            "<|open|>response<|sep|><|close|>response<|sep|><|open|>tools<|sep|><|open|>call tool=\"get_weather\" index=\"1\"<|sep|><|open|>argument key=\"city\" type=\"string\"<|sep|>Paris<|close|>argument<|sep|><|open|>argument key=\"unit\" type=\"string\"<|sep|>c<|close|>argument<|sep|><|close|>call<|sep|><|open|>call tool=\"get_time\" index=\"2\"<|sep|><|open|>argument key=\"tz\" type=\"string\"<|sep|>UTC<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|><|close|>message<|sep|>",
        ),
    ),
    (
        "glm45",
        "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n<arg_key>unit</arg_key>\n<arg_value>c</arg_value>\n</tool_call>",
        Some(
            "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n<arg_key>unit</arg_key>\n<arg_value>c</arg_value>\n</tool_call>\n<tool_call>get_time\n<arg_key>tz</arg_key>\n<arg_value>UTC</arg_value>\n</tool_call>",
        ),
    ),
    (
        "glm47",
        "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Paris</arg_value><arg_key>unit</arg_key><arg_value>c</arg_value></tool_call>",
        Some(
            "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Paris</arg_value><arg_key>unit</arg_key><arg_value>c</arg_value></tool_call><tool_call>get_time<arg_key>tz</arg_key><arg_value>UTC</arg_value></tool_call>",
        ),
    ),
    (
        "longcat",
        "<longcat_tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}\n</longcat_tool_call>",
        Some(
            "<longcat_tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}\n</longcat_tool_call>\n<longcat_tool_call>\n{\"name\": \"get_time\", \"arguments\": {\"tz\": \"UTC\"}}\n</longcat_tool_call>",
        ),
    ),
    (
        "iquest",
        "<iquest_tool_call>get_weather<arg_key>city</arg_key><arg_value>Paris</arg_value><arg_key>unit</arg_key><arg_value>c</arg_value></iquest_tool_call>",
        Some(
            "<iquest_tool_call>get_weather<arg_key>city</arg_key><arg_value>Paris</arg_value><arg_key>unit</arg_key><arg_value>c</arg_value></iquest_tool_call><iquest_tool_call>get_time<arg_key>tz</arg_key><arg_value>UTC</arg_value></iquest_tool_call>",
        ),
    ),
    (
        "minimax_m2",
        "<minimax:tool_call>\n<invoke name=\"get_weather\">\n<parameter name=\"city\">Paris</parameter>\n<parameter name=\"unit\">c</parameter>\n</invoke>\n</minimax:tool_call>",
        Some(
            "<minimax:tool_call>\n<invoke name=\"get_weather\">\n<parameter name=\"city\">Paris</parameter>\n<parameter name=\"unit\">c</parameter>\n</invoke>\n<invoke name=\"get_time\">\n<parameter name=\"tz\">UTC</parameter>\n</invoke>\n</minimax:tool_call>",
        ),
    ),
    (
        "minimax_m3",
        "]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name=\"get_weather\">]<]minimax[>[<city>Paris]<]minimax[>[</city>]<]minimax[>[<unit>c]<]minimax[>[</unit>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>",
        Some(
            "]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name=\"get_weather\">]<]minimax[>[<city>Paris]<]minimax[>[</city>]<]minimax[>[<unit>c]<]minimax[>[</unit>]<]minimax[>[</invoke>\n]<]minimax[>[<invoke name=\"get_time\">]<]minimax[>[<tz>UTC]<]minimax[>[</tz>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>",
        ),
    ),
    (
        "harmony",
        "<|channel|>analysis<|message|>Need weather.<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{\"city\": \"Paris\", \"unit\": \"c\"}<|call|>",
        Some(
            "<|channel|>analysis<|message|>Need both.<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{\"city\": \"Paris\", \"unit\": \"c\"}<|call|><|start|>assistant<|channel|>commentary to=functions.get_time <|constrain|>json<|message|>{\"tz\": \"UTC\"}<|call|>",
        ),
    ),
    (
        "gemma4",
        "<|tool_call>call:get_weather{city:<|\"|>Paris<|\"|>,unit:<|\"|>c<|\"|>}<tool_call|>",
        Some(
            "<|tool_call>call:get_weather{city:<|\"|>Paris<|\"|>,unit:<|\"|>c<|\"|>}<tool_call|><|tool_call>call:get_time{tz:<|\"|>UTC<|\"|>}<tool_call|>",
        ),
    ),
    (
        "functiongemma",
        "<start_function_call>call:get_weather{city:<escape>Paris<escape>,unit:<escape>c<escape>}<end_function_call>",
        Some(
            "<start_function_call>call:get_weather{city:<escape>Paris<escape>,unit:<escape>c<escape>}<end_function_call><start_function_call>call:get_time{tz:<escape>UTC<escape>}<end_function_call>",
        ),
    ),
    (
        "granite3",
        "<|tool_call|>[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}]",
        Some(
            "<|tool_call|>[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}, {\"name\": \"get_time\", \"arguments\": {\"tz\": \"UTC\"}}]",
        ),
    ),
    (
        "granite31",
        "<tool_call>[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}]",
        Some(
            "<tool_call>[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}, {\"name\": \"get_time\", \"arguments\": {\"tz\": \"UTC\"}}]",
        ),
    ),
    (
        "granite4",
        "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}\n</tool_call>",
        Some(
            "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}\n</tool_call>\n<tool_call>\n{\"name\": \"get_time\", \"arguments\": {\"tz\": \"UTC\"}}\n</tool_call>",
        ),
    ),
    (
        "granite20b",
        "<function_call> {\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}",
        Some(
            "<function_call> {\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}} <function_call> {\"name\": \"get_time\", \"arguments\": {\"tz\": \"UTC\"}}",
        ),
    ),
    (
        "phi4mini",
        "functools[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}]",
        Some(
            "functools[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}, {\"name\": \"get_time\", \"arguments\": {\"tz\": \"UTC\"}}]",
        ),
    ),
    (
        "jamba",
        "<tool_calls>[\n    {\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}\n]</tool_calls>",
        Some(
            "<tool_calls>[\n    {\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}},\n    {\"name\": \"get_time\", \"arguments\": {\"tz\": \"UTC\"}}\n]</tool_calls>",
        ),
    ),
    (
        "hunyuan_a13b",
        "<tool_calls>[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}]</tool_calls>",
        Some(
            "<tool_calls>[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}, {\"name\": \"get_time\", \"arguments\": {\"tz\": \"UTC\"}}]</tool_calls>",
        ),
    ),
    (
        "xlam",
        "[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}]",
        Some(
            "[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}, {\"name\": \"get_time\", \"arguments\": {\"tz\": \"UTC\"}}]",
        ),
    ),
    (
        "nemotron_deci",
        "<TOOLCALL>[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}]</TOOLCALL>",
        Some(
            "<TOOLCALL>[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}, {\"name\": \"get_time\", \"arguments\": {\"tz\": \"UTC\"}}]</TOOLCALL>",
        ),
    ),
    (
        "internlm",
        "<|action_start|><|plugin|>\n{\"name\": \"get_weather\", \"parameters\": {\"city\": \"Paris\", \"unit\": \"c\"}}<|action_end|>\n",
        Some(
            "<|action_start|><|plugin|>\n{\"name\": \"get_weather\", \"parameters\": {\"city\": \"Paris\", \"unit\": \"c\"}}<|action_end|>\n<|action_start|><|plugin|>\n{\"name\": \"get_time\", \"parameters\": {\"tz\": \"UTC\"}}<|action_end|>\n",
        ),
    ),
    (
        "cohere",
        "<|START_ACTION|>[\n    {\"tool_call_id\": \"0\", \"tool_name\": \"get_weather\", \"parameters\": {\"city\": \"Paris\", \"unit\": \"c\"}}\n]<|END_ACTION|>",
        Some(
            "<|START_ACTION|>[\n    {\"tool_call_id\": \"0\", \"tool_name\": \"get_weather\", \"parameters\": {\"city\": \"Paris\", \"unit\": \"c\"}},\n    {\"tool_call_id\": \"1\", \"tool_name\": \"get_time\", \"parameters\": {\"tz\": \"UTC\"}}\n]<|END_ACTION|>",
        ),
    ),
    (
        "step3",
        "<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name=\"get_weather\"><steptml:parameter name=\"city\">Paris</steptml:parameter><steptml:parameter name=\"unit\">c</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>",
        Some(
            "<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name=\"get_weather\"><steptml:parameter name=\"city\">Paris</steptml:parameter><steptml:parameter name=\"unit\">c</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name=\"get_time\"><steptml:parameter name=\"tz\">UTC</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>",
        ),
    ),
    (
        "ernie45",
        "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}\n</tool_call>\n",
        Some(
            "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}\n</tool_call>\n<tool_call>\n{\"name\": \"get_time\", \"arguments\": {\"tz\": \"UTC\"}}\n</tool_call>\n",
        ),
    ),
    (
        "apertus",
        "<|tools_prefix|>[{\"get_weather\": {\"city\": \"Paris\", \"unit\": \"c\"}}]<|tools_suffix|>",
        Some(
            "<|tools_prefix|>[{\"get_weather\": {\"city\": \"Paris\", \"unit\": \"c\"}}, {\"get_time\": {\"tz\": \"UTC\"}}]<|tools_suffix|>",
        ),
    ),
    (
        "hy_v3",
        "<tool_calls><tool_call>get_weather<tool_sep><arg_key>city</arg_key><arg_value>Paris</arg_value><arg_key>unit</arg_key><arg_value>c</arg_value></tool_call></tool_calls>",
        Some(
            "<tool_calls><tool_call>get_weather<tool_sep><arg_key>city</arg_key><arg_value>Paris</arg_value><arg_key>unit</arg_key><arg_value>c</arg_value></tool_call><tool_call>get_time<tool_sep><arg_key>tz</arg_key><arg_value>UTC</arg_value></tool_call></tool_calls>",
        ),
    ),
    (
        "hy_v4",
        "<tool_calls><tool_call>get_weather<arg_key>city</arg_key><arg_value>Paris</arg_value><arg_key>unit</arg_key><arg_value>c</arg_value></tool_call></tool_calls>",
        Some(
            "<tool_calls><tool_call>get_weather<arg_key>city</arg_key><arg_value>Paris</arg_value><arg_key>unit</arg_key><arg_value>c</arg_value></tool_call><tool_call>get_time<arg_key>tz</arg_key><arg_value>UTC</arg_value></tool_call></tool_calls>",
        ),
    ),
    (
        "inkling",
        "<|message_model|>get_weather<|content_invoke_tool_json|>{\"name\": \"get_weather\", \"args\": {\"city\": \"Paris\", \"unit\": \"c\"}}<|end_message|>",
        Some(
            "<|message_model|>get_weather<|content_invoke_tool_json|>{\"name\": \"get_weather\", \"args\": {\"city\": \"Paris\", \"unit\": \"c\"}}<|end_message|><|message_model|>get_time<|content_invoke_tool_json|>{\"name\": \"get_time\", \"args\": {\"tz\": \"UTC\"}}<|end_message|>",
        ),
    ),
    (
        "dots",
        "<dots_function_call>\n<invoke name=\"get_weather\">\n<parameter name=\"city\">Paris</parameter>\n<parameter name=\"unit\">c</parameter>\n</invoke>\n</dots_function_call>",
        Some(
            "<dots_function_call>\n<invoke name=\"get_weather\">\n<parameter name=\"city\">Paris</parameter>\n<parameter name=\"unit\">c</parameter>\n</invoke>\n<invoke name=\"get_time\">\n<parameter name=\"tz\">UTC</parameter>\n</invoke>\n</dots_function_call>",
        ),
    ),
    (
        "minicpm5",
        "<function name=\"get_weather\"><param name=\"city\">Paris</param><param name=\"unit\">c</param></function>",
        Some(
            "<function name=\"get_weather\"><param name=\"city\">Paris</param><param name=\"unit\">c</param></function>\n<function name=\"get_time\"><param name=\"tz\">UTC</param></function>",
        ),
    ),
    (
        "muse",
        "<|start|>assistant to=get_weather<|message|><atem:function_calls>\n<atem:invoke name=\"get_weather\">\n<atem:parameter name=\"city\">Paris</atem:parameter>\n<atem:parameter name=\"unit\">c</atem:parameter>\n</atem:invoke>\n</atem:function_calls><|eom|>",
        Some(
            "<|start|>assistant to=get_weather<|message|><atem:function_calls>\n<atem:invoke name=\"get_weather\">\n<atem:parameter name=\"city\">Paris</atem:parameter>\n<atem:parameter name=\"unit\">c</atem:parameter>\n</atem:invoke>\n</atem:function_calls><|eom|><|start|>assistant to=get_time<|message|><atem:function_calls>\n<atem:invoke name=\"get_time\">\n<atem:parameter name=\"tz\">UTC</atem:parameter>\n</atem:invoke>\n</atem:function_calls><|eom|>",
        ),
    ),
    ("gigachat3", "<|function_call|>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}", None),
    (
        "gigachat35",
        "<｜GCML｜tool_calls>\n<｜GCML｜invoke name=\"get_weather\">\n<｜GCML｜parameter name=\"city\" string=\"true\">Paris</｜GCML｜parameter>\n<｜GCML｜parameter name=\"unit\" string=\"true\">c</｜GCML｜parameter>\n</｜GCML｜invoke>\n</｜GCML｜tool_calls>",
        Some(
            "<｜GCML｜tool_calls>\n<｜GCML｜invoke name=\"get_weather\">\n<｜GCML｜parameter name=\"city\" string=\"true\">Paris</｜GCML｜parameter>\n<｜GCML｜parameter name=\"unit\" string=\"true\">c</｜GCML｜parameter>\n</｜GCML｜invoke>\n<｜GCML｜invoke name=\"get_time\">\n<｜GCML｜parameter name=\"tz\" string=\"true\">UTC</｜GCML｜parameter>\n</｜GCML｜invoke>\n</｜GCML｜tool_calls>",
        ),
    ),
    (
        "k2_horizon",
        "<ifm|tool_calls><ifm|tool_call>get_weather<ifm|arg_key>city</ifm|arg_key><ifm|arg_value>Paris</ifm|arg_value><ifm|arg_key>unit</ifm|arg_key><ifm|arg_value>c</ifm|arg_value></ifm|tool_call></ifm|tool_calls>",
        Some(
            "<ifm|tool_calls><ifm|tool_call>get_weather<ifm|arg_key>city</ifm|arg_key><ifm|arg_value>Paris</ifm|arg_value><ifm|arg_key>unit</ifm|arg_key><ifm|arg_value>c</ifm|arg_value></ifm|tool_call><ifm|tool_call>get_time<ifm|arg_key>tz</ifm|arg_key><ifm|arg_value>UTC</ifm|arg_value></ifm|tool_call></ifm|tool_calls>",
        ),
    ),
    (
        "plamo3",
        "<|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>get_weather<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>{\"city\": \"Paris\", \"unit\": \"c\"}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|><|plamo:end_tool_requests:plamo|>",
        Some(
            "<|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>get_weather<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>{\"city\": \"Paris\", \"unit\": \"c\"}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>get_time<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>{\"tz\": \"UTC\"}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|><|plamo:end_tool_requests:plamo|>",
        ),
    ),
    (
        "functionary_v31",
        "<function=get_weather>{\"city\": \"Paris\", \"unit\": \"c\"}</function>",
        Some("<function=get_weather>{\"city\": \"Paris\", \"unit\": \"c\"}</function><function=get_time>{\"tz\": \"UTC\"}</function>"),
    ),
    (
        "functionary_v32",
        "get_weather\n{\"city\": \"Paris\", \"unit\": \"c\"}",
        Some("get_weather\n{\"city\": \"Paris\", \"unit\": \"c\"}>>>get_time\n{\"tz\": \"UTC\"}"),
    ),
    (
        "minimax_m1",
        "<tool_calls>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}\n</tool_calls>",
        Some(
            "<tool_calls>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}\n{\"name\": \"get_time\", \"arguments\": {\"tz\": \"UTC\"}}\n</tool_calls>",
        ),
    ),
    (
        "phi4mini_native",
        "<|tool_call|>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}<|/tool_call|>",
        Some(
            "<|tool_call|>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}<|/tool_call|><|tool_call|>{\"name\": \"get_time\", \"arguments\": {\"tz\": \"UTC\"}}<|/tool_call|>",
        ),
    ),
    (
        "firefunction",
        " functools[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}]",
        Some(
            " functools[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}, {\"name\": \"get_time\", \"arguments\": {\"tz\": \"UTC\"}}]",
        ),
    ),
    (
        "command_r",
        "Action: ```json\n[\n    {\"tool_name\": \"get_weather\", \"parameters\": {\"city\": \"Paris\", \"unit\": \"c\"}}\n]\n```",
        Some(
            "Action: ```json\n[\n    {\"tool_name\": \"get_weather\", \"parameters\": {\"city\": \"Paris\", \"unit\": \"c\"}},\n    {\"tool_name\": \"get_time\", \"parameters\": {\"tz\": \"UTC\"}}\n]\n```",
        ),
    ),
    (
        "sarashina",
        "<|tool_calls|>[{'name': 'get_weather', 'arguments': {'city': 'Paris', 'unit': 'c'}}]",
        Some(
            "<|tool_calls|>[{'name': 'get_weather', 'arguments': {'city': 'Paris', 'unit': 'c'}}, {'name': 'get_time', 'arguments': {'tz': 'UTC'}}]",
        ),
    ),
    (
        "solar_open",
        "<|tool_calls|><|tool_call:begin|>0<|tool_call:name|>get_weather<|tool_call:args|>{\"city\": \"Paris\", \"unit\": \"c\"}<|tool_call:end|>",
        Some(
            "<|tool_calls|><|tool_call:begin|>0<|tool_call:name|>get_weather<|tool_call:args|>{\"city\": \"Paris\", \"unit\": \"c\"}<|tool_call:end|><|tool_call:begin|>1<|tool_call:name|>get_time<|tool_call:args|>{\"tz\": \"UTC\"}<|tool_call:end|>",
        ),
    ),
    (
        "solar_open2",
        "<|tool_call:start|>get_weather\n<|tool_arg:start|>city<|tool_arg:value|>Paris<|tool_arg:end|>\n<|tool_arg:start|>unit<|tool_arg:value|>c<|tool_arg:end|>\n<|tool_call:end|>",
        Some(
            "<|tool_call:start|>get_weather\n<|tool_arg:start|>city<|tool_arg:value|>Paris<|tool_arg:end|>\n<|tool_arg:start|>unit<|tool_arg:value|>c<|tool_arg:end|>\n<|tool_call:end|>\n<|tool_call:start|>get_time\n<|tool_arg:start|>tz<|tool_arg:value|>UTC<|tool_arg:end|>\n<|tool_call:end|>",
        ),
    ),
    ("react", "Action: get_weather\nAction Input: {\"city\": \"Paris\", \"unit\": \"c\"}\n", None),
    (
        "hyperclovax",
        " -> tool/function_call\n[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}]<|im_end|>",
        Some(
            " -> tool/function_call\n[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}, {\"name\": \"get_time\", \"arguments\": {\"tz\": \"UTC\"}}]<|im_end|>",
        ),
    ),
];
