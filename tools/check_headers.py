#!/usr/bin/env python3
"""Checks that each public header compiles alone, twice in a row, without a warning.

usage: check_headers.py [ROOT]

The compiler is $CXX, or g++. Exit 0: all do, 1: some do not.
"""
import os
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


def failures(root):
    headers = sorted((root / "include").rglob("*.h"))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda header: compile_alone(root, header), headers)
    return [(header.relative_to(root), text) for header, text in zip(headers, results) if text]


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent).resolve()
    found = failures(root)
    for header, text in found:
        print(f"{header}: does not compile alone\n{text}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
