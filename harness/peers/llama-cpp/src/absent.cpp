// What the chat code would ask of a model and of ggml. Here is no model: a template is always given, so none of these is reached, and
// one that is ends the process, which is a crash with a message and not a wrong answer. ggml_abort is where llama.cpp's own assertions end.

#include "ggml.h"
#include "llama.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace {

[[noreturn]] void no_model(const char * what) {
    std::fprintf(stderr, "llama.cpp's chat code asked for %s, but there is no model\n", what);
    std::abort();
}

} // namespace

extern "C" {

void ggml_abort(const char * file, int line, const char * format, ...) {
    std::fprintf(stderr, "%s:%d: ", file, line);
    va_list arguments;
    va_start(arguments, format);
    std::vfprintf(stderr, format, arguments);
    va_end(arguments);
    std::fputc('\n', stderr);
    std::abort();
}

int32_t llama_chat_apply_template(const char *, const llama_chat_message *, size_t, bool, char *, int32_t) {
    no_model("a template without Jinja");
}

const char * llama_model_chat_template(const llama_model *, const char *) {
    no_model("its template");
}

const llama_vocab * llama_model_get_vocab(const llama_model *) {
    no_model("its vocabulary");
}

int32_t llama_token_to_piece(const llama_vocab *, llama_token, char *, int32_t, int32_t, bool) {
    no_model("a token's text");
}

llama_token llama_vocab_bos(const llama_vocab *) {
    no_model("the first token");
}

llama_token llama_vocab_eos(const llama_vocab *) {
    no_model("the last token");
}

bool llama_vocab_get_add_bos(const llama_vocab *) {
    no_model("whether a first token is added");
}

bool llama_vocab_get_add_eos(const llama_vocab *) {
    no_model("whether a last token is added");
}

} // extern "C"
