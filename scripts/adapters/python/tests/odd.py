"""Adapters whose parser behaves oddly; the text of a request says how. For `test_streak.py`."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import streak  # noqa: E402

print("a parser that prints while it is imported")


class Unprintable(Exception):
    def __str__(self):
        raise ValueError("no words")


class Panic(BaseException):
    """As pyo3 throws it."""


def act(word):
    if word == "print":
        print("noise")
        os.write(1, b"more noise\n")
        subprocess.run(["echo", "noise of a child"], check=True)
    elif word == "stdin":
        assert sys.stdin.read() == "" and os.read(0, 10) == b""
    elif word == "exit":
        sys.exit(3)
    elif word == "panic":
        raise Panic("out of bounds")
    elif word == "unprintable":
        raise Unprintable
    elif word == "deep":
        act("deep")
    elif word == "no":
        raise streak.Rejected("not hermes")
    elif word == "error":
        raise ValueError("half \udc80 a pair")


class Session:
    def __init__(self, text=""):
        self.text, self.used = text, False

    def push(self, delta):
        assert not self.used, "used twice"
        act(self.text)
        return [("text", delta)] if delta else None  # None is no events.

    def finish(self, end):
        self.used = self.text == "once"
        return iter([("finish", "stop")])


class Riding(Session):
    def last(self, delta, end):
        return [("text", delta + "!"), ("finish", end)]


class Odd(streak.Adapter):
    hello = {"name": "odd", "version": "1", "dialects": ["hermes"]}

    def whole(self, request):
        act(request["text"])
        fixed = {
            "surrogate": [("text", "\ud83d"), ("finish", "stop")],
            "early": [("arguments", 0, "{}"), ("call", 0, "f", None)],
            "late": [("finish", "stop"), ("text", "")],
            "minus": [("call", 0, "f"), ("arguments", -1, "{}")],
            "around": [("text", "a"), ("call", 0, "f"), ("text", "b"), ("finish", None)],
            "garbage": [("text", object())],
        }
        return fixed.get(request["text"], [("text", request["text"]), ("finish", "stop")])

    def open(self, request):
        if request["text"] == "closed":
            raise streak.Unsupported("no stream")
        return (Riding if request["text"] == "rides" else Session)(request["text"])


class Around(Odd):
    """Its stream puts the call at the end."""

    def open(self, request):
        class Late(Session):
            def finish(self, end):
                return [("call", 0, "f"), ("finish", None)]

        return Late()

    def whole(self, request):
        return [("call", 0, "f", None), ("text", request["text"]), ("end", 0), ("finish", None)]


class Ordered(Around):
    hello = {**Odd.hello, "tells": ["order"]}


class Bytes(Odd):
    hello = {**Odd.hello, "unit": "bytes", "clock": "process-cpu"}

    def whole(self, request):
        return [("text", request["text"].decode("utf-8", "replace")), ("finish", "stop")]

    def open(self, request):
        class Raw(Session):
            held = b""

            def push(self, delta):
                self.held += delta

            def finish(self, end):
                return [("text", self.held.decode("utf-8", "replace")), ("finish", "stop")]

        return Raw()


class StreamOnly(streak.Adapter):
    hello = {**Odd.hello, "modes": ["stream"], "clock": "none"}

    def open(self, request):
        return Session()


streak.serve({"odd": Odd, "around": Around, "ordered": Ordered, "bytes": Bytes, "stream": StreamOnly}[sys.argv[1]]())
