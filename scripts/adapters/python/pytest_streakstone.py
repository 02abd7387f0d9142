"""A pytest plugin: an adapter file is a test file, and each case of its dialects a test.

    pytest -p pytest_streakstone streakstone_mine.py -k "strings and quote"

A file `streakstone_*.py` (the ini key `streakstone_adapters` has other patterns) is an adapter of the SDK. Its tests are named like the cases, so that
`-k`, `--lf`, `-x` and `file::case` work. The selected cases are judged in one run of `streakstone`, when the first of them runs; the adapter, and with it the
parser, runs in a child process, as in the gate. Failing tests show the smallest cut and the command that reads it again.
"""
import fnmatch
import json
import os
import shlex
import subprocess
import sys
import tempfile

import pytest

PASSES = {"pass", "soft", "policy"}
SKIPS = {"disputed": "the case is disputed", "unsupported": "the subject cannot be judged by it", "not-run": "it was not run"}


def pytest_addoption(parser):
    group = parser.getgroup("streakstone")
    group.addoption("--streakstone", default=os.environ.get("STREAKSTONE", "streakstone"), metavar="PROGRAM", help="the program (default: $STREAKSTONE, or from the PATH)")
    group.addoption("--streakstone-dialect", action="append", default=[], metavar="NAME", help="only cases of this dialect; several are alternatives, `*` and `?` work")
    group.addoption("--streakstone-plan", action="append", default=[], metavar="PLAN", help="only these plans, such as `every-cut`")
    group.addoption("--streakstone-corpus", metavar="DIR", help="a corpus of your own")
    parser.addini("streakstone_adapters", "patterns of the files that are adapters", type="args", default=["streakstone_*.py"])


def pytest_collect_file(file_path, parent):
    if any(fnmatch.fnmatch(file_path.name, pattern) for pattern in parent.config.getini("streakstone_adapters")):
        return AdapterFile.from_parent(parent, path=file_path)
    return None


class HarnessError(Exception):
    """Streakstone or the adapter is broken; no word about the parser."""


class AdapterFile(pytest.File):
    """An adapter; the tests in it are the cases of the dialects that its hello names."""

    results = None

    def command(self):
        return [sys.executable, str(self.path)]

    def streakstone(self, *arguments):
        """What the program prints; and its exit code."""
        corpus = self.config.getoption("--streakstone-corpus")
        command = [self.config.getoption("--streakstone"), *arguments, *(["--corpus", corpus] if corpus else [])]
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        except OSError as error:
            raise HarnessError(f"{command[0]} does not start: {error.strerror}. Give its path with --streakstone or $STREAKSTONE.") from None
        if done.returncode not in (0, 1):
            raise HarnessError(f"`{shlex.join(command[:2])}` ended with {done.returncode}:\n{done.stderr.decode(errors='replace').strip()}")
        return done.stdout.decode("utf-8", "replace")

    def listed(self, what):
        return [json.loads(line) for line in self.streakstone("list", what, "--format", "json").splitlines()]

    def dialects(self):
        """The rows that the adapter's hello names, by any name or alias."""
        lines = b'{"type": "hello", "protocol": 1, "harness": "pytest"}\n{"type": "stop"}\n'
        done = subprocess.run(self.command(), input=lines, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, check=False)
        try:
            words = set(json.loads(done.stdout.splitlines()[0])["dialects"])
        except (IndexError, ValueError, KeyError):
            raise HarnessError(f"{self.path.name} gave no hello:\n{done.stderr.decode(errors='replace').strip()[-2000:]}") from None
        return {row["name"] for row in self.listed("dialects") if words & {row["name"], *row.get("aliases", ())}}

    def collect(self):
        wanted = self.config.getoption("--streakstone-dialect") or ["*"]
        dialects = {name for name in self.dialects() if any(fnmatch.fnmatch(name, pattern) for pattern in wanted)}
        for case in self.listed("cases"):
            if case["dialect"] in dialects:
                yield Case.from_parent(self, name=case["case"])

    def result(self, case):
        """The result of a case; the first call judges all cases that are selected in this session."""
        if self.results is None:
            self.results = {}
            cases = [item.name for item in self.session.items if item.parent is self]
            plans = [word for plan in self.config.getoption("--streakstone-plan") for word in ("--plan", plan)]
            with tempfile.TemporaryDirectory() as folder:
                log = os.path.join(folder, "log.jsonl")
                self.streakstone("run", "--adapter", shlex.join(self.command()), *plans, "--log", log, *cases)
                with open(log, encoding="utf-8") as lines:
                    for line in map(json.loads, lines):
                        if line["type"] == "result":
                            self.results[line["case"]] = line
        if case not in self.results:
            raise HarnessError(f"the run has no result for {case}")
        return self.results[case]

    def repr_failure(self, excinfo):
        return str(excinfo.value) if isinstance(excinfo.value, HarnessError) else super().repr_failure(excinfo)


class Failure(Exception):
    """A verdict that is no pass, with its result line."""


class Case(pytest.Item):
    """One case of the corpus."""

    def runtest(self):
        result = self.parent.result(self.name)
        verdict = result["verdict"]
        if verdict not in PASSES:
            if result.get("known"):
                pytest.xfail(result["known"])
            if verdict in SKIPS:
                pytest.skip(result.get("note") or SKIPS[verdict])
            raise Failure(result)
        if verdict != "pass":
            self.add_report_section("call", "streakstone", f"{verdict}: {result.get('note') or checks(result)}")

    def repr_failure(self, excinfo):
        if isinstance(excinfo.value, Failure):
            result = excinfo.value.args[0]
            cut = next((check["cut"] for check in result.get("checks", ()) if check.get("cut")), None)
            rerun = ["streakstone", "run", "--adapter", shlex.join(self.parent.command()), self.name, *(["--cut", ",".join(map(str, cut))] if cut else [])]
            place = f"{result.get('file', '')}:{result.get('line', '')}"
            return f"{result['verdict']}  {result['subject']}::{self.name}  {place}\n{checks(result)}\n  rerun  {shlex.join(rerun)}"
        return str(excinfo.value) if isinstance(excinfo.value, HarnessError) else super().repr_failure(excinfo)

    def reportinfo(self):
        return self.path, None, self.name


def checks(result):
    """What is wrong, a paragraph for each check. Text of models and parsers is escaped."""
    lines = [f"  {escaped(result['note'])}"] if result.get("note") else []
    for check in result.get("checks", ()):
        cut = f"; smallest cut: {', '.join(map(str, check['cut']))}" if check.get("cut") else ""
        lines.append(f"  {check['law']} (plan {check.get('plan', 'whole')}, {check.get('delivery', 'any delivery')}{cut}): {escaped(check.get('detail', ''))}")
        if check.get("excerpt"):
            lines.append(f"      …{escaped(check['excerpt']['before'])} ┆ {escaped(check['excerpt']['after'])}…")
        if "want" in check or "got" in check:
            lines.append(f"    {check.get('at', '')}\n      want {escaped(check.get('want', ''))}\n      got  {escaped(check.get('got', ''))}")
    return "\n".join(lines)


def escaped(text):
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)[:2000]
