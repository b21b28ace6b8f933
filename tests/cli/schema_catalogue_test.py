#!/usr/bin/env python3
"""Checks the tables of docs/schema.md against the program.

  schema_catalogue_test.py BELAY SCHEMA_MD

Behind <!-- align --> rows have schema, value, becomes, kind, grade: `belay schema --align --json` must give that value, and
just this edit. Behind <!-- not aligned -->: schema, value, why; the value must stay invalid. Behind <!-- errors -->: schema,
value, message, keyword; that must be the only error. Behind <!-- refused -->: schema, error; the schema must be refused with
an error that begins so. Notation: \\| for |. Every kind of include/belay/schema/align.h must be in the first table.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from catalogue_test import cells, code  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
KINDS = ("align", "not aligned", "errors", "refused")
BELAY = ""


def schema(text, value, *args):
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as f:
        f.write(text)
        f.flush()
        ran = subprocess.run([BELAY, "schema", f.name, "--json", *args], input=value.encode(), capture_output=True,
                             timeout=60)
    return ran.returncode, json.loads(ran.stdout), ran.stdout.decode()


def rows(text, kind):
    """The cells of the table behind a mark."""
    parts = re.split(rf"^<!-- {kind} -->$", text, flags=re.M)
    for part in parts[1:]:
        table = []
        for line in part.strip().splitlines():
            if not line.startswith("|"):
                break
            table.append(cells(line))
        yield from table[2:]


def check_align(row):
    text, value, wanted, kind, grade = (code(c) if c.startswith("`") else c for c in row)
    status, got, out = schema(text, value, "--align")
    edits = [(e["kind"], e["grade"]) for e in got["edits"]]
    # As text, since every digit counts.
    same = f'"value":{wanted},"edits":' in out
    return None if status == 0 and edits == [(kind, grade)] and same else f"gives {got}"


def check_not_aligned(row):
    status, got, _ = schema(code(row[0]), code(row[1]), "--align")
    return None if (status, got["value"], got["edits"]) == (1, None, []) else f"gives {got}"


def check_error(row):
    text, value, message, keyword = map(code, row)
    status, got, _ = schema(text, value)
    errors = [(e["message"], e["keyword"]) for e in got["errors"]]
    return None if status == 1 and errors == [(message, keyword)] else f"gives {got}"


def check_refused(row):
    status, got, _ = schema(code(row[0]), "null")
    return None if status == 2 and got["error"]["message"].startswith(code(row[1])) else f"gives {got}"


def main():
    global BELAY
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    BELAY = os.path.abspath(sys.argv[1])
    with open(sys.argv[2], encoding="utf-8") as f:
        text = f.read()
    wrong, checked = [], 0
    checks = dict(zip(KINDS, (check_align, check_not_aligned, check_error, check_refused)))
    for kind, check in checks.items():
        table = list(rows(text, kind))
        if not table:
            wrong.append(f"no rows behind <!-- {kind} -->")
        for row in table:
            checked += 1
            try:
                result = check(row)
            except (ValueError, KeyError, AttributeError) as e:
                result = f"cannot be checked: {e!r}"
            if result:
                wrong.append(f"{' | '.join(row)}\n    {result}")
    with open(os.path.join(ROOT, "include/belay/schema/align.h"), encoding="utf-8") as f:
        enum = re.search(r"enum class AlignKind[^{]*\{(.*?)\};", f.read(), re.S).group(1)
    found = {code(row[3]) for row in rows(text, "align")}
    for name in sorted(set(re.findall(r"^\s*(\w+),", enum, re.M)) ^ found):
        wrong.append(f"{name} is only in one of the catalogue and align.h")
    print("\n".join(wrong + [f"{checked} examples, {len(wrong)} wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
