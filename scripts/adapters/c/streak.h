/* A parser as a shared library, for C, C++, Zig and all that speak the C ABI.
 *
 *     cc -shared -fPIC -o libmine.so mine.c
 *     streakstone run --adapter "streakstone-cabi ./libmine.so"
 *
 * `streakstone-cabi` loads the library and speaks streak/1 (harness/adapter/PROTOCOL.md) for it. A library that crashes takes that child process
 * along and nothing else. It calls from one thread; sessions live one at a time. What the library prints goes to standard error.
 *
 * Texts are UTF-8 with an explicit length, unless they are said to end with NUL. A session may be used for a second text after its finish.
 */
#ifndef STREAK_H
#define STREAK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define STREAK_API __declspec(dllexport)
#else
#define STREAK_API __attribute__((visibility("default")))
#endif

/* What `streak_abi` must return. */
#define STREAK_ABI 1

/* What a function that reads returns. With all but STREAK_OK, `streak_take_json` gives a sentence in plain text instead of events. */
enum streak_status {
    STREAK_OK = 0,
    STREAK_REJECTED = 1,    /* the parser said no */
    STREAK_RAISED = 2,      /* it failed: an exception caught, memory run out */
    STREAK_UNSUPPORTED = 3  /* it has no such entry point */
};

/* The library's own. */
typedef struct streak_session streak_session;

/* The version of this header: STREAK_ABI. */
STREAK_API uint32_t streak_abi(void);

/* The answer to `hello`, an object of JSON that ends with NUL and stays valid: at least `name`, `version` and `dialects`. `type` and `protocol`
 * may be left out. */
STREAK_API const char *streak_hello_json(void);

/* A fresh parser. `dialect` ends with NUL; `request` is JSON: {"tools": [...] or null, "tool_choice": "auto", "parallel_tool_calls": true,
 * "reasoning": "closed", "special": [[0, 11], ...]}, the words of PROTOCOL.md. Both may be gone after the call. NULL: out of memory. */
STREAK_API streak_session *streak_create(const char *dialect, const char *request, size_t length);

/* One delta. `bytes` may be gone after the call. */
STREAK_API int streak_push(streak_session *session, const char *bytes, size_t length);

/* The end of the text. `end` ends with NUL: "stop", "length" or "stop_string". */
STREAK_API int streak_finish(streak_session *session, const char *end);

/* What came since the last call: an array of the protocol's events in JSON, or the sentence (see streak_status). It need not end with NUL, and
 * stays valid until the next call with this session. NULL: no events. */
STREAK_API const char *streak_take_json(streak_session *session, size_t *length);

/* The session ends. */
STREAK_API void streak_destroy(streak_session *session);

/* Optional: the last delta together with the end, where the parser tells the two apart. */
STREAK_API int streak_last(streak_session *session, const char *bytes, size_t length, const char *end);

/* Optional: a finished text, through the parser's own entry point for those; on a fresh session. */
STREAK_API int streak_whole(streak_session *session, const char *bytes, size_t length, const char *end);

#ifdef __cplusplus
}
#endif

#endif
