#!/usr/bin/env python3
"""Checks the examples of docs/reader.md, and those of docs/formats.md, against the program.

  catalogue_test.py BELAY READER_MD [FORMATS_MD]

A table behind the line <!-- catalogue --> has the columns input, value, kind, grade, why: `belay repair` must write the
value, and list an edit of that kind and grade. A table behind <!-- cut examples --> holds "`input` gives `value`", for
`--end cut`. Behind <!-- verdicts -->, "`input` is `verdict`". Notation: ␊ line feed, ␉ tab, ⟦C2 A0⟧ bytes, \\| for |.
In FORMATS_MD (docs/formats.md if it is left out), a table behind <!-- calls --> has the columns format, text, arguments,
kind, grade, why: `belay parse --wire text` must find one call with these arguments and an edit of that kind and grade.
Every kind of include/belay/json/edit.h must be in a catalogue: those below the comment "calls in text" in FORMATS_MD, the
others in READER_MD.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BELAY = ""


def repair(data, *args):
    ran = subprocess.run([BELAY, "repair", *args], input=data, capture_output=True, timeout=60)
    return ran.stdout.decode()


def cells(line):
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]


def code(cell):
    """The text of a code span."""
    ticks = len(re.match("`+", cell).group())
    text = cell[ticks:-ticks]
    return text[1:-1] if text.startswith(" ") and text.endswith(" ") and text.strip() else text


def raw(text):
    """The bytes that a text in the notation of the document stands for."""
    out = b""
    for part in re.split(r"(⟦[0-9A-F ]+⟧)", text.replace("␊", "\n").replace("␉", "\t")):
        out += bytes.fromhex(part[1:-1]) if part.startswith("⟦") else part.encode()
    return out


def sections(text):
    """The kind of a section, and its lines up to the next heading."""
    parts = re.split(r"^<!-- (catalogue|cut examples|verdicts|calls) -->$", text, flags=re.M)
    for kind, rest in zip(parts[1::2], parts[2::2]):
        yield kind, [line for line in rest.split("\n#")[0].splitlines() if line]


def check_row(line, found):
    cell = cells(line)
    if len(cell) != 5:
        return f"{line}\n    has {len(cell)} columns"
    text, wanted, kind, grade = code(cell[0]), code(cell[1]), cell[2], cell[3]
    found.add(kind)
    got = repair(raw(text)).rstrip("\n").replace("\n", "␊")
    report = json.loads(repair(raw(text), "--json"))
    edits = {(edit["kind"], edit["grade"]) for edit in report["edits"]}
    if got != wanted or (kind, grade) not in edits:
        return f"{line}\n    gives {got} with {sorted(edits)}"
    # A row that is called safe must be trusted, unless the same input is there to show a guess as well.
    if grade == "safe" and report["verdict"] not in ("mended", "split"):
        return f"{line}\n    is called safe, but the verdict is {report['verdict']}"
    return None


def check_cut(text, wanted):
    got = repair(raw(text), "--end", "cut").rstrip("\n").replace("\n", "␊")
    return None if got == wanted else f"`{text}`, cut, gives {got or 'nothing'}, not {wanted}"


def check_verdict(text, wanted):
    got = json.loads(repair(raw(text), "--json"))["verdict"]
    return None if got == wanted else f"`{text}` is {got}, not {wanted}"


# The tools of the examples in docs/formats.md.
TOOLS = [
    {"name": "f", "parameters": {"properties": {"x": {"type": "integer"}, "s": {"type": "string"}}}},
    {"name": "read_file", "parameters": {"properties": {"path": {"type": "string"}}}},
]


def calls_in(form, data):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as tools:
        json.dump(TOOLS, tools)
        tools.flush()
        ran = subprocess.run([BELAY, "parse", "--wire", "text", "--format", form, "--tools", tools.name], input=data,
                             capture_output=True, timeout=60)
    events = [json.loads(line) for line in ran.stdout.decode().splitlines()]
    return [event for event in events if event["type"] == "call_end"]


def check_call(line, found):
    cell = cells(line)
    if len(cell) != 6:
        return f"{line}\n    has {len(cell)} columns"
    form, text, wanted, kind, grade = code(cell[0]), code(cell[1]), code(cell[2]), cell[3], cell[4]
    found.add(kind)
    calls = calls_in(form, raw(text))
    if len(calls) != 1:
        return f"{line}\n    has {len(calls)} calls"
    edits = {(edit["kind"], edit["grade"]) for edit in calls[0]["edits"]}
    if calls[0]["arguments"] != json.loads(wanted) or (kind, grade) not in edits:
        return f"{line}\n    gives {json.dumps(calls[0]['arguments'])} with {sorted(edits)}"
    if calls[0]["trusted"] != (grade == "safe"):
        return f"{line}\n    is called {grade}, but trusted is {calls[0]['trusted']}"
    return None


def kinds():
    """The kinds of edits: those of the reader, and those of calls in text."""
    with open(os.path.join(ROOT, "include/belay/json/edit.h"), encoding="utf-8") as f:
        enum = re.search(r"enum class EditKind[^{]*\{(.*?)\};", f.read(), re.S).group(1)
    parts = re.split(r"^\s*// calls in text.*$", enum, flags=re.M)
    if len(parts) != 2:
        sys.exit("edit.h has no comment, or several, that begins with 'calls in text'")
    return [set(re.findall(r"^\s*(\w+),", part, re.M)) for part in parts]


def main():
    global BELAY
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__.strip())
    BELAY = os.path.abspath(sys.argv[1])
    wrong, checked = [], 0
    formats = sys.argv[3] if len(sys.argv) > 3 else os.path.join(ROOT, "docs/formats.md")
    for path, wanted in zip([sys.argv[2], formats], kinds()):
        found = set()
        with open(path, encoding="utf-8") as f:
            checked += check_file(f.read(), wrong, found)
        for name in sorted(wanted ^ found):
            wrong.append(f"{name} is only in one of the catalogue of {os.path.basename(path)} and edit.h")
    print("\n".join(wrong + [f"{checked} examples, {len(wrong)} wrong"]))
    return 1 if wrong else 0


def check_file(text, wrong, found):
    """Checks all examples of a document. Returns how many there are."""
    checked = 0
    for kind, lines in sections(text):
        if kind in ("catalogue", "calls"):
            rows = [line for line in lines if line.startswith("|")][2:]
            results = [(check_call if kind == "calls" else check_row)(line, found) for line in rows]
        else:
            verb, check = {"cut examples": ("gives", check_cut), "verdicts": ("is", check_verdict)}[kind]
            spans = re.findall(rf"(`[^`]+`) {verb} `([^`]+)`", "\n".join(lines).replace("\\|", "|"))
            results = [check(code(text), wanted) for text, wanted in spans]
        if not results:
            wrong.append(f"a section '{kind}' without examples")
        checked += len(results)
        wrong += [r for r in results if r]
    return checked


if __name__ == "__main__":
    sys.exit(main())
