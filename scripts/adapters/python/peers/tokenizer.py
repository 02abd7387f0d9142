"""A stand-in for a model's tokenizer, consistent with itself: each of the family's own tokens is one id, every other character is one id.

Real tokenizers join characters to longer pieces; no parser here looks at those, only at the ids of the family's tokens. A delta that ends inside
one of them (which no detokenizer produces) gets the ids of its characters.
"""
import re

_CHARACTERS = 1000  # The first id of a character; the family's tokens come before.


class Tokenizer:
    is_fast = True
    chat_template = ""
    bos_token_id = 0
    supports_grammar = False

    def __init__(self, family):
        self.ids = {token: 1 + i for i, token in enumerate(dict.fromkeys(family.special + family.added + family.stops))}
        self.texts = {i: token for token, i in self.ids.items()}
        self.all_special_tokens = list(dict.fromkeys(family.special + family.stops))
        self.all_special_ids = [self.ids[token] for token in self.all_special_tokens]
        self._special = frozenset(self.all_special_ids)
        self.eos_token = family.stops[0] if family.stops else ""
        self.eos_token_id = self.ids.get(self.eos_token, 0)
        # Words by which parsers look up ordinary tokens: a newline, and a space before `</`.
        self.vocab = {**self.ids, "<0x0A>": _CHARACTERS + 10, "\n": _CHARACTERS + 10, "Ġ</": _CHARACTERS - 1}
        self.vocab_size = len(self)
        longest_first = sorted(self.ids, key=len, reverse=True)
        self._split = re.compile("(" + "|".join(map(re.escape, longest_first)) + ")") if longest_first else None
        self._known = {"": []}

    def __len__(self):
        return _CHARACTERS + 0x110000

    def get_vocab(self):
        return self.vocab

    get_added_vocab = get_vocab

    def encode(self, text, **_):
        found = self._known.get(text)
        if found is None:
            if len(self._known) > 20_000:
                self._known.clear()
            found = []
            for i, part in enumerate(self._split.split(text) if self._split else [text]):
                found.extend([self.ids[part]] if i % 2 else [_CHARACTERS + ord(c) for c in part])
            self._known[text] = found
        return list(found)

    def decode(self, ids, skip_special_tokens=False, **_):
        if isinstance(ids, int):
            ids = [ids]
        return "".join(
            self.texts.get(i, "") if i < _CHARACTERS else chr(i - _CHARACTERS) for i in ids if not (skip_special_tokens and i in self._special))

    def convert_tokens_to_ids(self, tokens):
        if isinstance(tokens, str):
            return self.vocab.get(tokens) if len(tokens) != 1 else _CHARACTERS + ord(tokens)
        return [self.convert_tokens_to_ids(token) for token in tokens]

    def convert_ids_to_tokens(self, ids, **_):
        return self.decode([ids]) if isinstance(ids, int) else [self.decode([i]) for i in ids]

    def apply_chat_template(self, *_args, **_kwargs):
        raise NotImplementedError("there is no model and no template here")

    def shown(self, text, skip_special_tokens):
        """A delta as the detokenizer hands it on."""
        return self.decode(self.encode(text), True) if skip_special_tokens else text
