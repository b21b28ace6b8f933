#!/usr/bin/env python3
"""Compares what bench_json, peers.mjs and sdks.mjs measured, and writes it into docs/bench.md and its charts.

usage: report.py [--docs] RESULTS     RESULTS: the folder with belay.json and, if they were measured, peers.json and
                                      sdks.json

Without --docs the charts go to RESULTS. Every figure in docs/bench.md that stands between markers comes from here.
"""

import json
import re
import sys
from pathlib import Path

import chart

SIZES = [1_000, 16_000, 128_000, 1_000_000, 16_000_000]
MB = 1_000_000
JSONRIVER_TARGET = 40
KIB = 1024
# Which reader from npm, on how much, Belay has to be how many times as fast as.
SDK_TARGETS = [
    ("openai-chat", "OpenAI SDK, Chat, read at the end", 1024 * KIB, 10),
    ("anthropic", "Anthropic SDK, partial value on every delta", 128 * KIB, 100),
]

Row = dict
Table = tuple[list[str], list[list[str]]]


def ms(seconds: float) -> str:
    value = seconds * 1e3
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def times(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.1f}"


class Results:
    def __init__(self, folder: Path):
        self.ours: dict = json.loads((folder / "belay.json").read_text())
        peers = folder / "peers.json"
        self.peers: list[Row] = json.loads(peers.read_text())["rows"] if peers.exists() else []
        sdks = folder / "sdks.json"
        measured = json.loads(sdks.read_text()) if sdks.exists() else {"streams": [], "schemas": []}
        agent = folder / "agent.json"
        self.agent: dict = json.loads(agent.read_text()) if agent.exists() else {"rows": [], "targets": []}
        lines = folder / "lines.json"
        self.lines: dict = json.loads(lines.read_text()) if lines.exists() else {"rows": [], "targets": []}
        self.sdk_streams: list[Row] = measured["streams"]
        self.ajv: dict[str, Row] = {row["schema"]: row for row in measured["schemas"]}

    def section(self, name: str) -> list[Row]:
        return self.ours.get(name, [])

    def ours_in(self, mode: str, document: str, size: int) -> float | None:
        """Seconds of Belay in a mode of peers.mjs: whole, damaged, 4 B, 32 B."""
        for row in self.section({"whole": "whole", "damaged": "mending"}.get(mode, "pieces")):
            if row["document"] != document or row["size"] != size or row.get("reader", "belay") != "belay":
                continue
            if "piece" not in row or f"{row['piece']} B" == mode:
                return row["seconds"]
        return None

    def peer(self, reader: str, mode: str, document: str, size: int) -> Row | None:
        for row in self.peers:
            if (row["reader"], row["mode"], row["document"], row["size"]) == (reader, mode, document, size):
                return row
        return None

    def readers(self, mode: str) -> list[str]:
        return list(dict.fromkeys(row["reader"] for row in self.peers if row["mode"] == mode))

    def targets(self) -> list[Row]:
        """Those of bench_json, and those that need the readers from npm."""
        found = list(self.section("targets")) + list(self.agent["targets"]) + list(self.lines["targets"])
        for mode in ("4 B", "32 B"):
            for document in ("code", "todo"):
                ours = self.ours_in(mode, document, MB)
                peer = self.peer("jsonriver", mode, document, MB)
                if ours and peer and "seconds" in peer:
                    value = peer["seconds"] / ours
                    what = f"pieces of {mode}, {document}, 1 MB, times as fast as jsonriver at its best"
                    bound = JSONRIVER_TARGET
                    found.append({"what": what, "value": value, "bound": bound, "at_least": True, "met": value >= bound})
        for wire, reader, payload, bound in SDK_TARGETS:
            for row in self.sdk_streams:
                if (row["wire"], row["reader"], row["payload"]) == (wire, reader, payload):
                    value = row["seconds"] / self.wire(wire, payload)["seconds"]
                    what = f"wire, {wire}, {payload // KIB} KiB, times as fast as the {reader}"
                    found.append({"what": what, "value": value, "bound": bound, "at_least": True, "met": value >= bound})
        return found

    def wire(self, wire: str, payload: int) -> Row:
        return next(r for r in self.section("wires") if (r["wire"], r["payload"]) == (wire, payload))


def size_of(size: int) -> str:
    return chart.size_label(size)


# ---- tables ----------------------------------------------------------------------------------------------------------


def whole_table(results: Results) -> Table:
    readers = list(dict.fromkeys(row["reader"] for row in results.section("whole")))
    header = ["document", "size", *readers, "× simdjson", "× RapidJSON"]
    rows = []
    cells: dict[tuple, dict[str, float]] = {}
    for row in results.section("whole"):
        cells.setdefault((row["document"], row["size"]), {})[row["reader"]] = row["bytes"] / row["seconds"] / 1e6
    for (document, size), speed in cells.items():
        ratios = [f"{speed['belay'] / speed[peer]:.2f}" for peer in ("simdjson", "RapidJSON")]
        rows.append([document, size_of(size), *(f"{speed[r]:,.0f}" for r in readers), *ratios])
    return header, rows


def pieces_table(results: Results) -> Table:
    header = ["document", "size", "4 B: ms", "ns a push", "× one piece", "32 B: ms", "ns a push", "× one piece"]
    cells: dict[tuple, dict[int, Row]] = {}
    for row in results.section("pieces"):
        cells.setdefault((row["document"], row["size"]), {})[row["piece"]] = row
    rows = []
    for (document, size), by_piece in cells.items():
        line = [document, size_of(size)]
        for piece in (4, 32):
            row = by_piece[piece]
            line += [ms(row["seconds"]), f"{row['ns_a_push']:.1f}", f"{row['times_whole']:.1f}"]
        rows.append(line)
    return header, rows


def npm_table(results: Results, modes: list[str]) -> Table:
    header = ["document", "pieces", "reader", *map(size_of, SIZES), "Belay at 1 MB is faster"]
    rows = []
    for document in ("code", "todo"):
        for mode in modes:
            ours = {size: results.ours_in(mode, document, size) for size in SIZES}
            label = "one" if mode == "whole" else mode
            rows.append([document, label, "**Belay**", *(ms(t) if t else "" for t in ours.values()), ""])
            for reader in results.readers(mode):
                line, faster = [document, label, reader], ""
                for size in SIZES:
                    row = results.peer(reader, mode, document, size)
                    if row is None:
                        line.append("")
                    elif "skipped" in row:
                        line.append(f"(about {row['skipped']:,.0f} s)")
                    else:
                        line.append(ms(row["seconds"]) if "seconds" in row else "gives up")
                    if size == MB and row and "seconds" in row and ours[size]:
                        faster = f"{times(row['seconds'] / ours[size])} ×"
                rows.append([*line, faster])
    return header, rows


def heap_table(results: Results) -> Table:
    readers = list(dict.fromkeys(row["reader"] for row in results.section("heap")))
    cells: dict[tuple, dict[str, float]] = {}
    for row in results.section("heap"):
        cells.setdefault((row["document"], row["size"]), {})[row["reader"]] = row["times"]
    rows = [[d, size_of(s), *(f"{by[r]:.2f}" for r in readers)] for (d, s), by in cells.items()]
    return ["document", "size", *readers], rows


def mending_table(results: Results) -> Table:
    header = ["document", "damage", "verdict", "edits", "MB/s", "in 32 B, MB/s", "jsonrepair, MB/s", "× jsonrepair"]
    rows = []
    for row in results.section("mending"):
        if row["size"] != MB:
            continue
        speed = row["bytes"] / row["seconds"] / 1e6
        peer = results.peer("jsonrepair", "damaged", row["document"], MB)
        seconds = (peer or {}).get("seconds") or (peer or {}).get("skipped")
        about = "about " if peer and "skipped" in peer else ""
        theirs = [f"{about}{row['bytes'] / seconds / 1e6:.2g}", times(seconds / row["seconds"])] if seconds else ["", ""]
        if peer and "error" in peer:
            theirs = ["gives up", ""]
        in_pieces = row["bytes"] / row["seconds_pieces"] / 1e6
        line = [row["document"], row["what"], row["verdict"], f"{row['edits']:,}", f"{speed:,.0f}", f"{in_pieces:,.0f}"]
        rows.append([*line, *theirs])
    return header, rows


def growth_table(results: Results) -> Table:
    sizes = sorted({row["size"] for row in results.section("growth")})
    cells: dict[str, list[Row]] = {}
    for row in results.section("growth"):
        cells.setdefault(row["document"], []).append(row)
    rows = []
    for document, all_rows in cells.items():
        worst = max(row["ratio"] for row in all_rows)
        times = [ms(row["seconds"]) for row in all_rows]
        rows.append([document, *times, f"{worst:.2f}", f"{all_rows[0]['worst_warm']:.2f}"])
    return ["document", *map(size_of, sizes), "worst doubling", "with warm caches"], rows


def schema_table(results: Results) -> Table:
    header = ["tool", "compile", "read", "valid", "check", "align", "ajv: compile", "ajv: check"]
    us = lambda seconds: f"{seconds * 1e6:,.3g}" if seconds < 1e-4 else f"{seconds * 1e6:,.0f}"
    rows = []
    for row in results.section("schema"):
        ajv = results.ajv.get(row["schema"])
        theirs = [us(ajv["compile"]), us(ajv["check"])] if ajv else ["", ""]
        rows.append([row["schema"], *(us(row[k]) for k in ("compile", "read", "valid", "check", "align")), *theirs])
    return header, rows


def wires_table(results: Results) -> Table:
    header = ["wire", "payload", "reader", "wire bytes", "ms", "ns a delta", "MB/s", "allocations a delta", "Belay is faster"]
    rows = []
    for row in results.section("wires"):
        def line(reader: str, seconds: float, allocations: str, faster: str) -> list[str]:
            each = f"{seconds / row['deltas'] * 1e9:,.0f}"
            speed = row["bytes"] / seconds / 1e6
            payload = f"{row['payload'] // KIB:,} KiB"
            about = f"{speed:,.0f}" if speed >= 10 else f"{speed:.2g}"
            return [row["wire"], payload, reader, f"{row['bytes']:,}", ms(seconds), each, about, allocations, faster]

        ours = "**Belay**, text" if row["wire"] == "ollama" else "**Belay**, partial value on every delta"
        rows.append(line(ours, row["seconds"], f"{row['allocations'] / row['deltas']:.4f}", ""))
        for peer in results.sdk_streams:
            if (peer["wire"], peer["payload"]) == (row["wire"], row["payload"]):
                rows.append(line(peer["reader"], peer["seconds"], "", f"{times(peer['seconds'] / row['seconds'])} ×"))
    return header, rows


def texts_table(results: Results) -> Table:
    header = ["format", "1 MB, ms", "2 MB, ms", "growth"]
    rows = [[row["format"], ms(row["seconds"]), ms(row["twice"]), f"{row['twice'] / row['seconds']:.2f}"]
            for row in results.section("texts") if "twice" in row]
    return header, rows


def prose_table(results: Results) -> Table:
    rows = [[f"in pieces of {row['piece'] // KIB} KiB" if row["piece"] < KIB * KIB else "in one piece", f"{row['MB/s']:,.0f}"]
            for row in results.section("texts") if "MB/s" in row]
    return ["prose through `auto`", "MB/s"], rows


def gate_table(results: Results) -> Table:
    us = lambda seconds: f"{seconds * 1e6:.2f}"
    return ["call", "gate", "gate and permissions"], [[r["call"], us(r["gate"]), us(r["both"])] for r in results.section("gate")]


def task_table(results: Results) -> Table:
    rows = [[f"a turn after {r['before']:,}", f"{r['seconds'] * 1e3:.3f} ms"] for r in results.section("task")]
    for r in results.section("resume"):
        rows.append([f"open and load {r['turns']:,} turns", f"{r['load']:.3f} s"])
        rows.append(["the same, and resume", f"{r['seconds']:.3f} s"])
    return ["", "time"], rows


def agent_table(results: Results) -> Table:
    return ["", "measured"], [[r["what"], f"{r['value']:.1f} {r['unit']}"] for r in results.agent["rows"]]


def lines_table(results: Results) -> Table:
    speeds = ("one job", "CPU time", "into a pipe", "two jobs")
    rows = [[r["records"], r["damage"], *(f"{r[s]:,.0f}" for s in speeds)] for r in results.lines["rows"]]
    return ["records", "damage", *speeds], rows


def targets_table(results: Results) -> Table:
    """One line for a target at all sizes: its figure at 1 MB, its worst one, and where it was missed."""
    groups: dict[str, list[tuple[str, Row]]] = {}
    for target in results.targets():
        size = re.search(r", (\d+ [KM]B)\b", target["what"])
        name = target["what"].replace(size.group(0), "", 1) if size else target["what"]
        groups.setdefault(name, []).append((size.group(1) if size else "", target))
    rows = []
    for name, members in groups.items():
        at_least = members[0][1]["at_least"]
        at_one = next((t for size, t in members if size in ("1 MB", "")), members[-1][1])
        worst = (min if at_least else max)(members, key=lambda m: m[1]["value"])
        missed = [size or "yes" for size, t in members if not t["met"]]
        bound = f"{'≥' if at_least else '≤'} {members[0][1]['bound']:g}"
        worst_text = f"{worst[1]['value']:.2f} ({worst[0]})" if len(members) > 1 else ""
        rows.append([name, bound, f"{at_one['value']:.2f}", worst_text, ", ".join(missed)])
    return ["target", "bound", "at 1 MB", "worst", "missed at"], rows


def markdown(table: Table, text_columns: int) -> str:
    header, rows = table
    rule = ["---" if i < text_columns else "--:" for i in range(len(header))]
    return "\n".join("| " + " | ".join(line) + " |" for line in [header, rule, *rows])


def plain(table: Table) -> str:
    header, rows = table
    lines = [[cell.replace("*", "") for cell in line] for line in [header, *rows]]
    widths = [max(len(line[i]) for line in lines) for i in range(len(header))]
    return "\n".join("  ".join(cell.ljust(w) if i < 3 else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, widths))) for line in lines)


# ---- charts ----------------------------------------------------------------------------------------------------------

COLORS = {
    "Belay": "#cf222e",
    "simdjson": "#0969da",
    "RapidJSON": "#1a7f37",
    "RapidJSON in situ": "#57ab5a",
    "nlohmann": "#9a6700",
    "JSON.parse": "#6e7781",
    "jsonriver": "#8250df",
    "jsonriver, string read": "#bf8af2",
    "@streamparser/json": "#0598bc",
    "partial-json": "#bc4c00",
    "jsonrepair": "#d63384",
}
DASHED = {"jsonriver, string read", "RapidJSON in situ"}


def series(label: str, points: list[tuple[float, float]]) -> list[chart.Series]:
    if len(points) < 2:
        return []
    return [chart.Series(label, COLORS[label], points, ours=label == "Belay", dashed=label in DASHED)]


def panel(results: Results, title: str, mode: str, document: str, debian: list[str] = []) -> chart.Panel:
    made = chart.Panel(title)
    ours = [(size, results.ours_in(mode, document, size)) for size in SIZES]
    made.series += series("Belay", [(s, t) for s, t in ours if t])
    for reader in debian:
        rows = [r for r in results.section("whole") if r["reader"] == reader and r["document"] == document]
        made.series += series(reader, [(r["size"], r["seconds"]) for r in rows])
    for reader in results.readers(mode):
        rows = [results.peer(reader, mode, document, size) for size in SIZES]
        made.series += series(reader, [(r["size"], r["seconds"]) for r in rows if r and "seconds" in r])
    return made


def draw_charts(results: Results, folder: Path) -> None:
    streaming = [
        panel(results, "code, pieces of 4 bytes", "4 B", "code"),
        panel(results, "code, pieces of 32 bytes", "32 B", "code"),
        panel(results, "todo, pieces of 4 bytes", "4 B", "todo"),
    ]
    text = "One tool call, the value so far read after every piece. Lines end where a reader would need more than seconds."
    (folder / "bench-streaming.svg").write_text(chart.draw("Reading arguments as they stream", text, streaming))
    debian = ["simdjson", "RapidJSON", "RapidJSON in situ", "nlohmann"]
    whole = [
        panel(results, "code", "whole", "code", debian),
        panel(results, "todo", "whole", "todo", debian),
        panel(results, "todo, damaged in eight ways", "damaged", "todo, mixed"),
    ]
    text = "Valid documents beside strict parsers, and a damaged one beside jsonrepair. Lines end where a reader would need more than seconds."
    (folder / "bench-whole.svg").write_text(chart.draw("Reading a document in one piece", text, whole))


# ---- the command -----------------------------------------------------------------------------------------------------


def fill(path: Path, tables: dict[str, str]) -> None:
    text = path.read_text()
    for name, table in tables.items():
        begin, end = f"<!-- measured: {name} -->", f"<!-- end: {name} -->"
        if begin not in text or end not in text:
            sys.exit(f"report.py: {path.name} has no place for the table '{name}'")
        head, rest = text.split(begin, 1)
        text = head + begin + "\n" + table + "\n" + end + rest.split(end, 1)[1]
    path.write_text(text)


def main() -> None:
    arguments = [a for a in sys.argv[1:] if a != "--docs"]
    if len(arguments) != 1:
        sys.exit(__doc__)
    folder = Path(arguments[0])
    results = Results(folder)
    if results.peers:
        print("Belay beside the readers from npm: ms")
        print(plain(npm_table(results, ["4 B", "32 B", "whole"])), end="\n\n")
    print("Schemas: microseconds")
    print(plain(schema_table(results)), end="\n\n")
    print("Wires, beside the SDKs from npm")
    print(plain(wires_table(results)), end="\n\n")
    print("Mending 1 MB")
    print(plain(mending_table(results)), end="\n\n")
    targets = results.targets()
    missed = [t for t in targets if not t["met"]]
    print(f"All targets: {len(targets) - len(missed)} met, {len(missed)} missed")
    for target in targets:
        if not target["met"] or "times as fast" in target["what"]:
            sign, mark = ">=" if target["at_least"] else "<=", "met" if target["met"] else "missed"
            print(f"  {mark}: {target['what']}: {target['value']:.2f}, target {sign} {target['bound']:g}")

    docs = Path(__file__).resolve().parent.parent / "docs"
    if "--docs" in sys.argv:
        if results.ours.get("quick") or not results.peers or not results.sdk_streams:
            sys.exit("report.py: the docs are written from a full run only")
        fill(
            docs / "bench.md",
            {
                "targets": markdown(targets_table(results), 1),
                "whole": markdown(whole_table(results), 1),
                "pieces": markdown(pieces_table(results), 1),
                "npm-pieces": markdown(npm_table(results, ["4 B", "32 B"]), 3),
                "npm-whole": markdown(npm_table(results, ["whole"]), 3),
                "heap": markdown(heap_table(results), 1),
                "mending": markdown(mending_table(results), 3),
                "growth": markdown(growth_table(results), 1),
                "schema": markdown(schema_table(results), 1),
                "wires": markdown(wires_table(results), 3),
                "texts": markdown(texts_table(results), 1),
                "prose": markdown(prose_table(results), 1),
                "gate": markdown(gate_table(results), 1),
                "task": markdown(task_table(results), 1),
                "agent": markdown(agent_table(results), 1),
                "lines": markdown(lines_table(results), 2),
            },
        )
    draw_charts(results, docs if "--docs" in sys.argv else folder)


if __name__ == "__main__":
    main()
