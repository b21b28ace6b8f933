#!/usr/bin/env python3
"""Checks that each public header compiles alone, twice in a row, without a warning.

usage: check_headers.py [--built] [ROOT]

With --built, for use after a build without warnings: a header with `#pragma once` that a source includes before anything
else was compiled alone there, and is not compiled again. The compiler is $CXX, or g++. Exit 0: all do, 1: some do not.
"""
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FLAGS = ("-std=c++23 -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror"
         " -x c++ -").split()


def compile_alone(root, header):
    """The compiler's complaints about one header; empty when there are none."""
    line = f"#include <{header.relative_to(root / 'include')}>\n"
    command = [*os.environ.get("CXX", "g++").split(), f"-I{root / 'include'}", *FLAGS]
    done = subprocess.run(command, input=line * 2, capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stderr.strip() or f"exit {done.returncode}"


def first_includes(root):
    """What the sources of the library include before anything else."""
    texts = (source.read_text() for source in (root / "src").rglob("*.cpp"))
    found = (re.search(r'^#include [<"](.+?)[>"]', text, re.M) for text in texts)
    return {match[1] for match in found if match}


def failures(root, built=False):
    headers = sorted((root / "include").rglob("*.h"))
    if built:
        first = first_includes(root)
        headers = [h for h in headers
                   if str(h.relative_to(root / "include")) not in first or "#pragma once" not in h.read_text()]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda header: compile_alone(root, header), headers)
    return [(header.relative_to(root), text) for header, text in zip(headers, results) if text]


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--built"]
    root = Path(arguments[0] if arguments else Path(__file__).resolve().parent.parent).resolve()
    found = failures(root, built="--built" in sys.argv)
    for header, text in found:
        print(f"{header}: does not compile alone\n{text}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
