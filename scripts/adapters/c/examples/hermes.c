/* Example: a small streaming parser of the Hermes format behind streak.h. Reasoning, control tokens and repairs are left out to stay short.
 *
 *     cc -std=c99 -shared -fPIC -I scripts/adapters/c -o libhermes.so scripts/adapters/c/examples/hermes.c
 *     streakstone adapter smoke "streakstone-cabi ./libhermes.so"
 */
#include "streak.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPEN "<tool_call>"
#define CLOSE "</tool_call>"
#define LENGTH(literal) (sizeof(literal) - 1)

enum { MAX_DEPTH = 1000 };

/* -- Bytes that grow, and pieces of them ------------------------------------------------------------------------------------------------- */

typedef struct { char *bytes; size_t length, room; } buffer;
typedef struct { const char *start, *end; } piece;

static void add(buffer *to, const char *bytes, size_t length) {
    if (to->length + length > to->room) {
        to->room = 2 * (to->length + length) + 64;
        to->bytes = realloc(to->bytes, to->room);
        if (!to->bytes) abort();
    }
    if (length) memcpy(to->bytes + to->length, bytes, length);
    to->length += length;
}

static void drop(buffer *from, size_t count) {
    from->length -= count;
    if (from->length) memmove(from->bytes, from->bytes + count, from->length);
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool equals(piece p, const char *word) { return (size_t)(p.end - p.start) == strlen(word) && !memcmp(p.start, word, strlen(word)); }
static bool begins(piece p, const char *word) { return (size_t)(p.end - p.start) >= strlen(word) && !memcmp(p.start, word, strlen(word)); }
static bool could_become(piece p, const char *word) { return (size_t)(p.end - p.start) <= strlen(word) && !memcmp(word, p.start, (size_t)(p.end - p.start)); }

/* -- JSON, strict ------------------------------------------------------------------------------------------------------------------------- */

static const char *space(const char *p, const char *end) {
    while (p < end && is_space(*p)) p++;
    return p;
}

/* The number of a `\u` escape whose digits begin at `p`; -1 if it is none. */
static long unit(const char *p, const char *end) {
    long value = 0;
    for (int i = 0; i < 4; i++, p++) {
        const char *digit = p < end && *p ? strchr("0123456789abcdef0123456789ABCDEF", *p) : NULL;
        if (!digit) return -1;
        value = value * 16 + (digit - "0123456789abcdef0123456789ABCDEF") % 16;
    }
    return value;
}

/* Behind the string at `p`, or NULL; its text is added to `text` unless that is NULL. */
static const char *string(const char *p, const char *end, buffer *text) {
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    buffer scratch = {0};
    buffer *to = text ? text : &scratch;
    if (p == end || *p++ != '"') return NULL;
    while (p < end && *p != '"') {
        const char *letter;
        if ((unsigned char)*p < ' ') break;
        if (*p != '\\') {
            if (text) add(to, p, 1);
            p++;
        } else if (++p < end && *p == 'u') {
            long code = unit(p + 1, end);
            if (code < 0) return NULL;
            p += 5;
            if (code >= 0xd800 && code < 0xdc00 && end - p >= 6 && p[0] == '\\' && p[1] == 'u' && unit(p + 2, end) >= 0xdc00 && unit(p + 2, end) < 0xe000) {
                code = 0x10000 + ((code - 0xd800) << 10) + (unit(p + 2, end) - 0xdc00);
                p += 6;
            } else if (code >= 0xd800 && code < 0xe000) {
                code = 0xfffd;
            }
            if (text) {
                int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
                char lead = (char)(more ? (0xff00 >> (more + 1) & 0xff) | code >> 6 * more : code);
                add(to, &lead, 1);
                while (more--) {
                    char rest = (char)(0x80 | (code >> 6 * more & 0x3f));
                    add(to, &rest, 1);
                }
            }
        } else if (p < end && *p && (letter = strchr(letters, *p))) {
            if (text) add(to, meant + (letter - letters), 1);
            p++;
        } else {
            return NULL;
        }
    }
    return p < end && *p == '"' ? p + 1 : NULL;
}

static const char *digits(const char *p, const char *end) {
    if (p == end || !is_digit(*p)) return NULL;
    while (p < end && is_digit(*p)) p++;
    return p;
}

static const char *number(const char *p, const char *end) {
    if (p < end && *p == '-') p++;
    if (p < end && *p == '0') p++;
    else if (!(p = digits(p, end))) return NULL;
    if (p < end && *p == '.' && !(p = digits(p + 1, end))) return NULL;
    if (p < end && (*p == 'e' || *p == 'E')) {
        p++;
        if (p < end && (*p == '+' || *p == '-')) p++;
        return digits(p, end);
    }
    return p;
}

/* Behind the value at `p`, or NULL if it is no JSON. */
static const char *value(const char *p, const char *end, int depth) {
    static const char *const words[] = {"true", "false", "null"};
    p = space(p, end);
    if (p == end || depth > MAX_DEPTH) return NULL;
    if (*p == '"') return string(p, end, NULL);
    if (*p == '{' || *p == '[') {
        char close = *p == '{' ? '}' : ']';
        p = space(p + 1, end);
        if (p < end && *p == close) return p + 1;
        for (;; p++) {
            if (close == '}') {
                p = string(space(p, end), end, NULL);
                if (!p || (p = space(p, end)) == end || *p++ != ':') return NULL;
            }
            if (!(p = value(p, end, depth + 1))) return NULL;
            p = space(p, end);
            if (p < end && *p == close) return p + 1;
            if (p == end || *p != ',') return NULL;
        }
    }
    for (size_t i = 0; i < 3; i++) {
        if (begins((piece){p, end}, words[i])) return p + strlen(words[i]);
    }
    return number(p, end);
}

/* Goes to the next member or element of valid JSON; `*p` begins behind the opening bracket. False at the end. A key goes to `key`. */
static bool next(const char **p, const char *end, buffer *key, piece *found) {
    const char *at = space(*p, end);
    if (at < end && *at == ',') at = space(at + 1, end);
    if (at == end || *at == '}' || *at == ']') return false;
    if (key) {
        key->length = 0;
        at = space(space(string(at, end, key), end) + 1, end);
    }
    *p = value(at, end, 0);
    *found = (piece){at, *p};
    return true;
}

/* The value of a key of a valid object, the last one if it repeats; empty if it is not there. */
static piece member(piece object, const char *name) {
    piece found, last = {object.end, object.end};
    buffer key = {0};
    const char *p = object.start + 1;
    if (begins(object, "{")) {
        while (next(&p, object.end, &key, &found)) {
            if (equals((piece){key.bytes, key.bytes + key.length}, name)) last = found;
        }
    }
    free(key.bytes);
    return last;
}

static void quote(buffer *to, const char *text, size_t length) {
    add(to, "\"", 1);
    for (size_t i = 0; i < length; i++) {
        char escape[8];
        if (text[i] == '"' || text[i] == '\\' || (unsigned char)text[i] < ' ') {
            add(to, escape, (size_t)snprintf(escape, sizeof escape, "\\u%04x", (unsigned)text[i]));
        } else {
            add(to, text + i, 1);
        }
    }
    add(to, "\"", 1);
}

/* -- The parser: reads <tool_call>{"name": ..., "arguments": {...}}</tool_call>; a call goes out when its object has closed, what is no call is text - */

struct streak_session {
    buffer request, held, events, taken;
    unsigned calls;
    bool after;  /* Since a call there was nothing but white space, kept in `held`, and ... */
    bool closed; /* ... its closer. */
    bool open;   /* An opener stands in `held`, at `unit`. */
    bool quoted;
    size_t unit, at, depth;
};

enum state { UNFINISHED, CLOSED, BROKEN };

static void event(streak_session *s, const char *head, const char *text, size_t length, const char *tail) {
    add(&s->events, s->events.length ? "," : "[", 1);
    add(&s->events, head, strlen(head));
    if (text) quote(&s->events, text, length);
    add(&s->events, tail, strlen(tail));
}

static void text(streak_session *s, size_t count) {
    if (count) event(s, "[\"text\",", s->held.bytes, count, "]");
    drop(&s->held, count);
}

static bool newline_before(const streak_session *s, size_t at) { return at > 0 && s->held.bytes[at - 1] == '\n'; }

/* Where `<tool_call>` stands in `held`; its length if nowhere. */
static size_t find(const streak_session *s) {
    for (size_t i = 0; i + LENGTH(OPEN) <= s->held.length; i++) {
        if (!memcmp(s->held.bytes + i, OPEN, LENGTH(OPEN))) return i;
    }
    return s->held.length;
}

/* The length of the longest tail of `held` that could begin a block. */
static size_t half(const streak_session *s) {
    const char *end = s->held.bytes + s->held.length;
    size_t n = s->held.length < LENGTH(OPEN) ? s->held.length : LENGTH(OPEN);
    while (n && memcmp(end - n, "\n" OPEN, n) && memcmp(end - n, OPEN, n)) n--;
    return n;
}

/* What follows a call: white space and one closer are framing, unless text follows. False if it needs more text. */
static bool settle(streak_session *s, bool last) {
    piece rest = {s->held.bytes, s->held.bytes + s->held.length};
    rest.start = space(rest.start, rest.end);
    if (!s->closed && begins(rest, CLOSE)) {
        drop(&s->held, (size_t)(rest.start - s->held.bytes) + LENGTH(CLOSE));
        s->closed = true;
        return settle(s, last);
    }
    if (last && rest.start == rest.end) s->held.length = 0;
    if (!last && (could_become(rest, OPEN) || (!s->closed && could_become(rest, CLOSE)))) return equals(rest, OPEN);
    s->after = begins(rest, OPEN);
    return true;
}

/* Goes on to the end of the object, or to where no JSON can go on. */
static enum state scan(streak_session *s) {
    for (; s->at < s->held.length; s->at++) {
        char c = s->held.bytes[s->at];
        if (s->quoted) {
            if ((unsigned char)c < ' ') return BROKEN;
            if (c == '\\' && s->at + 1 == s->held.length) return UNFINISHED;
            s->at += c == '\\';
            s->quoted = c != '"';
        } else if (c == '<' || (s->depth == 0 && !is_space(c) && c != '{')) {
            return BROKEN;
        } else if (c == '"') {
            s->quoted = true;
        } else if (c == '{' || c == '[') {
            s->depth++;
        } else if ((c == '}' || c == ']') && --s->depth == 0) {
            s->at++;
            return CLOSED;
        }
    }
    return UNFINISHED;
}

static bool admitted(const streak_session *s, const buffer *name) {
    piece request = {s->request.bytes, s->request.bytes + s->request.length}, found, element;
    piece called = {name->bytes, name->bytes + name->length}, tools = member(request, "tools"), choice = member(request, "tool_choice");
    buffer other = {0};
    bool declared = equals(tools, "null"), good = !equals(choice, "\"none\"");
    const char *p = tools.start + 1;
    while (begins(tools, "[") && next(&p, tools.end, NULL, &element)) {
        found = member(member(element, "function"), "name");
        other.length = 0;
        if (string(found.start, found.end, &other) && name->length == other.length && !memcmp(called.start, other.bytes, other.length)) declared = true;
    }
    found = member(choice, "function");
    if (found.start < found.end) {
        other.length = 0;
        string(found.start, found.end, &other);
        good = name->length == other.length && !memcmp(called.start, other.bytes, other.length);
    }
    free(other.bytes);
    return good && declared;
}

/* Sends the object that has closed, with the bytes of its arguments as the model wrote them; false if it is no call. */
static bool call(streak_session *s) {
    piece object = {s->held.bytes + s->unit + LENGTH(OPEN), s->held.bytes + s->at};
    buffer name = {0};
    bool good = false;
    object.start = space(object.start, object.end);
    if (value(object.start, object.end, 0) == object.end) {
        piece named = member(object, "name"), arguments = member(object, "arguments");
        bool none = arguments.start == arguments.end || equals(arguments, "null");
        good = string(named.start, named.end, &name) && name.length && (none || begins(arguments, "{")) && admitted(s, &name);
        if (good) {
            char head[64], end[64];
            snprintf(head, sizeof head, "[\"call\",%u,", s->calls);
            event(s, head, name.bytes, name.length, ",null]");
            snprintf(head, sizeof head, "[\"arguments\",%u,", s->calls);
            event(s, head, none ? "{}" : arguments.start, none ? 2 : (size_t)(arguments.end - arguments.start), "]");
            snprintf(end, sizeof end, "[\"end\",%u]", s->calls++);
            event(s, end, NULL, 0, "");
        }
    }
    free(name.bytes);
    return good;
}

/* One decision; false if it needs more text. */
static bool step(streak_session *s, bool last) {
    enum state state;
    bool good;
    if (!s->open) {
        size_t found, lead;
        if (s->after && !settle(s, last)) return false;
        found = find(s);
        if (found == s->held.length) {
            text(s, s->held.length - (last ? 0 : half(s)));
            return false;
        }
        /* The newline before a block is framing if the block is a call, and so is all white space between calls. */
        lead = s->after ? found : newline_before(s, found);
        text(s, found - lead);
        s->open = true, s->unit = lead, s->at = lead + LENGTH(OPEN), s->depth = 0, s->quoted = false;
    }
    state = scan(s);
    if (state == UNFINISHED && !last) return false;
    good = state == CLOSED && call(s);
    if (good) drop(&s->held, s->at);
    else text(s, s->at - newline_before(s, s->at));
    s->open = false, s->after = good, s->closed = false;
    return true;
}

/* -- streak.h ----------------------------------------------------------------------------------------------------------------------------- */

uint32_t streak_abi(void) { return STREAK_ABI; }

const char *streak_hello_json(void) {
    return "{\"name\": \"example-c\", \"version\": \"1\", \"dialects\": [\"hermes\"], \"tells\": [\"order\", \"finish\"], \"delivery\": \"validated\","
           " \"policies\": {\"truncated\": \"text\"}, \"notes\": \"example of the C ABI; no reasoning\"}";
}

streak_session *streak_create(const char *dialect, const char *request, size_t length) {
    streak_session *s = calloc(1, sizeof *s);
    (void)dialect; /* There is one. */
    if (s) add(&s->request, request, length);
    return s;
}

int streak_push(streak_session *s, const char *bytes, size_t length) {
    add(&s->held, bytes, length);
    while (step(s, false)) {}
    return STREAK_OK;
}

int streak_finish(streak_session *s, const char *end) {
    while (step(s, true)) {}
    event(s, !strcmp(end, "length") ? "[\"finish\",\"length\"]" : s->calls ? "[\"finish\",\"tool_calls\"]" : "[\"finish\",\"stop\"]", NULL, 0, "");
    s->calls = 0, s->after = false; /* Ready for another text. */
    return STREAK_OK;
}

int streak_whole(streak_session *s, const char *bytes, size_t length, const char *end) {
    streak_push(s, bytes, length);
    return streak_finish(s, end);
}

const char *streak_take_json(streak_session *s, size_t *length) {
    buffer taken = s->taken;
    if (s->events.length) add(&s->events, "]", 1);
    s->taken = s->events, s->events = taken, s->events.length = 0;
    *length = s->taken.length;
    return s->taken.bytes;
}

void streak_destroy(streak_session *s) {
    free(s->request.bytes);
    free(s->held.bytes);
    free(s->events.bytes);
    free(s->taken.bytes);
    free(s);
}
