"""Drives the examples of all languages with the same messages: they hold one parser, so that one table (../hermes.jsonl) says what each must
answer. A language whose tools are not installed is skipped; `ADAPTERS_REQUIRED=1` makes that a failure, as in CI.

    python3 -m unittest discover -s scripts/adapters/tests
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent.parent
ROOT = HERE.parent.parent
TABLE = [json.loads(line) for line in (HERE / "hermes.jsonl").read_text("utf-8").splitlines()]
TOOLS = [{"type": "function", "function": {"name": name, "parameters": {"type": "object"}}} for name in ("f", "g")]


def messages(page):
    """The messages that a page shows, by their type."""
    blocks = re.findall(r"```json\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    return [json.loads(block) for block in blocks]


def joined(reading):
    """The events of a reading, neighbouring texts as one: where one text ends and the next begins, each language may choose."""
    events = []
    for event in reading["events"]:
        if events and event[0] == events[-1][0] == "text":
            events[-1] = ["text", events[-1][1] + event[1]]
        else:
            events.append(event)
    return events


class Child:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, message):
        self.process.stdin.write(json.dumps(message, ensure_ascii=False).encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def stop(self):
        self.process.stdin.write(b'{"type": "stop"}\n')
        self.process.stdin.close()
        rest = self.process.stdout.read()
        self.process.stdout.close()
        return self.process.wait(30), rest


def request(row, plans, **more):
    text = {"type": "run", "id": 1, "dialect": "hermes", "tools": TOOLS, "tool_choice": "auto", "parallel_tool_calls": True, "reasoning": "closed",
            "end": "stop", "plans": plans, "events": False, "deadline_ms": 30000, **row, **more}
    return {key: value for key, value in text.items() if key not in ("why", "events") or key in more}


class Examples:
    """The tests; a class for each language adds `command`."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        missing = next((tool for tool in cls.needs if shutil.which(tool) is None), None)
        if missing:
            if os.environ.get("ADAPTERS_REQUIRED"):
                raise RuntimeError(f"{missing} is not installed")
            raise unittest.SkipTest(f"{missing} is not installed")
        cls.child = Child(cls.command(pathlib.Path(cls.folder.name)))

    @classmethod
    def tearDownClass(cls):
        status, rest = cls.child.stop()
        assert (status, rest) == (0, b""), (status, rest)

    def test_hello_is_the_protocols(self):
        hello = self.child.ask({"type": "hello", "protocol": 1, "harness": "streakstone test"})
        self.assertEqual((hello["type"], hello["protocol"], hello["dialects"], hello["delivery"]), ("hello", 1, ["hermes"], "validated"))
        shown = next(m for m in messages(ROOT / "harness/adapter/PROTOCOL.md") if m["type"] == "hello" and "name" in m)
        self.assertLessEqual(set(hello), set(shown))

    def test_every_text_of_the_table_under_every_cut(self):
        for row in TABLE:
            ends = [len(row["text"][:i].encode()) for i in range(1, len(row["text"]))]
            plans = [{"plan": "whole", "cuts": [None, []]}, {"plan": "every-cut", "cuts": [[at] for at in ends]},
                     {"plan": "chars", "cuts": [ends]}, {"plan": "empty-chunks", "cuts": [[0, *sorted(ends * 2)]]},
                     {"plan": "last-with-finish", "cuts": [[], ends], "last_with_finish": True}, {"plan": "reuse", "cuts": [[], ends], "reuse": True}]
            with self.subTest(row["why"]):
                result = self.child.ask(request(row, plans, id=7))
                self.assertEqual(row["events"], joined(result["whole"]))
                wanted = [{"plan": plan["plan"], "read": len(plan["cuts"]), "same": True} for plan in plans]
                self.assertEqual((result["type"], result["id"], result["plans"]), ("result", 7, wanted))
                self.assertGreaterEqual(result["cpu_ns"], 0)

    def test_a_reading_that_differs_is_sent(self):
        row = next(row for row in TABLE if row["why"] == "the template's own form")
        result = self.child.ask(request(row, [{"plan": "whole", "cuts": [None]}, {"plan": "prefixes", "prefixes": [5, len(row["text"]), 0]}]))
        at_length = [["finish", "length"] if event[0] == "finish" else event for event in row["events"]]
        differ = {"0": {"events": [["text", "<tool"], ["finish", "length"]]}, "1": {"events": at_length}, "2": {"events": [["finish", "length"]]}}
        self.assertEqual(result["plans"][1], {"plan": "prefixes", "read": 3, "differ": differ})

    def test_all_readings_in_full_with_the_delta_of_each_event(self):
        row = {"text": "ab <tool_call>{\"name\":\"f\"}</tool_call>"}
        result = self.child.ask(request(row, [{"plan": "whole", "cuts": [None]}, {"plan": "x", "cuts": [[1, 8]]}], events=True))
        events = [["text", "a"], ["text", "b "], ["call", 0, "f", None], ["arguments", 0, "{}"], ["end", 0], ["finish", "tool_calls"]]
        self.assertEqual(result["plans"][1], {"plan": "x", "read": 1, "differ": {"0": {"events": events, "at": [0, 1, 2, 2, 2, 3]}}})

    def test_measure_reads_as_often_as_asked(self):
        row = TABLE[2]
        for cuts in (None, [4, 8, 12]):
            message = {**request(row, []), "type": "measure", "cuts": cuts, "repeat": 3}
            result = self.child.ask(message)
            self.assertEqual((result["type"], result["id"], len(result["cpu_ns"])), ("measured", 1, 3))
            self.assertEqual(result["whole"]["events"], row["events"])

    def test_the_pages_own_messages_are_answered(self):
        for message in messages(ROOT / "harness/adapter/PROTOCOL.md"):
            if message["type"] in ("run", "measure"):
                message["text"] = message["text"].replace("...", "a text of some length")
                result = self.child.ask(message)
                self.assertEqual((result["type"], result["id"]), ({"run": "result", "measure": "measured"}[message["type"]], message["id"]))
                self.assertEqual([plan["read"] for plan in result.get("plans", [])],
                                 [len(plan.get("cuts", plan.get("prefixes"))) for plan in message.get("plans", [])])

    def test_an_unknown_message_is_an_error_and_no_end(self):
        reply = self.child.ask({"type": "dance", "id": 3})
        self.assertEqual(reply["type"], "error")
        self.assertEqual(self.child.ask({"type": "hello", "protocol": 1, "harness": "x"})["type"], "hello")


class Python(Examples, unittest.TestCase):
    needs = ()

    @classmethod
    def command(cls, folder):
        return [sys.executable, str(HERE / "python/examples/hermes.py")]


class Node(Examples, unittest.TestCase):
    needs = ("node",)

    @classmethod
    def command(cls, folder):
        return ["node", str(HERE / "node/examples/hermes.mjs")]


class Go(Examples, unittest.TestCase):
    needs = ("go",)

    @classmethod
    def command(cls, folder):
        subprocess.run(["go", "build", "-o", folder / "hermes", "./examples/hermes"], cwd=HERE / "go", check=True)
        return [str(folder / "hermes")]


class C(Examples, unittest.TestCase):
    needs = ("cc", os.environ.get("STREAKSTONE_CABI", "streakstone-cabi"))

    @classmethod
    def command(cls, folder):
        flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC", "-I", HERE / "c"]
        subprocess.run(["cc", *flags, "-o", folder / "libhermes.so", HERE / "c/examples/hermes.c"], check=True)
        return [cls.needs[1], str(folder / "libhermes.so")]


if __name__ == "__main__":
    unittest.main()
