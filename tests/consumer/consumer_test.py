#!/usr/bin/env python3
"""Uses the sources from a small project, as README.md says, on a machine that has only a compiler and CMake: its sample
must compile, and print what README.md says; the whole core must link; and what is left out must say why.

  consumer_test.py CMAKE COMPILER FOLDER [LAUNCHER]

FOLDER is emptied first. LAUNCHER is a compiler cache. Exit 0 when all of it holds.
"""
import os
import re
import sys

from project import CORE_PRINTS, STRICT_PRINTS, HERE, ROOT, empty, hidden, readme_sample, run, same, wants

# Every module that needs something, and all of Debian's packages that have it.
LEFT_OUT = ["regex", "builtin", "store", "net", "config", "mcp", "run", "screen"]
PACKAGES = ["libre2-dev", "libsqlite3-dev", "libcurl4-openssl-dev", "zlib1g-dev", "libbrotli-dev", "libboost-dev",
            "libtomlplusplus-dev", "libcli11-dev", "libspdlog-dev"]


def left_out(configured):
    return re.findall(r"^-- belay: without belay::(\w+):", configured, re.M)


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__.strip())
    cmake, compiler, folder = sys.argv[1:4]
    launcher = sys.argv[4] if len(sys.argv) == 5 else ""
    empty(folder)
    source, wanted = readme_sample(folder)
    bare = os.path.join(folder, "bare")
    tools = [f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}"]
    given = [f"-DBELAY={ROOT}", f"-DSAMPLE={source}", *tools]

    # Unity builds are the project's own choice; here they save time.
    configure = [cmake, "-S", HERE, "-B", bare, "-DCMAKE_UNITY_BUILD=ON", *given]
    same(left_out(run(*configure, *hidden())), LEFT_OUT, "left out where nothing is found, each with a line")

    run(cmake, "--build", bare, "-j", "2", "--target", "consumer")
    made = sorted(name for _, _, files in os.walk(bare) for name in files if name.endswith(".a"))
    same(made, ["libbelay_base.a", "libbelay_json.a"], "made for a project that links belay::json")
    same(run(os.path.join(bare, "consumer")), wanted, "README.md's sample")
    run(cmake, "--build", bare, "-j", "2")
    same(run(os.path.join(bare, "core")), CORE_PRINTS, "the core")
    same(run(os.path.join(bare, "strict")), STRICT_PRINTS, "options by name")

    fetched = os.path.join(folder, "fetched")
    run(cmake, "-S", HERE, "-B", fetched, "-DWAY=FetchContent", "-DCMAKE_UNITY_BUILD=ON", *given, *hidden())
    run(cmake, "--build", fetched, "-j", "2", "--target", "consumer")
    same(run(os.path.join(fetched, "consumer")), wanted, "README.md's sample by FetchContent")

    # What is left out says why to those who link it, with all that is needed to have it.
    wants(run(*configure, "-DLINK=belay::net", fails=True), "consumer links belay::net", "libcurl (libcurl4-openssl-dev)")
    wants(run(*configure, "-DLINK=belay::screen", fails=True), "consumer links belay::screen", "SQLite (libsqlite3-dev)",
          "libcurl (libcurl4-openssl-dev)")
    wants(run(*configure, "-DLINK=", "-DBELAY_EDGES=ON", fails=True), *PACKAGES[:7])
    same(left_out(run(*configure, "-DBELAY_EDGES=OFF")), [], "looked for with BELAY_EDGES=OFF")
    wants(run(*configure, "-DLINK=belay::net", "-DBELAY_EDGES=OFF", fails=True), "consumer links belay::net",
          "BELAY_EDGES=OFF")
    # The program needs all of it.
    wants(run(cmake, "-S", ROOT, "-B", os.path.join(folder, "program"), *tools, *hidden(), fails=True), *PACKAGES)
    # Where everything is there, nothing is left out.
    same(left_out(run(cmake, "-S", HERE, "-B", os.path.join(folder, "all"), *given)), [], "left out where all is there")
    print("README.md's sample compiles and prints what it says; the core needs only a compiler")


if __name__ == "__main__":
    main()
