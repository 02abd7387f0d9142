"""The Python SDK, driven from outside as the harness does. `python3 -m unittest discover -s scripts/adapters/python/tests`"""
import base64
import json
import pathlib
import subprocess
import sys
import unittest

ODD = str(pathlib.Path(__file__).with_name("odd.py"))
WHOLE = {"plan": "whole", "cuts": [None, []]}


def ask(kind, *sent):
    """The answers to some messages. Standard output holds nothing else, and the adapter ends with status 0."""
    lines = b"".join(json.dumps(message).encode() + b"\n" for message in sent)
    done = subprocess.run([sys.executable, ODD, kind], input=lines, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(sent), (answers, done.stderr)
    return answers, done.stderr


def run(text, *plans, kind="odd", **more):
    message = {"type": "run", "id": 1, "dialect": "hermes", "text": text, "tools": None, "tool_choice": "auto", "end": "stop", "plans": list(plans), **more}
    return ask(kind, message)[0][0]


class Streak(unittest.TestCase):
    def only(self, text, reading):
        """All ways give this reading."""
        result = run(text, WHOLE)
        self.assertEqual((result["whole"], result["plans"]), (reading, [{"plan": "whole", "read": 2, "same": True}]))

    def test_hello_names_the_clock(self):
        self.assertEqual(ask("odd", {"type": "hello", "protocol": 1})[0][0]["clock"], "thread-cpu")
        self.assertEqual(ask("bytes", {"type": "hello", "protocol": 1})[0][0]["clock"], "process-cpu")

    def test_a_parser_that_prints_breaks_no_answer(self):
        message = {"type": "run", "id": 1, "dialect": "hermes", "text": "print", "tools": None, "tool_choice": "auto", "end": "stop", "plans": [WHOLE]}
        answers, logged = ask("odd", message)
        self.assertEqual(answers[0]["whole"], {"events": [["text", "print"], ["finish", "stop"]]})
        for noise in (b"while it is imported", b"more noise", b"noise of a child"):
            self.assertIn(noise, logged)

    def test_a_parser_that_reads_standard_input_takes_no_message(self):
        self.only("stdin", {"events": [["text", "stdin"], ["finish", "stop"]]})

    def test_whatever_the_parser_throws_is_a_result(self):
        self.only("exit", {"raised": "SystemExit: 3"})
        self.only("panic", {"raised": "Panic: out of bounds"})
        self.only("unprintable", {"raised": "Unprintable: <exception str() failed>"})
        self.only("no", {"rejected": "not hermes"})
        self.only("error", {"raised": "ValueError: half \\udc80 a pair"})

    def test_a_parser_without_end_runs_into_the_interpreters_own_limit(self):
        self.assertIn("RecursionError", run("deep", WHOLE)["whole"]["raised"])

    def test_a_missing_entry_point_is_unsupported(self):
        result = run("closed", WHOLE)
        self.assertEqual(result["plans"][0]["differ"], {"1": {"unsupported": "no stream"}})
        self.assertEqual(run("x", WHOLE, kind="stream")["whole"], {"unsupported": "no entry point for finished texts"})

    def test_half_a_surrogate_pair_is_raised_since_no_server_could_send_it(self):
        whole = run("surrogate", {"plan": "whole", "cuts": [None, None]})
        self.assertEqual(whole["whole"], {"raised": "UnicodeEncodeError: surrogates not allowed"})
        self.assertTrue(whole["plans"][0]["same"])

    def test_events_in_no_possible_order_are_never_the_same(self):
        for text in ("early", "late", "minus"):
            self.assertEqual(set(run(text, {"plan": "whole", "cuts": [None, None]})["plans"][0]["differ"]), {"0", "1"})

    def test_the_order_of_parts_counts_only_where_it_is_told(self):
        cuts = {"plan": "x", "cuts": [None, [1], [1, 2]]}
        self.assertEqual(run("abc", cuts, kind="around")["plans"], [{"plan": "x", "read": 3, "same": True}])
        self.assertEqual(set(run("abc", cuts, kind="ordered")["plans"][0]["differ"]), {"1", "2"})

    def test_the_finish_rides_on_the_last_delta_where_the_session_can(self):
        plan = {"plan": "last-with-finish", "cuts": [[], [2]], "last_with_finish": True}
        events = run("rides", WHOLE, plan)["plans"][1]["differ"]["1"]
        self.assertEqual(events, {"events": [["text", "ri"], ["text", "des!"], ["finish", "stop"]], "at": [0, 1, 1]})
        self.assertTrue(run("walks", WHOLE, plan)["plans"][1]["same"])

    def test_reuse_reads_twice_with_one_session(self):
        reuse = {"plan": "reuse", "cuts": [[2]], "reuse": True}
        self.assertEqual(run("once", WHOLE, reuse)["plans"][1]["differ"], {"0": {"raised": "AssertionError: used twice"}})
        self.assertTrue(run("often", WHOLE, reuse)["plans"][1]["same"])

    def test_prefixes_go_through_the_whole_entry_point(self):
        result = run("aéb", WHOLE, {"plan": "prefixes", "prefixes": [1, 3, 4]})
        texts = {at: reading["events"][0][1] for at, reading in result["plans"][1]["differ"].items()}
        self.assertEqual(texts, {"0": "a", "1": "aé"})

    def test_cuts_are_bytes_of_the_text(self):
        result = run("aéb€", {"plan": "x", "cuts": [None, [1, 3, 4], [4, 4], []]}, events=True)
        pieces = [[event[1] for event in result["plans"][0]["differ"][str(i)]["events"][:-1]] for i in range(4)]
        self.assertEqual(pieces, [["aéb€"], ["a", "é", "b", "€"], ["aéb", "€"], ["aéb€"]])
        self.assertEqual(result["plans"][0]["differ"]["2"]["at"], [0, 2, 3])

    def test_a_unit_of_bytes_gets_any_bytes(self):
        code = base64.b64encode("é".encode() + b"\xff").decode()
        result = run(None, {"plan": "bytes", "cuts": [None, [1], [1, 2]]}, kind="bytes", base64=code)
        self.assertEqual(result["whole"], {"events": [["text", "é\ufffd"], ["finish", "stop"]]})
        self.assertTrue(result["plans"][0]["same"])

    def test_measure_times_each_reading(self):
        message = {"type": "measure", "id": 8, "dialect": "hermes", "text": "abc", "tools": None, "end": "stop", "cuts": [1], "repeat": 3}
        answer = ask("odd", message)[0][0]
        self.assertEqual((answer["type"], answer["id"], len(answer["cpu_ns"])), ("measured", 8, 3))
        self.assertTrue(all(spent > 0 for spent in answer["cpu_ns"]))
        self.assertEqual(answer["whole"], {"events": [["text", "a"], ["text", "bc"], ["finish", "stop"]], "at": [0, 1, 2]})

    def test_a_fault_of_the_adapter_is_said_and_the_next_message_served(self):
        answers, _ = ask("odd", {"type": "run", "id": 4, "text": "x"}, {"type": "hello", "protocol": 1},
                         {"type": "run", "id": 5, "text": "garbage", "end": "stop", "plans": [{"plan": "whole", "cuts": [None]}]})
        self.assertEqual([(answer["type"], answer.get("id")) for answer in answers], [("error", 4), ("hello", None), ("error", 5)])

    def test_stop_ends_it(self):
        lines = b'{"type": "stop"}\n{"type": "hello", "protocol": 1}\n'
        done = subprocess.run([sys.executable, ODD, "odd"], input=lines, capture_output=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (0, b""))


if __name__ == "__main__":
    unittest.main()
