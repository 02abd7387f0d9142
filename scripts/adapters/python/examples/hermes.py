"""Example: a small streaming parser of the Hermes format, and its adapter. Reasoning, control tokens and repairs are left out to stay short.

    streakstone adapter smoke "python3 scripts/adapters/python/examples/hermes.py"
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import streak  # noqa: E402  Before the parser: it moves standard output away.

import json  # noqa: E402

OPEN, CLOSE, SPACE = "<tool_call>", "</tool_call>", " \t\r\n"


def no_constant(word):
    raise ValueError(f"{word} is no JSON")


class Hermes:
    """Reads `<tool_call>{"name": ..., "arguments": {...}}</tool_call>`. A call goes out when its object has closed; what is no call is text."""

    def __init__(self, tools, choice):
        names = None if tools is None else [tool["function"]["name"] for tool in tools]
        if choice == "none":
            names = []
        elif isinstance(choice, dict):
            names = [choice["function"]] if names is None or choice["function"] in names else []
        self.names, self.calls, self.held = names, 0, ""
        self.after = False  # Since a call there was nothing but white space, kept in `held`, and ...
        self.closed = False  # ... its closer.
        self.unit = None  # Where an opener stands in `held`.

    def push(self, text, last=False):
        self.held += text
        events = []
        while self.step(events, last):
            pass
        return events

    def finish(self, end):
        events = self.push("", last=True)
        events.append(("finish", "length" if end == "length" else "tool_calls" if self.calls else "stop"))
        self.calls, self.after = 0, False  # Ready for another text.
        return events

    def step(self, events, last):
        """One decision; False if it needs more text."""
        if self.unit is None:
            if self.after and not self.settle(last):
                return False
            found = self.held.find(OPEN)
            if found < 0:
                self.text(events, len(self.held) - (0 if last else self.half()))
                return False
            # The newline before a block is framing if the block is a call, and so is all white space between calls.
            lead = found if self.after else int(self.held[:found].endswith("\n"))
            self.text(events, found - lead)
            self.unit, self.at, self.depth, self.quoted, self.marks = lead, lead + len(OPEN), 0, False, []
        state = self.scan()
        if state == "open" and not last:
            return False
        call = self.call() if state == "closed" else None
        if call:
            events += [("call", self.calls, call[0], None), ("arguments", self.calls, call[1]), ("end", self.calls)]
            self.calls += 1
            self.held = self.held[self.at:]
        else:
            self.text(events, self.at - (self.held[self.at - 1] == "\n"))
        self.unit, self.after, self.closed = None, call is not None, False
        return True

    def settle(self, last):
        """What follows a call: white space and one closer are framing, unless text follows. False if it needs more text."""
        rest = self.held.lstrip(SPACE)
        if not self.closed and rest.startswith(CLOSE):
            self.held, self.closed = rest[len(CLOSE):], True
            return self.settle(last)
        if last and not rest:
            self.held = ""
        if not last and (OPEN.startswith(rest) or (not self.closed and CLOSE.startswith(rest))):
            return rest == OPEN
        self.after = rest.startswith(OPEN)
        return True

    def half(self):
        """The length of the longest tail that could begin a block."""
        block = "\n" + OPEN
        return max(n for n in range(len(block)) if self.held.endswith((block[:n], OPEN[:n])))

    def scan(self):
        """Goes on to the end of the object: `closed`, `open` if the text ends first, `broken` where no JSON can go on."""
        while self.at < len(self.held):
            char = self.held[self.at]
            if self.quoted:
                if char < " ":
                    return "broken"
                if char == "\\":
                    if self.at + 1 == len(self.held):
                        return "open"
                    self.at += 1
                self.quoted = char != '"'
            elif char == "<" or (self.depth == 0 and char not in SPACE + "{"):
                return "broken"
            elif char == '"':
                self.quoted = True
            elif char in "{[":
                self.depth += 1
            elif char in "}]":
                self.depth -= 1
            if self.depth == 1 and not self.quoted and char in ":,{":
                self.marks.append(self.at)
            self.at += 1
            if self.depth == 0 and char in "}]":
                self.marks.append(self.at - 1)
                return "closed"
        return "open"

    def call(self):
        """Name and arguments, the bytes as the model wrote them; None if the object is no call."""
        try:
            json.loads(self.held[self.unit + len(OPEN):self.at], parse_constant=no_constant)
        except (ValueError, RecursionError):
            return None
        pieces = [self.held[a + 1:b].strip(SPACE) for a, b in zip(self.marks, self.marks[1:])]
        members = {json.loads(key): value for key, value in zip(pieces[::2], pieces[1::2])}
        name, arguments = json.loads(members.get("name", "null")), members.get("arguments", "null")
        arguments = "{}" if arguments == "null" else arguments
        known = isinstance(name, str) and name and (self.names is None or name in self.names)
        return (name, arguments) if known and arguments.startswith("{") else None

    def text(self, events, count):
        if count:
            events.append(("text", self.held[:count]))
        self.held = self.held[count:]


class Example(streak.Adapter):
    hello = {
        "name": "example-python", "version": "1", "dialects": ["hermes"], "tells": ["order", "finish"], "delivery": "validated",
        "policies": {"truncated": "text"}, "notes": "example of the Python SDK; no reasoning",
    }

    def whole(self, request):
        session = self.open(request)
        return session.push(request["text"]) + session.finish(request["end"])

    def open(self, request):
        return Hermes(request["tools"], request["tool_choice"])


if __name__ == "__main__":
    streak.serve(Example())
