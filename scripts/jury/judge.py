"""Holds what a client gave its caller against what the stream means."""

import json
from decimal import Decimal, InvalidOperation

# The clients of each surface, in the order of the grid's columns.
CLIENTS = {
    "chat": ("openai-python", "openai-node", "ai-openai-compatible", "ai-openai"),
    "responses": ("openai-python", "openai-node", "ai-openai"),
    "anthropic": ("anthropic-python", "anthropic-node", "ai-anthropic"),
}

# The words of each surface, and of the AI SDK for all of them, for what Chat Completions calls `stop`, `tool_calls` and `length`. A word of
# another surface is none: it stays as it is, and is wrong.
WORDS = {
    "chat": {word: word for word in ("stop", "tool_calls", "length")},
    "responses": {"completed": "stop", "max_output_tokens": "length"},
    "anthropic": {"end_turn": "stop", "stop_sequence": "stop", "tool_use": "tool_calls", "max_tokens": "length"},
    "ai": {"stop": "stop", "tool-calls": "tool_calls", "length": "length"},
}

# A number that a client parsed is a double in JavaScript, so two numbers are held against each other as the client can hold them.
EXACT, DOUBLE = Decimal, float


def value(text, number):
    """JSON as a value in which equal things are equal: numbers of one kind, and no number equal to a truth value."""

    def build(item):
        if isinstance(item, dict):
            return {key: build(member) for key, member in item.items()}
        if isinstance(item, list):
            return [build(member) for member in item]
        return (type(item).__name__, item)

    def read(digits):
        # Infinity in JavaScript is null in JSON.
        read = number(digits)
        return None if read in (float("inf"), float("-inf")) else read

    def constant(word):
        # Python's own words for what no JSON has: a double beyond all others, which is the same null, and NaN.
        if number is DOUBLE and word.endswith("Infinity"):
            return None
        raise ValueError(word)

    return build(json.loads(text, parse_int=read, parse_float=read, parse_constant=constant))


def same_arguments(want, got, parsed):
    """True if `got` means the same as `want`: as JSON with exact numbers, or with doubles where the client parsed it."""
    if want == got:
        return True
    try:
        number = DOUBLE if parsed else EXACT
        return value(want, number) == value(got, number)
    except (ValueError, TypeError, InvalidOperation, RecursionError):
        return False


def joined(parts, kind):
    return "".join(part["text"] or "" for part in parts if part["type"] == kind)


def calls(parts):
    return [part for part in parts if part["type"] == "call"]


def words(surface, client):
    return WORDS["ai" if client.startswith("ai-") else surface]


def finish(surface, client, expect, answer):
    """The finish in the words of Chat Completions. Responses has none for calls: `completed` is right for a reply with calls too."""
    word = answer.get("finish")
    if word == "completed" and surface == "responses" and expect == "tool_calls":
        return expect
    return words(surface, client).get(word, f"the word {word}")


def shorten(text, most=60):
    text = str(text)
    return text if len(text) <= most else text[: most - 1] + "…"


def order(parts):
    """Which part is which kind, without reasoning (which not every client shows) and without joins."""
    kinds = [part["type"] for part in parts if part["type"] == "call" or (part["type"] == "text" and part["text"])]
    return [kind for at, kind in enumerate(kinds) if kind == "call" or at == 0 or kinds[at - 1] != kind]


def differences(surface, client, expect, answer, wire):
    """Every difference, as pairs of a field and its description. The fields: calls, done, content, reasoning, order, finish.

    `wire` is what was served: an id that is neither in it nor made of ids in it is a random one of the client's own."""
    found = []
    parts = answer["parts"]
    want, got = calls(expect["parts"]), calls(parts)
    # A call that was cut may be withheld, or handed over as it was cut; never as a whole one.
    kept = [call for call in want if call["complete"] or len(got) == len(want)]
    if len(kept) != len(got):
        found.append(("calls", f"{len(got)} calls for {len(kept)}"))
    for at, (one, other) in enumerate(zip(kept, got)):
        # JavaScript leaves out what is undefined.
        text = other.get("arguments", other.get("input"))
        if other.get("name") != one["name"]:
            found.append(("calls", f"call {at} is named {json.dumps(other.get('name'))}"))
        if other.get("id") != one["id"]:
            rest = "" if (other.get("id") or "") in wire else other["id"]
            for call in want:
                rest = rest.replace(call["id"], "")
            made_up = rest != ""
            found.append(("calls", f"call {at} has " + ("a made-up id" if made_up else f"the id {json.dumps(other.get('id'))}")))
        if text is None or not same_arguments(one["arguments"], text, "input" in other):
            found.append(("calls", f"call {at} has {text or 'no arguments'} for {one['arguments']}"))
    if answer.get("done") is not None:
        # The events that a helper fires as each call ends: a caller may act on them before the reply is over.
        done = [(call.get("name"), call.get("arguments")) for call in answer["done"]]
        final = [(call.get("name"), call.get("arguments")) for call in got]
        if done != final:
            found.append(("done", f"its done events say {json.dumps(done)}"))
    for kind, field in (("text", "content"), ("reasoning", "reasoning")):
        one, other = joined(expect["parts"], kind), joined(parts, kind)
        if one != other:
            found.append((field, f"{field} {json.dumps(other, ensure_ascii=False)} for {json.dumps(one, ensure_ascii=False)}"))
    if surface != "chat" and not found and order(expect["parts"]) != order(parts):
        found.append(("order", f"order {' '.join(order(parts))} for {' '.join(order(expect['parts']))}"))
    if finish(surface, client, expect["finish"], answer) != expect["finish"]:
        own = next((word for word, meaning in words(surface, client).items() if meaning == expect["finish"]), "completed")
        found.append(("finish", f"finish {answer.get('finish')} for {own}"))
    return found


def excuses(known, client, surface, field, text=""):
    """True if `known` says that this client does not read this field of the surface, or says this error of every stream of its kind."""
    return any(one["client"] == client and one["surface"] == surface and one["field"] == field and one.get("says", "") in text for one in known)


def judge(surface, client, expect, answer, wire, known):
    """`right`, `known`, `wrong` or `error`, with what is wrong. `known`: nothing is but what `known` says of this client."""
    if "error" in answer:
        # The errors that are known are those of replies that the length limit cut.
        excused = expect["finish"] == "length" and excuses(known, client, surface, "error", answer["error"])
        return "known" if excused else "error", shorten(" ".join(answer["error"].split()), 100)
    found = differences(surface, client, expect, answer, wire)
    rest = [what for field, what in found if not excuses(known, client, surface, field)]
    verdict = "wrong" if rest else "known" if found else "right"
    return verdict, "; ".join(shorten(what, 100) for what in rest)
