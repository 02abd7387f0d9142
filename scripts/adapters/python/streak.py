"""SDK for streak/1 adapters (harness/adapter/PROTOCOL.md). Python 3.9 or later, standard library only.

    import streak                      # first: moves standard output away from what the parser prints
    class Mine(streak.Adapter):
        hello = {"name": "mine", "version": "1", "dialects": ["hermes"]}
        def whole(self, request): return [("text", ...), ("call", 0, "f", None), ...]
        def open(self, request): return session      # session.push(text) and session.finish(end) give lists of events
    streak.serve(Mine())

A session may also have `last(text, end)`: the last delta together with the finish. Raise `streak.Rejected` to say no, `streak.Unsupported` for
what the parser has no entry point for; any other exception is the result `raised`. `request` is the `run` message.
"""
import base64
import json
import os
import sys
import time

_out = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
os.dup2(2, 1)  # What the parser prints goes to standard error.
sys.setrecursionlimit(max(sys.getrecursionlimit(), 10_000))


class Rejected(Exception):
    """The parser said no."""


class Unsupported(Exception):
    """The parser has no such entry point."""


class Adapter:
    """Base class: what a parser does not have is unsupported."""

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
        if finish is not None:
            return None
        if kind in ("text", "reasoning"):
            if event[1]:
                if parts and parts[-1][0] == kind:
                    parts[-1][1].append(event[1])
                else:
                    parts.append((kind, [event[1]]))
        elif kind == "call":
            if event[1] != len(calls):
                return None
            calls.append([event[2], event[3] if len(event) > 3 else None, [], None])
            parts.append(("call", event[1]))
        elif kind == "finish":
            finish = (event[1],)
        elif event[1] >= len(calls) or calls[event[1]][3]:
            return None
        elif kind == "arguments":
            calls[event[1]][2].append(event[2])
        else:
            calls[event[1]][3] = event[2] if len(event) > 2 else "complete"
    calls = [(name, id, "".join(arguments), end == "incomplete") for name, id, arguments, end in calls]
    if order:
        return [(kind, "".join(what) if kind != "call" else what) for kind, what in parts], calls, finish
    return ["".join(t for kind, what in parts if kind == wanted for t in what) for wanted in ("text", "reasoning")], calls, finish


def chunks(raw, cuts, bytewise):
    pieces = [raw[a:b] for a, b in zip([0, *cuts], [*cuts, len(raw)])]
    return pieces if bytewise else [piece.decode("utf-8") for piece in pieces]


def read_once(adapter, session, pieces, request, ride):
    events, at = [], []
    for i, piece in enumerate(pieces):
        riding = ride and i == len(pieces) - 1 and hasattr(session, "last")
        new = session.last(piece, request["end"]) if riding else session.push(piece)
        events += new
        at += [i] * len(new)
    if not (ride and hasattr(session, "last")):
        events += session.finish(request["end"])
    at += [len(pieces)] * (len(events) - len(at))
    return {"events": events, "at": at}


def reading(adapter, request, raw, bytewise, cuts, ride=False, reuse=False, clock=None):
    """One reading, timed if a clock is given; exceptions are results."""
    pieces = None if cuts is None else chunks(raw, cuts, bytewise)
    start = clock() if clock else 0
    try:
        if pieces is None:
            got = {"events": adapter.whole(request)}
        else:
            session = adapter.open(request)
            if reuse:
                read_once(adapter, session, pieces, request, ride)
            got = read_once(adapter, session, pieces, request, ride)
    except Rejected as no:
        got = {"rejected": str(no)}
    except Unsupported as no:
        got = {"unsupported": str(no)}
    except (Exception, RecursionError) as error:  # noqa: BLE001  Whatever it throws is a result.
        got = {"raised": f"{type(error).__name__}: {error}"[:2000]}
    return got, (clock() - start if clock else 0)


def run(adapter, request, raw, bytewise):
    order, clock = "order" in adapter.hello.get("tells", ()), time.thread_time_ns
    first, plans, spent = None, [], clock()
    for plan in request["plans"]:
        name, all_cuts, differ = plan["plan"], plan.get("cuts"), {}
        prefixes = plan.get("prefixes")
        for i, what in enumerate(prefixes if prefixes is not None else all_cuts):
            if prefixes is not None:
                text = raw[:what]
                asked = dict(request, end="length", text=text if bytewise else text.decode("utf-8"))
                got, _ = reading(adapter, asked, text, bytewise, None)
            else:
                got, _ = reading(adapter, request, raw, bytewise, what, plan.get("last_with_finish"), plan.get("reuse"))
            folded = fold(got["events"], order) if "events" in got else None
            if first is None:
                first, whole = got, folded
            if request.get("events") or (got != first if folded is None else folded != whole):
                differ[str(i)] = got
        count = len(prefixes if prefixes is not None else all_cuts)
        plans.append({"plan": name, "read": count, **({"differ": differ} if differ else {"same": True})})
    return {"type": "result", "id": request["id"], "cpu_ns": clock() - spent, "whole": first, "plans": plans}


def answer(adapter, message):
    kind = message.get("type")
    if kind == "hello":
        return {"type": "hello", "protocol": 1, "clock": "thread-cpu", **adapter.hello}
    raw = base64.b64decode(message["base64"]) if "base64" in message else message["text"].encode("utf-8")
    bytewise = adapter.hello.get("unit") == "bytes"
    message["text"] = raw if bytewise else raw.decode("utf-8")
    if kind == "run":
        return run(adapter, message, raw, bytewise)
    if kind == "measure":
        readings = [reading(adapter, message, raw, bytewise, message["cuts"], clock=time.thread_time_ns) for _ in range(message["repeat"])]
        return {"type": "measured", "id": message["id"], "cpu_ns": [t for _, t in readings], "whole": readings[-1][0]}
    raise ValueError(f"unknown message type {kind!r}")


def serve(adapter):
    """Answers messages until `stop` or the end of standard input."""
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if message.get("type") == "stop":
            break
        try:
            reply = answer(adapter, message)
        except Exception as error:  # noqa: BLE001  A fault of the adapter is said, not died of.
            reply = {"type": "error", "id": message.get("id"), "message": f"{type(error).__name__}: {error}"}
        _out.write(json.dumps(reply, ensure_ascii=True) + "\n")
        _out.flush()
