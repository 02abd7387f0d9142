"""An adapter that pytest collects: each Hermes case of the corpus is a test. From the repository's root:

    PYTHONPATH=scripts/adapters/python pytest -p pytest_streakstone scripts/adapters/python/examples/pytest_loop -k escaped-quote
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import hermes  # noqa: E402  It loads the SDK first.

if __name__ == "__main__":
    hermes.streak.serve(hermes.Example())
