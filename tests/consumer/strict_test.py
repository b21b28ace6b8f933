#!/usr/bin/env python3
"""Builds the core as careful projects do: with all warnings as errors, by clang where there is one, without exceptions
and without RTTI; and optimised across files by the compiler of this build.

  strict_test.py CMAKE COMPILER FOLDER [LAUNCHER]

FOLDER is emptied first. LAUNCHER is a compiler cache. Exit 0 when all of it holds.
"""
import os
import shutil
import sys

from project import CORE_PRINTS, HERE, ROOT, STRICT_PRINTS, empty, hidden, readme_sample, run, same

BARE = "-fno-exceptions -fno-rtti"


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__.strip())
    cmake, compiler, folder = sys.argv[1:4]
    launcher = sys.argv[4] if len(sys.argv) == 5 else ""
    empty(folder)
    source, wanted = readme_sample(folder)

    def configured(name, chosen, *options):
        run(cmake, "-S", HERE, "-B", os.path.join(folder, name), f"-DBELAY={ROOT}", f"-DSAMPLE={source}",
            f"-DCMAKE_CXX_COMPILER={chosen}", f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}", "-DCMAKE_UNITY_BUILD=ON",
            f"-DCMAKE_CXX_FLAGS={BARE}", "-DBELAY_WERROR=ON", *options, *hidden())

    other = shutil.which("clang++-19") or compiler
    configured("strict", other)
    run(cmake, "--build", os.path.join(folder, "strict"), "-j", "2")
    for program, prints in (("core", CORE_PRINTS), ("strict", STRICT_PRINTS), ("consumer", wanted)):
        same(run(os.path.join(folder, "strict", program)), prints, f"{program}, by {other}, {BARE}")

    configured("whole", compiler, "-DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON")
    run(cmake, "--build", os.path.join(folder, "whole"), "-j", "2", "--target", "consumer")
    same(run(os.path.join(folder, "whole", "consumer")), wanted, f"README.md's sample, optimised across files, {BARE}")
    print(f"the core is fine without exceptions and RTTI, by {other}, and optimised across files")


if __name__ == "__main__":
    main()
