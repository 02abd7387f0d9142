#!/usr/bin/env python3
"""peer_bench_verdicts.py OUT: what the bench measured, against our targets. Exit code 1 if one is missed.

Reads the JSON Lines that the bench wrote. In races a figure is the median over the runs; in growth cells it is the least time of
all runs, because a loaded machine only adds. The cells that miss are written to OUT/again.txt, in the bench's form, to be run again.
"""
import collections, glob, json, math, statistics, sys

OURS, EAGER = "streakstone", "streakstone-eager"
STREAMED, WHOLE, PROSE = 10, 3, 5  # times the fastest peer
EXPONENT = 1.25  # by time, over all sizes and over the last step
PER_100_KB = 2e6  # ns, at sizes from SIZE on: below it, fixed costs and the first calls count for too much
SIZE = 27_000
OPEN = 1000  # ns
AGAIN_LIMIT_S = 20

out = sys.argv[1]
missed = collections.Counter()


def rows(pattern):
    return [json.loads(line) for name in sorted(glob.glob(f"{out}/{pattern}")) for line in open(name)]


def verdict(what, good):
    missed[what] += not good
    return "ok" if good else "**missed**"


def table(title, *heads):
    print(f"\n## {title}\n\n| " + " | ".join(heads) + " |\n|" + "---|" * len(heads))


def line(*cells):
    print("| " + " | ".join(map(str, cells)) + " |")


def us(ns):
    return "–" if ns is None else f"{ns / 1e3:.2f}"


typical, perf = rows("typical_*.jsonl"), rows("perf.jsonl")
times = collections.defaultdict(list)
for r in typical + perf:
    if r.get("status") == "ok":
        times[r["dialect"], r["case"], r["mode"], r["n"], r["peer"]].append(r["ns"])
cells = collections.defaultdict(dict)  # what was measured, by place and peer
for (*place, peer), ns in times.items():
    cells[tuple(place)][peer] = statistics.median(ns)
dialects = sorted({r["dialect"] for r in typical})


def race(title, what, target, cases):
    """Ours against the fastest outside peer, a line a dialect and case."""
    table(title + (f": at least {target} times the fastest peer" if target else ""), "dialect", "case", "ours µs", "eager µs", "fastest peer µs", "by", "times", "")
    for d in dialects:
        for case, mode, n in cases:
            found = dict(cells[d, case, mode, n])
            ours, eager = found.pop(OURS, None), found.pop(EAGER, None)
            best = min(found, key=found.get, default=None)
            ratio = found[best] / ours if best and ours else None
            said = "no peer reads it" if best is None else verdict(what, ratio is not None and ratio >= target) if target else ""
            said += " (not read by this build)" if ours is None else ""
            line(d, f"{case} {mode}", us(ours), us(eager), us(found.get(best)), best or "–", f"{ratio:.1f}" if ratio else "–", said)


race("Streamed in 4-byte chunks", "streamed", STREAMED, [("one", "stream4", 0), ("three", "stream4", 0)])
race("Whole", "whole", WHOLE, [("one", "whole", 0), ("three", "whole", 0)])
race("1 MB of prose, streamed", "prose", PROSE, [("prose", "stream4", 1_000_000)])
# Not judged: a peer that finds no marker hands back one copy, and copying 1 MB is all that its time is.
copying = statistics.median([r["ns"] for r in rows("limits_*.jsonl") if r["limit"] == "memcpy 1MB"] or [0])
race(f"1 MB of prose, whole (not judged; copying alone: {us(copying)} µs)", "prose", None, [("prose", "whole", 1_000_000)])

table("Opening a parser: under 1 µs", "dialect", "ns", "")
for d in dialects:
    ns = cells[d, "one", "open", 0].get(OURS)
    if ns is not None:
        line(d, f"{ns:.0f}", verdict("open", ns < OPEN))

growth = collections.defaultdict(list)
for r in perf + rows("again*.jsonl"):
    if r["peer"] in (OURS, EAGER):
        growth[r["peer"], r["dialect"], r["kind"], r["case"], r["mode"]].append(r)
table(f"Growth and hostile input: of {len(growth)} cells, those beyond exponent {EXPONENT}, over 2 ms per 100 KB, or failed",
      "peer", "dialect", "case", "mode", "exponent (last step)", "ms per 100 KB", "status")
again = open(f"{out}/again.txt", "w")
for key, found in sorted(growth.items()):
    failed = {r["status"] for r in found} - {"ok"}
    least = {}
    for r in found:
        if r.get("min"):
            least[r["bytes"]] = min(r["min"], least.get(r["bytes"], math.inf))
    logs = [(math.log(size), math.log(ns)) for size, ns in sorted(least.items())]
    fit = last = 0.0
    if len(logs) > 1:
        mx, my = (statistics.mean(axis) for axis in zip(*logs))
        fit = sum((x - mx) * (y - my) for x, y in logs) / sum((x - mx) ** 2 for x, _ in logs)
        last = (logs[-1][1] - logs[-2][1]) / (logs[-1][0] - logs[-2][0])
    worst = max((ns / size * 1e5 for size, ns in least.items() if size >= SIZE), default=0.0)
    whats = [what for what, miss in [("failed", failed), ("exponent", max(fit, last) > EXPONENT), ("2 ms per 100 KB", worst > PER_100_KB)] if miss]
    if whats:
        missed.update(whats)
        line(key[0], key[1], key[3], key[4], f"{fit:.2f} ({last:.2f})", f"{worst / 1e6:.2f}", ", ".join(whats + sorted(failed)))
        print(*key, ",".join(str(n) for n in sorted({r["n"] for r in found})), AGAIN_LIMIT_S, file=again)

checked = [r for r in rows("conform.jsonl") if r["peer"] in (OURS, EAGER)]
table(f"Equality check: of {len(checked)} readings, those flagged", "peer", "dialect", "input", "flags")
for r in checked:
    if r.get("flags"):
        missed["equality"] += 1
        line(r["peer"], r["dialect"], r["label"], ", ".join(r["flags"]))

missed = +missed
print("\nEvery target is met." if not missed else "\nMissed: " + ", ".join(f"{what} {n}" for what, n in sorted(missed.items())) + ".")
sys.exit(bool(missed))
