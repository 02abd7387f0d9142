"""The jury's grid, as a page for people and as JSON. Both are made of one result."""

import datetime
import json
from collections import Counter
from pathlib import Path

import judge

HERE = Path(__file__).resolve().parent
TITLES = {"chat": "Chat Completions", "responses": "Responses", "anthropic": "Anthropic Messages"}
# What an entry's kind is called in the result.
KINDS = ("planted", "good", "variant")


def versions():
    """The pinned versions."""
    python = [line.split()[0].split("==") for line in (HERE / "requirements.txt").read_text("utf-8").splitlines() if "==" in line]
    package = json.loads((HERE / "package.json").read_text("utf-8"))
    npm = package["dependencies"] | package["optionalDependencies"]
    return {f"PyPI {name}": version for name, version in python if name in ("openai", "anthropic")} | {f"npm {name}": npm[name] for name in sorted(npm)}


def result(sitting):
    """Everything that the page and the JSON say."""
    written = []
    for surface, clients in judge.CLIENTS.items():
        for client in clients:
            rows = [(entry, row[client]) for entry, row in zip(sitting.entries, sitting.rows) if entry["kind"] == "written" and entry["surface"] == surface]
            streams = sum(entry["mode"].endswith("stream") for entry, _ in rows)
            readings = sum(sitting.entries[n]["kind"] == "written" and sitting.entries[n]["surface"] == surface and c == client for n, c, _ in sitting.answers)
            verdicts = Counter(verdict for _, (verdict, _) in rows)
            written.append({
                "surface": surface, "client": client, "streams": streams, "bodies": len(rows) - streams, "readings": readings,
                "right": verdicts["right"], "known": verdicts["known"], "misread": verdicts["wrong"] + verdicts["error"],
            })
    tables = {
        kind: [
            {"surface": entry["surface"], "law": entry["law"], "name": entry["name"], "clients": {client: list(verdict) for client, verdict in row.items()}}
            for entry, row in zip(sitting.entries, sitting.rows) if entry["kind"] == kind
        ]
        for kind in KINDS
    }
    known = [one | {"readings": count} for one, count in zip(sitting.known, sitting.excused())]
    cases = len({entry["name"] for entry in sitting.entries if entry["kind"] == "written"})
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(), "versions": versions(), "cases": cases,
        "readings": len(sitting.answers), "written": written, "known": known, **tables,
    }


def compact(result):
    """JSON with one row a line, so that a difference is a line."""
    lines = []
    for key, value in result.items():
        if isinstance(value, list):
            rows = ",\n".join(f"  {json.dumps(row)}" for row in value)
            lines.append(f'"{key}": [\n{rows}\n]')
        else:
            lines.append(f'"{key}": {json.dumps(value)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def undated(page):
    """The page without its date."""
    return [line for line in page.splitlines() if not line.startswith("Read on ")]


def changes(old, new):
    """Verdicts that are not those of the committed grid. What a client says of an error may change with its language's version; that is no change."""
    if old is None:
        return ["reports/jury.json is missing; run scripts/jury.sh"]
    plain = [{
        (kind, row["surface"], row["name"], client): verdict for kind in KINDS for row in one[kind] for client, (verdict, _) in row["clients"].items()
    } for one in (old, new)]
    return [
        f"{' '.join(key)}: {plain[1].get(key, 'gone')}, in the committed grid {plain[0].get(key, 'absent')}; run scripts/jury.sh"
        for key in sorted(plain[0].keys() | plain[1].keys()) if plain[0].get(key) != plain[1].get(key)
    ]


def code(text):
    """Text of a client or a server, which nothing in it can turn into Markdown or HTML."""
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return f"`{shown.replace('`', chr(39)).replace('|', chr(92) + '|')}`"


def cell(verdict, what):
    return {"right": "right", "wrong": f"**wrong** {code(what)}", "error": f"error {code(what)}"}[verdict]


def table(heads, rows):
    line = lambda cells: f"| {' | '.join(cells)} |"
    return [line(heads), line(["---"] * len(heads)), *(line(row) for row in rows), ""]


def tables(rows, law):
    """A table a surface; the rows stand in the order of their laws."""
    for surface, clients in judge.CLIENTS.items():
        heads = (["law"] if law else []) + ["stream", *clients]
        body = [
            ([row["law"]] if law else []) + [row["name"], *(cell(*row["clients"][client]) for client in clients)]
            for row in rows if row["surface"] == surface
        ]
        yield from [f"### {TITLES[surface]}", "", *table(heads, body)]


def totals(rows):
    counts = Counter((row["surface"], client, verdict) for row in rows for client, (verdict, _) in row["clients"].items())
    for surface, clients in judge.CLIENTS.items():
        for client in clients:
            yield [TITLES[surface], client, *(str(counts[surface, client, verdict]) for verdict in ("right", "wrong", "error"))]


def page(result):
    """The page."""
    written = result["written"]
    agree = not any(row["misread"] for row in written)
    lines = [
        "# The client jury", "",
        "What the official clients make of the streams and bodies of the three surfaces. Generated by `scripts/jury.sh`; do not edit.", "",
        f"Read on {result['date']}.", "",
        *table(["package", "version"], [[name, version] for name, version in result["versions"].items()]),
        "`openai-python`, `openai-node`, `anthropic-python` and `anthropic-node` are read by their streaming helpers (and their plain calls for whole",
        "bodies), the `ai-` ones by `streamText` and `generateText`. Every stream comes in three ways: in one piece, an event at a time, and in pieces of",
        "seven bytes. *Right*: the caller gets the calls, their ids, the text, the reasoning and the finish that were meant. *Wrong*: it gets",
        "something else, and no error. *Error*: the client says so.", "",
        "## What we write", "",
        f"{result['cases']} corpus cases over all dialects, each whole and streamed, with all calls and with one, and streamed eagerly.",
        "Every client reads every one as it was meant, but for the known differences below." if agree else "**Not every client reads every one.**", "",
        *table(["surface", "client", "streams", "bodies", "readings", "right", "known difference", "misread"], [
            [TITLES[row["surface"]], row["client"], *(str(row[key]) for key in ("streams", "bodies", "readings", "right", "known", "misread"))]
            for row in written
        ]),
        "Known differences. They are the clients' own; `scripts/jury.sh --check` fails when one is gone. In the tables further down, reasoning that a",
        "client never reads does not count.", "",
        *table(["surface", "client", "what", "readings", "why"], [
            [TITLES[one["surface"]], one["client"], code(one.get("says") or one.get("what", f"no {one['field']}")), str(one["readings"]), one["reason"]] for one in result["known"]
        ]),
        "## Planted defects", "",
        "One defect a stream, by the law that it breaks. Where the defect is against the request or the model's text (a name that was not offered, another",
        "argument), no client can see it on the wire.", "",
        *table(["surface", "client", "right", "wrong", "error"], totals(result["planted"])),
        *tables(result["planted"], True),
        "## The streams before their defects", "",
        "`cut` is an eager stream whose second call the length limit cut: the arguments on the wire are no JSON.", "",
        *tables(result["good"], False),
        "## Odd and clean", "",
        "What servers and networks may do: no law is broken.", "",
        *tables(result["variant"], False),
    ]
    return "\n".join(lines).rstrip() + "\n"
