"""Tests of what the Python peers share; no peer and no network needed: python3 -m unittest discover scripts/adapters/python/peers"""
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import wheel  # noqa: E402
from families import FAMILIES, Family, choose, without_stop  # noqa: E402
from tokenizer import Tokenizer  # noqa: E402


class TokenizerTest(unittest.TestCase):
    def test_every_familys_tokens_are_one_id_and_read_back(self):
        for row, family in FAMILIES.items():
            tokenizer = Tokenizer(family)
            for token in family.special + family.added + family.stops:
                with self.subTest(row=row, token=token):
                    self.assertEqual(1, len(tokenizer.encode(token)))
                    self.assertEqual(token, tokenizer.decode(tokenizer.encode(token)))

    def test_the_ids_of_the_pieces_are_the_ids_of_the_text(self):
        tokenizer = Tokenizer(FAMILIES["hermes"])
        text = 'é🦀 <tool_call>\n{"a": "<tool"}</tool_call><|im_end|>'
        pieces = ["é🦀 ", "<tool_call>", '\n{"a": "<to', 'ol"}', "</tool_call><|im_end|>"]
        self.assertEqual(tokenizer.encode(text), sum((tokenizer.encode(piece) for piece in pieces), []))
        self.assertEqual(text, tokenizer.decode(tokenizer.encode(text)))

    def test_a_cut_token_is_read_as_characters(self):
        tokenizer = Tokenizer(FAMILIES["hermes"])
        self.assertEqual(len("<tool_"), len(tokenizer.encode("<tool_")))

    def test_skipping_special_tokens_keeps_added_ones(self):
        tokenizer = Tokenizer(Family(special=("<s>",), added=("<t>",)))
        self.assertEqual("<t>x", tokenizer.shown("<s><t>x", True))
        self.assertEqual("<s><t>x", tokenizer.shown("<s><t>x", False))


class FamilyTest(unittest.TestCase):
    def test_only_the_token_that_stopped_the_reply_is_cut(self):
        family = FAMILIES["hermes"]
        self.assertEqual(("a<|im_end|>b", "<|im_end|>"), without_stop("a<|im_end|>b<|im_end|>", family, "stop"))
        self.assertEqual(("a<|im_end|>", None), without_stop("a<|im_end|>", family, "length"))

    def test_other_parsers_can_be_chosen(self):
        dialects = {"hermes": ("qwen25", "qwen3"), "lfm2": ("lfm2", None)}
        choose(dialects, ["hermes=hermes+deepseek-r1", "lfm2=other"])
        self.assertEqual({"hermes": ("hermes", "deepseek-r1"), "lfm2": ("other", None)}, dialects)


class WheelTest(unittest.TestCase):
    def test_chosen_modules_are_real_and_all_else_is_a_stub(self):
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, "bigpackage", "parsers"))
            for name, text in {
                "__init__.py": "raise ImportError('the package itself must not run')",
                "parsers/__init__.py": "",
                "parsers/one.py": "import absentframework\nfrom bigpackage.heavy import Engine\nanswer = 42\ndef f(x: Engine | None) -> absentframework.Tensor: ...",
            }.items():
                with open(os.path.join(root, "bigpackage", name), "w", encoding="utf-8") as file:
                    file.write(text)
            wheel.mount(root, "bigpackage", ["bigpackage.parsers", "bigpackage.parsers."], absent=["absentframework"])
            from bigpackage.parsers import one
            self.assertEqual(42, one.answer)
            self.assertEqual("Engine", one.Engine.__name__)
            self.assertIn("bigpackage.heavy", wheel.stubbed())


if __name__ == "__main__":
    unittest.main()
