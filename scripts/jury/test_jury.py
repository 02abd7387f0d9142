"""Tests of the jury itself: it must be able to find a client wrong, and must not find one wrong that is right."""

import json
import unittest

import grid
import judge
import jury
import serve

CALL = {"type": "call", "id": "a", "name": "f", "arguments": '{"n":9007199254740993,"x":1.0}', "complete": True}
EXPECT = {"parts": [{"type": "text", "text": "hi"}, CALL], "finish": "tool_calls"}
PYTHON = ("chat", "openai-python")


def answer(**changes):
    return {"parts": [{"type": "text", "text": "hi"}, {**CALL, **changes}], "finish": "tool_calls"}


def verdict(expect, given, surface="chat", client="openai-python", known=(), wire=""):
    return judge.judge(surface, client, expect, given, wire, known)


class Verdicts(unittest.TestCase):
    def test_what_was_meant_is_right(self):
        self.assertEqual(verdict(EXPECT, answer()), ("right", ""))
        self.assertEqual(verdict(EXPECT, answer(arguments='{ "x": 1, "n": 9007199254740993.0 }')), ("right", ""))

    def test_every_field_can_be_wrong(self):
        for given in (answer(id="b"), answer(id=None), answer(name="g"), answer(arguments='{"n":9007199254740992,"x":1.0}'), answer(arguments=None),
                      answer(arguments=""), {**answer(), "finish": "stop"}, {**answer(), "parts": answer()["parts"][1:]},
                      {**answer(), "parts": answer()["parts"][:1]}, {**answer(), "parts": [*answer()["parts"], CALL]},
                      {**answer(), "done": []}, {**answer(), "parts": [{"type": "reasoning", "text": "?"}, *answer()["parts"]]}):
            self.assertEqual(verdict(EXPECT, given)[0], "wrong", given)

    def test_a_parsed_number_is_a_double_and_still_another_number_is_wrong(self):
        parsed = {key: member for key, member in CALL.items() if key != "arguments"}
        for text, want in (('{"n":9007199254740992,"x":1}', "right"), ('{"n":9007199254740000,"x":1}', "wrong"), ('{"n":true,"x":1}', "wrong")):
            given = {"parts": [EXPECT["parts"][0], {**parsed, "input": text}], "finish": "tool_calls"}
            self.assertEqual(verdict(EXPECT, given)[0], want, text)
        self.assertFalse(judge.same_arguments('{"a":1}', '{"a":true}', False))
        for text in ('{"a":null}', '{"a":Infinity}'):
            self.assertTrue(judge.same_arguments('{"a":1e400}', text, True))
        for text in ('{"a":NaN}', '{"a":1}'):
            self.assertFalse(judge.same_arguments('{"a":1e400}', text, True))
        self.assertFalse(judge.same_arguments('{"a":1e400}', '{"a":Infinity}', False))

    def test_a_cut_call_is_withheld_or_visibly_cut(self):
        expect = {"parts": [{**CALL, "arguments": '{"n":1', "complete": False}], "finish": "length"}
        for parts, want in (([], "right"), ([{**CALL, "arguments": '{"n":1'}], "right"), ([{**CALL, "arguments": '{"n":1}'}], "wrong")):
            self.assertEqual(verdict(expect, {"parts": parts, "finish": "length"})[0], want, parts)

    def test_order_counts_where_the_surface_shows_it(self):
        turned = {**answer(), "parts": answer()["parts"][::-1]}
        self.assertEqual(verdict(EXPECT, turned)[0], "right")
        self.assertEqual(verdict(EXPECT, {**turned, "finish": "tool_use"}, "anthropic", "anthropic-python")[0], "wrong")

    def test_a_known_difference_excuses_its_own_field_only(self):
        known = [{"client": "openai-python", "surface": "chat", "field": "reasoning"}]
        expect = {**EXPECT, "parts": [{"type": "reasoning", "text": "?"}, *EXPECT["parts"]]}
        self.assertEqual(verdict(expect, answer(), known=known)[0], "known")
        self.assertEqual(verdict(expect, answer(), client="openai-node", known=known)[0], "wrong")
        self.assertEqual(verdict(expect, answer(name="g"), known=known)[0], "wrong")
        self.assertEqual(verdict(expect, {"error": "no reasoning"}, known=known)[0], "error")

    def test_a_known_error_is_one_of_a_cut_reply_and_of_what_we_write_only(self):
        known = [{"client": "openai-python", "surface": "chat", "field": "error", "says": "no end"}]
        for expect, error, want in ((EXPECT, "no end", "error"), ({**EXPECT, "finish": "length"}, "no end", "known"),
                                    ({**EXPECT, "finish": "length"}, "other", "error")):
            self.assertEqual(verdict(expect, {"error": error}, known=known)[0], want)
            entry = {"id": "e", "kind": "good", "name": "cut", "law": None, "surface": "chat", "mode": "stream", "expect": expect}
            sitting = {(0, client, "events"): {"error": error} for client in judge.CLIENTS["chat"]}
            self.assertEqual(jury.Sitting([entry], [(b"", True)], sitting, known).rows[0]["openai-python"][0], "error")

    def test_a_word_of_another_surface_is_wrong(self):
        for surface, client, own in (("chat", "openai-node", "tool_calls"), ("anthropic", "anthropic-node", "tool_use"), ("chat", "ai-openai", "tool-calls")):
            for word in ("tool_calls", "tool_use", "tool-calls"):
                want = "right" if word == own else "wrong"
                self.assertEqual(verdict(EXPECT, {**answer(), "finish": word}, surface, client)[0], want, (client, word))

    def test_completed_is_the_finish_of_calls_and_of_text_but_not_of_a_cut_reply(self):
        for meant, want in (("tool_calls", "right"), ("stop", "right"), ("length", "wrong")):
            given = {**answer(), "finish": "completed"}
            self.assertEqual(verdict({**EXPECT, "finish": meant}, given, "responses")[0], want, meant)

    def test_an_id_of_the_clients_own_has_no_name(self):
        self.assertIn('"aa"', verdict(EXPECT, answer(id="aa"), wire='"id":"a"')[1])
        self.assertIn("a made-up id", verdict(EXPECT, answer(id="a9f"), wire='"id":"a"')[1])
        self.assertIn("a made-up id", verdict(EXPECT, answer(id="x9"), wire='"id":"a"')[1])


class Sittings(unittest.TestCase):
    def sitting(self, kind, given, known=()):
        entry = {"id": "e", "kind": kind, "name": "other-argument", "law": None, "surface": "chat", "mode": "stream", "expect": EXPECT}
        finish = lambda client: "tool-calls" if client.startswith("ai-") else "tool_calls"
        answers = {(0, client, chunking): {**given, "finish": finish(client)} for client in judge.CLIENTS["chat"] for chunking in serve.CHUNKINGS}
        return jury.Sitting([entry], [(b"", True)], answers, known)

    def test_a_planted_stream_that_is_fed_as_written_is_reported_for_every_client(self):
        self.assertEqual(len(list(self.sitting("written", answer(name="g")).faults())), 4)
        self.assertEqual(list(self.sitting("written", answer()).faults()), [])

    def test_a_comparison_that_finds_nothing_is_reported(self):
        self.assertEqual(len(list(self.sitting("planted", answer()).faults())), 4)
        self.assertEqual(list(self.sitting("planted", answer(arguments="{}")).faults()), [])

    def test_a_known_difference_that_is_gone_is_reported(self):
        known = [{"client": "openai-python", "surface": "chat", "field": "reasoning", "reason": "x"}]
        self.assertEqual(len(list(self.sitting("written", answer(), known).faults())), 1)

    def test_chunkings_that_differ_are_told_apart_and_the_worst_counts(self):
        sitting = self.sitting("written", answer())
        sitting.answers[0, "openai-node", "sevens"] = answer(name="g")
        worst, what = sitting.verdict(0, "openai-node")
        self.assertEqual(worst, "wrong")
        self.assertIn("in events: right", what)


class Pages(unittest.TestCase):
    def test_a_changed_verdict_is_a_change_and_other_words_are_none(self):
        row = lambda verdict, what: {kind: [] for kind in grid.KINDS} | {"good": [{"surface": "chat", "name": "n", "clients": {"c": [verdict, what]}}]}
        self.assertEqual(grid.changes(row("error", "a"), row("error", "b")), [])
        self.assertEqual(len(grid.changes(row("error", "a"), row("right", ""))), 1)
        self.assertEqual(len(grid.changes(None, row("right", ""))), 1)

    def test_hostile_text_stays_inside_its_cell(self):
        self.assertEqual(grid.code("a|b`<img>`\n\x1b"), r"`a\|b'<img>'\n\x1b`")

    def test_a_chunking_changes_no_byte(self):
        for body in ("a\n\nbé\n\n", "a\r\n\r\nb", "a\r\rb\r\r", ""):
            for chunking in serve.CHUNKINGS:
                self.assertEqual(b"".join(serve.cut(body.encode(), chunking)), body.encode())
        self.assertEqual(serve.cut(b"a\n\nb\n\n", "events"), [b"a\n\n", b"b\n\n"])


if __name__ == "__main__":
    unittest.main()
