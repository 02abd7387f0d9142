"""SDK for streak/1 adapters (harness/adapter/PROTOCOL.md). Python 3.9 or later, standard library only. How to use it: ../README.md."""
import base64
import itertools
import json
import os
import sys
import time
import traceback

# A parser that prints writes to standard error; one that reads standard input finds it empty.
_in, _out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
CLOCKS = {"thread-cpu": time.thread_time_ns, "process-cpu": time.process_time_ns, "none": lambda: 0}


class Rejected(Exception):
    """The parser said no."""


class Unsupported(Exception):
    """The parser has no such entry point."""


class Adapter:
    """`request` is the `run` message, not to be changed. A session has `push(delta)`, `finish(end)` and perhaps `last(delta, end)`."""
    hello = {}

    def whole(self, request):
        raise Unsupported("no entry point for finished texts")

    def open(self, request):
        raise Unsupported("no entry point for streams")


def fold(events, order):
    """The reply that events mean; None if no reply has them in this order."""
    parts, calls, finish = [], [], None
    for event in events:
        kind = event[0]
        if finish is not None or (kind == "call" and event[1] != len(calls)):
            return None
        if kind == "text" or kind == "reasoning":
            if event[1]:
                parts.append((kind, event[1]))
        elif kind == "call":
            calls.append([event[2], event[3] if len(event) > 3 else None, [], None])
            parts += [(event[1], "")] if order else []
        elif kind == "finish":
            finish = (event[1],)
        elif not 0 <= event[1] < len(calls) or calls[event[1]][3]:
            return None
        elif kind == "arguments":
            calls[event[1]][2].append(event[2])
        else:
            calls[event[1]][3] = event[2] if len(event) > 2 else "complete"
    if not order:
        parts.sort(key=lambda part: part[0])
    texts = [(kind, "".join([text for _, text in run])) for kind, run in itertools.groupby(parts, lambda part: part[0])]
    return texts, [(name, id, "".join(pieces), end == "incomplete") for name, id, pieces, end in calls], finish


def stream(session, pieces, end, ride):
    ride, events, at = ride and hasattr(session, "last"), [], []
    for i, piece in enumerate(pieces):
        events += (session.last(piece, end) if ride and i + 1 == len(pieces) else session.push(piece)) or ()
        at += [i] * (len(events) - len(at))
    events += () if ride else session.finish(end) or ()
    return {"events": events, "at": at + [len(pieces)] * (len(events) - len(at))}


def reading(adapter, request, raw, cuts, clock=CLOCKS["none"], plan={}):
    """One reading and its time. Whatever the parser throws is a result, `SystemExit` and Rust's panics too."""
    if cuts is not None:  # Byte offsets, which are character offsets where the text is ASCII.
        source = request["text"] if raw.isascii() else raw
        pieces = [source[a:b] for a, b in zip([0, *cuts], [*cuts, len(source)])]
        pieces = pieces if type(source) is type(request["text"]) else [piece.decode("utf-8") for piece in pieces]
    start = clock()
    try:
        if cuts is None:
            got = {"events": list(adapter.whole(request))}
        else:
            session = adapter.open(request)
            for _ in range(2 if plan.get("reuse") else 1):
                got = stream(session, pieces, request["end"], plan.get("last_with_finish"))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001
        no = "rejected" if isinstance(error, Rejected) else "unsupported" if isinstance(error, Unsupported) else "raised"
        why = "".join(traceback.format_exception_only(type(error), error)) if no == "raised" else str(error)
        got = {no: why.strip()[:2000].encode("utf-8", "backslashreplace").decode()}
    return got, clock() - start


def run(adapter, request, raw, clock):
    order, first, meaning, plans, start = "order" in adapter.hello.get("tells", ()), None, None, [], clock()
    for plan in request["plans"]:
        differ, readings = {}, plan["cuts"] if "cuts" in plan else plan["prefixes"]
        for i, what in enumerate(readings):
            if "cuts" in plan:
                got, _ = reading(adapter, request, raw, what, plan=plan)
            else:
                text = raw[:what] if isinstance(request["text"], bytes) else raw[:what].decode("utf-8")
                got, _ = reading(adapter, dict(request, end="length", text=text), raw[:what], None)
            folded = fold(got["events"], order) if "events" in got else got
            if folded is None or folded != meaning:
                got = sendable(got)
                folded = folded if "events" in got else got
            if first is None:
                first, meaning = got, folded
            if request.get("events") or folded is None or folded != meaning:
                differ[str(i)] = got
        plans.append({"plan": plan["plan"], "read": len(readings), **({"differ": differ} if differ else {"same": True})})
    return {"type": "result", "id": request["id"], "cpu_ns": clock() - start, "whole": first, "plans": plans}


def sendable(got):
    """The reading as JSON can carry it; half a surrogate pair can leave no server either."""
    try:
        return json.dumps(got, ensure_ascii=False).encode("utf-8") and got
    except UnicodeEncodeError as error:
        return {"raised": f"UnicodeEncodeError: {error.reason}"}


def answer(adapter, message):
    modes = [mode for mode, name in (("whole", "whole"), ("stream", "open")) if getattr(type(adapter), name) is not getattr(Adapter, name)]
    hello = {"type": "hello", "protocol": 1, "clock": "thread-cpu", "modes": modes, **adapter.hello}
    if message["type"] == "hello":
        return hello
    raw = base64.b64decode(message["base64"]) if "base64" in message else message["text"].encode("utf-8")
    message["text"] = raw if hello.get("unit") == "bytes" else raw.decode("utf-8")
    if message["type"] == "run":
        return run(adapter, message, raw, CLOCKS[hello["clock"]])
    readings = [reading(adapter, message, raw, message["cuts"], CLOCKS[hello["clock"]]) for _ in range(message["repeat"])]
    return {"type": "measured", "id": message["id"], "cpu_ns": [spent for _, spent in readings], "whole": sendable(readings[-1][0])}


def serve(adapter):
    """Answers messages until `stop` or the end of standard input."""
    for line in _in:
        message = json.loads(line)
        if message["type"] == "stop":
            break
        try:
            reply = json.dumps(answer(adapter, message))
        except Exception as error:  # noqa: BLE001  A fault of the adapter is said, not died of.
            reply = json.dumps({"type": "error", "id": message.get("id"), "message": f"{type(error).__name__}: {error}"})
        _out.write(reply.encode() + b"\n")
        _out.flush()
