"""The pytest plugin. Its own logic is tested with a stand-in for the program, which answers from a table; with $STREAKSTONE the example runs for real.
Skipped without pytest; `ADAPTERS_REQUIRED=1` makes that a failure. `python3 -m unittest discover -s scripts/adapters/python/tests`"""
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SDK = pathlib.Path(__file__).resolve().parent.parent
STAND_IN = """#!{python}
import json, pathlib, sys
here = pathlib.Path(__file__).parent
with open(here / "asked", "a") as asked:
    asked.write(json.dumps(sys.argv[1:]) + "\\n")
table = json.loads((here / "table.json").read_text())
if sys.argv[1] == "list":
    for row in table[sys.argv[2]]:
        print(json.dumps(row))
elif "exit" in table:
    print("the adapter broke", file=sys.stderr)
    sys.exit(table["exit"])
else:
    with open(sys.argv[sys.argv.index("--log") + 1], "w") as log:
        for name, result in table["results"].items():
            log.write(json.dumps({{"type": "result", "subject": "mine", "case": name, **result}}) + "\\n")
    sys.exit(1)
"""
FAILED = {"verdict": "fail", "file": "corpus/hermes/a.yaml", "line": 4, "checks": [
    {"law": "split-invariance", "plan": "every-cut", "delivery": "eager", "cut": [52], "at": "calls[0].arguments", "want": '{"q":1}', "got": "\u202e",
     "detail": "whole and split differ.", "excerpt": {"before": '"q": "a\\', "after": '"b"', "more_before": True, "more_after": True}}]}
RESULTS = {
    "hermes/a/passes": {"verdict": "pass"}, "hermes/a/soft": {"verdict": "soft"}, "hermes/a/fails": FAILED, "hermes/a/known": {**FAILED, "known": "their choice"},
    "hermes/b/disputed": {"verdict": "disputed"}, "lfm2/a/passes": {"verdict": "pass"},
}


@unittest.skipUnless(importlib.util.find_spec("pytest") or os.environ.get("ADAPTERS_REQUIRED"), "pytest is not installed")
class Plugin(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.adapter = self.folder / "streakstone_mine.py"
        self.adapter.write_text('import streak\nstreak.Adapter.hello = {"name": "mine", "version": "1", "dialects": ["hermes_2_pro", "lfm2"]}\nstreak.serve(streak.Adapter())\n')
        program = self.folder / "program"
        program.write_text(STAND_IN.format(python=sys.executable))
        program.chmod(0o755)
        self.program = str(program)
        self.table()

    def table(self, **more):
        cases = [{"case": name, "dialect": name.split("/")[0]} for name in [*RESULTS, "glm47/a/other"]]
        dialects = [{"name": "hermes", "aliases": ["hermes_2_pro"]}, {"name": "lfm2", "aliases": []}, {"name": "glm47", "aliases": []}]
        (self.folder / "table.json").write_text(json.dumps({"cases": cases, "dialects": dialects, "results": RESULTS, **more}))

    def pytest(self, *arguments, program=None, paths=()):
        environment = {**os.environ, "PYTHONPATH": str(SDK), "COLUMNS": "200", "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-m", "pytest", "-p", "pytest_streakstone", "-p", "no:cacheprovider", "--color=no", "--streakstone", program or self.program]
        done = subprocess.run([*command, *arguments, *(paths or [self.folder])], env=environment, capture_output=True, text=True, timeout=300)
        return done.returncode, done.stdout

    def runs(self):
        asked = [json.loads(line) for line in (self.folder / "asked").read_text().splitlines()]
        return [words for words in asked if words[0] == "run"]

    def test_each_case_of_the_adapters_dialects_is_a_test_and_one_run_judges_them(self):
        code, out = self.pytest("-v", "-rsx")
        self.assertEqual(code, 1)
        for name, word in [("hermes/a/passes", "PASSED"), ("hermes/a/soft", "PASSED"), ("hermes/a/fails", "FAILED"), ("hermes/a/known", "XFAIL"), ("hermes/b/disputed", "SKIPPED"), ("lfm2/a/passes", "PASSED")]:
            self.assertRegex(out, f"streakstone_mine.py::{name} {word}")
        self.assertNotIn("glm47", out)
        self.assertIn("their choice", out)
        self.assertEqual(len(self.runs()), 1)
        self.assertIn("streakstone_mine.py", self.runs()[0][self.runs()[0].index("--adapter") + 1])

    def test_a_failure_shows_the_smallest_cut_and_the_command(self):
        _, out = self.pytest("-k", "fails")
        for part in ("fail  mine::hermes/a/fails  corpus/hermes/a.yaml:4", "split-invariance (plan every-cut, eager; smallest cut: 52): whole and split differ.",
                     '…"q": "a\\ ┆ "b"…', 'want {"q":1}', "got  \\u202e", "hermes/a/fails --cut 52"):
            self.assertIn(part, out)
        self.assertNotIn("\u202e", out)

    def test_only_the_selected_cases_are_run(self):
        self.assertEqual(self.pytest("-k", "passes and hermes", "--streakstone-plan", "every-cut")[0], 0)
        self.assertEqual(self.runs()[0][-1], "hermes/a/passes")
        self.assertIn("--plan", self.runs()[0])
        _, out = self.pytest("--streakstone-dialect", "lfm*", "-v")
        self.assertIn("1 passed", out)

    def test_a_broken_harness_or_adapter_is_an_error_and_says_so(self):
        self.table(exit=3)
        code, out = self.pytest("-k", "passes")
        self.assertEqual(code, 1)
        self.assertIn("ended with 3:\nthe adapter broke", out)
        code, out = self.pytest(program="/no/such/program")
        self.assertIn("/no/such/program does not start", out)
        self.adapter.write_text("raise SystemExit('no parser here')\n")
        code, out = self.pytest()
        self.assertEqual(code, 2)
        self.assertIn("streakstone_mine.py gave no hello:\nno parser here", out)

    def test_the_example_is_judged_for_real(self):
        program = shutil.which(os.environ.get("STREAKSTONE", "streakstone"))
        if program is None or "--adapter" not in subprocess.run([program, "run", "--help"], capture_output=True, text=True).stdout:
            self.skipTest("no `streakstone` with `run --adapter`; name it in $STREAKSTONE")
        os.environ.setdefault("STREAKSTONE_ROOT", str(SDK.parent.parent.parent))
        code, out = self.pytest("-k", "canonical", "-v", program=program, paths=[SDK / "examples/pytest_loop"])
        self.assertEqual(code, 0, out)
        self.assertIn("streakstone_hermes.py::hermes/canonical/one-call PASSED", out)


if __name__ == "__main__":
    unittest.main()
