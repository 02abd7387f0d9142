// llama.cpp's chat parser behind a few C functions. Strings go in as bytes with a length and come out as JSON that the caller frees.
//
// What llama-server does around the parser is done here in the same order: the template is applied to the request once, the parser
// it gives is kept for the request, a stream parses all text so far again at each delta and sends what is new.

#include "chat.h"
#include "log.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace {

struct request {
    common_chat_parser_params params;
    common_chat_params        applied;
};

struct stream {
    const request * of;
    std::string     text;
    common_chat_msg seen;
};

char * copied(const std::string & text) {
    char * bytes = static_cast<char *>(std::malloc(text.size() + 1));
    if (bytes) {
        std::memcpy(bytes, text.data(), text.size());
        bytes[text.size()] = 0;
    }
    return bytes;
}

char * failed(const std::exception & error) {
    common_json out = common_json::object();
    out["error"]    = std::string(error.what());
    return copied(out.dump_safe());
}

common_json call_json(const common_chat_tool_call & call) {
    common_json out  = common_json::object();
    out["name"]      = call.name;
    out["arguments"] = call.arguments;
    out["id"]        = call.id;
    return out;
}

} // namespace

extern "C" {

void llama_chat_free_text(char * text) {
    std::free(text);
}

// Applies `tmpl` to a request. Gives `{"prompt": tail, "thinking": tag, "format": name}` and the request, or `{"error": why}` and null.
char * llama_chat_open(const char * tmpl, const char * tools, const char * tool_choice, int parallel, int thinking, request ** out) {
    *out = nullptr;
    common_log_set_verbosity_thold(-1);
    try {
        auto                         templates = common_chat_templates_init(nullptr, tmpl);
        common_chat_templates_inputs inputs;
        common_chat_msg              question;
        question.role    = "user";
        question.content = "Go on.";
        inputs.messages.push_back(question);
        if (tools) {
            inputs.tools = common_chat_tools_parse_oaicompat(common_json::parse(std::string(tools)));
        }
        inputs.tool_choice         = common_chat_tool_choice_parse_oaicompat(tool_choice);
        inputs.parallel_tool_calls = parallel != 0;
        inputs.enable_thinking     = thinking != 0;
        inputs.reasoning_format    = COMMON_REASONING_FORMAT_DEEPSEEK; // llama-server's default
        auto made     = std::make_unique<request>();
        made->applied = common_chat_templates_apply(templates.get(), inputs);
        made->params  = common_chat_parser_params(made->applied);
        made->params.reasoning_format = COMMON_REASONING_FORMAT_DEEPSEEK;
        made->params.parse_tool_calls = !inputs.tools.empty() && inputs.tool_choice != COMMON_CHAT_TOOL_CHOICE_NONE;
        if (!made->applied.parser.empty()) {
            made->params.parser.load(made->applied.parser);
        }
        common_json told = common_json::object();
        told["prompt"]   = made->applied.generation_prompt;
        told["thinking"] = made->applied.thinking_start_tag;
        told["format"]   = std::string(common_chat_format_name(made->applied.format));
        *out             = made.release();
        return copied(told.dump_safe());
    } catch (const std::exception & error) {
        return failed(error);
    }
}

void llama_chat_close(request * of) {
    delete of;
}

// Reads a finished text: `{"reasoning": ..., "content": ..., "calls": [...]}`.
char * llama_chat_whole(const request * of, const char * text, size_t length) {
    try {
        const auto  message = common_chat_parse(std::string(text, length), false, of->params);
        common_json calls   = common_json::array();
        for (const auto & call : message.tool_calls) {
            calls.push_back(call_json(call));
        }
        common_json out  = common_json::object();
        out["reasoning"] = message.reasoning_content;
        out["content"]   = message.content;
        out["calls"]     = std::move(calls);
        return copied(out.dump_safe());
    } catch (const std::exception & error) {
        return failed(error);
    }
}

stream * llama_chat_stream(const request * of) {
    return new (std::nothrow) stream{ of, {}, {} };
}

void llama_chat_stream_close(stream * of) {
    delete of;
}

// Takes in a delta: `{"calls": names seen so far, "news": [{"reasoning", "content", "index", "call"}, ...]}`. The last one is not partial.
char * llama_chat_push(stream * of, const char * text, size_t length, int partial) {
    try {
        of->text.append(text, length);
        auto        message = common_chat_parse(of->text, partial != 0, of->of->params);
        common_json news    = common_json::array();
        common_json names   = common_json::array();
        // The server keeps what it had if nothing is found.
        if (!message.empty()) {
            for (const auto & diff : common_chat_msg_diff::compute_diffs(of->seen, message)) {
                common_json piece  = common_json::object();
                piece["reasoning"] = diff.reasoning_content_delta;
                piece["content"]   = diff.content_delta;
                if (diff.tool_call_index != std::string::npos) {
                    piece["index"] = static_cast<uint64_t>(diff.tool_call_index);
                    piece["call"]  = call_json(diff.tool_call_delta);
                }
                news.push_back(std::move(piece));
            }
            of->seen = std::move(message);
        }
        for (const auto & call : of->seen.tool_calls) {
            names.push_back(call_json(call));
        }
        common_json out = common_json::object();
        out["news"]     = std::move(news);
        out["calls"]    = std::move(names);
        return copied(out.dump_safe());
    } catch (const std::exception & error) {
        return failed(error);
    }
}

} // extern "C"
