#!/usr/bin/env python3
"""Uses the library from a small project, as README.md says, on a machine that has only a compiler and CMake: its sample
must compile, and print what README.md says; the whole core must link; and what is left out must say why.

  consumer_test.py CMAKE COMPILER FOLDER [LAUNCHER]

FOLDER is emptied first. LAUNCHER is a compiler cache. Exit 0 when all of it holds.
"""
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

# CMake finds no header, library or package in a folder that is not there. Programs it may find.
HIDDEN = ["-DCMAKE_FIND_ROOT_PATH=/nonexistent", "-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF"] + [
    f"-DCMAKE_FIND_ROOT_PATH_MODE_{kind}=ONLY" for kind in ("INCLUDE", "LIBRARY", "PACKAGE")]

# Every module that needs something, and all of Debian's packages that have it.
LEFT_OUT = ["regex", "builtin", "store", "net", "config", "mcp", "run", "screen"]
PACKAGES = ["libre2-dev", "libsqlite3-dev", "libcurl4-openssl-dev", "zlib1g-dev", "libbrotli-dev", "libboost-dev",
            "libtomlplusplus-dev", "libcli11-dev", "libspdlog-dev"]

CORE_PRINTS = """text: Sure.
read_file {"line":3}
ask
1 action
"""


def environment():
    """What our environment sets, a user's machine may not have; what pkg-config finds, it has not."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("CMAKE_") and not k.endswith("_ROOT")}
    return env | {"PKG_CONFIG_LIBDIR": "/nonexistent", "PKG_CONFIG_PATH": ""}


def run(*command, fails=False):
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment())
    if (ran.returncode != 0) != fails:
        sys.exit(f"{' '.join(command)}\nexit {ran.returncode}\n{ran.stdout}")
    return ran.stdout


def wants(text, *words):
    flat = " ".join(text.split())  # CMake breaks lines
    for word in words:
        if word not in flat:
            sys.exit(f"wanted: {word}\ngot:\n{text}")


def left_out(configured):
    return re.findall(r"^-- belay: without belay::(\w+):", configured, re.M)


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__.strip())
    cmake, compiler, folder = sys.argv[1:4]
    launcher = sys.argv[4] if len(sys.argv) == 5 else ""
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as f:
        readme = f.read()
    sample = re.search(r"```cpp\n(.*?)```", readme, re.S).group(1)
    wanted = re.search(r"It prints:\n\n```text\n(.*?)```", readme, re.S).group(1)

    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    source = os.path.join(folder, "sample.cpp")
    with open(source, "w", encoding="utf-8") as f:
        f.write(sample)
    bare = os.path.join(folder, "bare")
    tools = [f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}"]

    # Unity builds are the project's own choice; here they save time.
    configure = [cmake, "-S", HERE, "-B", bare, f"-DBELAY={ROOT}", f"-DSAMPLE={source}", "-DCMAKE_UNITY_BUILD=ON", *tools]
    configured = run(*configure, *HIDDEN)
    if left_out(configured) != LEFT_OUT:
        sys.exit(f"where nothing is found, {LEFT_OUT} should be left out, each with a line:\n{configured}")

    run(cmake, "--build", bare, "-j", "2", "--target", "consumer")
    made = sorted(name for _, _, files in os.walk(bare) for name in files if name.endswith(".a"))
    if made != ["libbelay_base.a", "libbelay_json.a"]:
        sys.exit(f"a project that links belay::json should make belay_base and belay_json, and makes {made}")
    got = run(os.path.join(bare, "consumer"))
    if got != wanted:
        sys.exit(f"README.md says that its sample prints\n{wanted}\nbut it prints\n{got}")
    run(cmake, "--build", bare, "-j", "2")
    got = run(os.path.join(bare, "core"))
    if got != CORE_PRINTS:
        sys.exit(f"the core should print\n{CORE_PRINTS}\nbut it prints\n{got}")

    # What is left out says why to those who link it, with all that is needed to have it.
    wants(run(*configure, "-DLINK=belay::net", fails=True), "consumer links belay::net", "libcurl (libcurl4-openssl-dev)")
    wants(run(*configure, "-DLINK=belay::screen", fails=True), "consumer links belay::screen", "SQLite (libsqlite3-dev)",
          "libcurl (libcurl4-openssl-dev)")
    wants(run(*configure, "-DLINK=", "-DBELAY_EDGES=ON", fails=True), *PACKAGES[:7])
    if left_out(run(*configure, "-DBELAY_EDGES=OFF")):
        sys.exit("BELAY_EDGES=OFF should look for nothing")
    wants(run(*configure, "-DLINK=belay::net", "-DBELAY_EDGES=OFF", fails=True), "consumer links belay::net", "BELAY_EDGES=OFF")
    # The program needs all of it.
    wants(run(cmake, "-S", ROOT, "-B", os.path.join(folder, "program"), *tools, *HIDDEN, fails=True), *PACKAGES)
    # Where everything is there, nothing is left out.
    found = run(cmake, "-S", HERE, "-B", os.path.join(folder, "all"), f"-DBELAY={ROOT}", f"-DSAMPLE={source}", *tools)
    if left_out(found):
        sys.exit(f"everything is there, and yet:\n{found}")
    print("README.md's sample compiles and prints what it says; the core needs only a compiler")


if __name__ == "__main__":
    main()
