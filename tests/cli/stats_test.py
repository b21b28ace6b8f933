#!/usr/bin/env python3
"""Runs `belay stats` from outside, over stores that another program filled.

  stats_test.py BELAY KEEP_RECORDS
"""
import json
import os
import sys
import time

from home import expect, main, same, test

DAY = 24 * 60 * 60_000
START = 20_000 * DAY  # 2024-10-04 00:00 UTC


def outcome(became, kinds=("trailing_comma",), tool="read_file", model="m", verdict="mended"):
    return {"v": 1, "kind": "outcome", "call": "c", "tool": tool, "model": model, "kinds": list(kinds),
            "verdict": verdict, "became": became}


def keep(home, outcomes, name="t"):
    """(when, outcome) pairs as one task."""
    first = [(name, 1, START, {"v": 1, "kind": "created", "settings": {"model": "m"}, "goal": []})]
    home.keep(first + [(name, i + 2, when, body) for i, (when, body) in enumerate(outcomes)], sys.argv[2])


SOME = [
    (START, outcome("mended", ["trailing_comma", "fence"])),
    (START + 1, outcome("mended")),
    (START + DAY, outcome("split", ["glued"], tool="search_files")),
    (START + 3 * DAY, outcome("lost", ["truncated"], tool="write_to_file", model="n", verdict="truncated")),
    (START + 3 * DAY, outcome("re_asked", [], tool="write_to_file", model="n", verdict="broken")),
    (START + 3 * DAY, outcome("guessed", ["inner_quote"], tool="")),
]


@test("without a store nothing was damaged, and looking makes none")
def _(home):
    same(home.lines("stats"), ["No call was damaged."])
    report = json.loads(home.belay("stats", "--json").out)
    same((report["damaged"]["total"], report["days"], report["since"]), (0, [], None))
    same(os.listdir(home.folder), [])


@test("damage is counted by kind, model, tool and day, and by what became of it")
def _(home):
    keep(home, SOME)
    report = json.loads(home.belay("stats", "--json").out)
    same(report["damaged"], {"total": 6, "mended": 2, "split": 1, "guessed": 1, "re_asked": 1, "lost": 1})
    same([(k["kind"], k["total"]) for k in report["kinds"]],
         [("trailing_comma", 2), ("broken", 1), ("fence", 1), ("glued", 1), ("inner_quote", 1), ("truncated", 1)])
    same([(m["model"], m["total"], m["lost"]) for m in report["models"]], [("m", 4, 0), ("n", 2, 1)])
    same([(t["tool"], t["total"]) for t in report["tools"]],
         [("read_file", 2), ("write_to_file", 2), ("", 1), ("search_files", 1)])
    same([(d["day"], d["total"]) for d in report["days"]], [("2024-10-04", 2), ("2024-10-05", 1), ("2024-10-07", 3)])


@test("the table has bars of blocks in UTF-8 and of # elsewhere, in 80 columns")
def _(home):
    keep(home, SOME)
    lines = home.lines("stats")
    same(lines[0], "6 calls were damaged; 83% led to a good call in the end.")
    same(lines[2], "  mended                         2  █████████████▍")
    same(lines[5], "  asked again, then right        1  ██████▋")
    expect("  KIND                             total  mended   split guessed   again    lost" in lines, lines)
    expect("  trailing_comma                       2       2       -       -       -       -" in lines, lines)
    expect("  (none)                               1       -       -       1       -       -" in lines, lines)
    same(lines[-4:], ["  2024-10-04                     2  " + "█" * 26 + "▋", "  2024-10-05                     1  " + "█" * 13 + "▍",
                      "  2024-10-06                     0", "  2024-10-07                     3  " + "█" * 40])
    plain = home.lines("stats", LANG="C")
    expect(plain[2].endswith("  " + "#" * 13) and all(line.isascii() for line in plain), plain)
    same(home.lines("stats", LANG="en_US.utf8"), lines)
    same(home.lines("stats", LC_ALL="C"), plain)


@test("what a demonstration damages on purpose counts only when all is asked for")
def _(home):
    keep(home, SOME + [(START + 4 * DAY, outcome("mended", model="demo"))])
    same(json.loads(home.belay("stats", "--json").out)["damaged"]["total"], 6)
    same(json.loads(home.belay("stats", "--all", "--json").out)["damaged"]["total"], 7)
    expect(not any("demo" in line for line in home.lines("stats")), "none of it")
    expect(any("demo" in line for line in home.lines("stats", "-a")), "all of it")


@test("--since leaves out what was before")
def _(home):
    now = int(time.time() * 1000)
    keep(home, SOME + [(now - DAY // 2, outcome("lost")), (now - 10 * DAY, outcome("mended"))])
    for since, total in [("24h", 1), ("1d", 1), ("11d", 2), ("2w", 2), ("2024-10-07", 5), ("2024-10-04", 8)]:
        report = json.loads(home.belay("stats", "--json", "--since", since).out)
        same(report["damaged"]["total"], total, since)
    expect(home.lines("stats", "--since", "1d")[0].startswith("1 call was damaged since "), "and it says so")
    same(home.lines("stats", "--since", "2100-01-01"), ["No call was damaged since 2100-01-01 00:00."])
    for bad in ["x", "", "7", "0d", "-1d", "7 d", "2024-13-01", "2024-1-1", "7d7d", "99999999d"]:
        ran = home.belay("stats", "--since", bad)
        expect(ran.code == 2 and b"--since is a time as" in ran.err, (bad, ran))


@test("days are those of the person's clock")
def _(home):
    keep(home, [(START + DAY - 1, outcome("mended"))])
    for zone, day in [("UTC", "2024-10-04"), ("UTC-3", "2024-10-05"), ("UTC+3", "2024-10-04")]:
        report = json.loads(home.belay("stats", "--json", TZ=zone).out)
        same([d["day"] for d in report["days"]], [day], zone)


@test("names that a model made up steer nothing, and many rows are shortened")
def _(home):
    keep(home, [(START, outcome("lost", tool="\x1b[2J" + "t" * 100, model="\u202e"))] +
         [(START + i * DAY, outcome("mended", tool=f"tool{i}")) for i in range(40)])
    lines = home.lines("stats")
    expect(any("<U+001B>[2J" in line and line.strip().split()[0].endswith("...") for line in lines), lines)
    expect("  and 26 more (--json has them)" in lines and lines[-1] == "  and earlier days (--json has them)", lines)


@test("a wrong command line is told what was meant")
def _(home):
    for args, words in [(["--sinc", "7d"], b"did you mean --since?"), (["x"], b"takes no 'x'"), (["--since"], b"needs a value")]:
        ran = home.belay("stats", *args)
        expect(ran.code == 2 and words in ran.err and ran.out == b"", ran)
    home.lines("stats", "--help")


if __name__ == "__main__":
    sys.exit(main())
