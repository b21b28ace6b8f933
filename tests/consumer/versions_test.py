#!/usr/bin/env python3
"""Two versions of the library in one process: two shared objects, each with its own, opened for all to see. Each must use
its own. And what the shared library exports is the API in the namespace of its version, and nothing else.

  versions_test.py CMAKE COMPILER FOLDER WHOLE [LAUNCHER]

FOLDER is emptied first. WHOLE is a build folder with all of Belay. LAUNCHER is a compiler cache. Exit 0 when all of it
holds.
"""
import itertools
import os
import re
import shutil
import subprocess
import sys

from project import HERE, ROOT, empty, hidden, run, same

PLUGIN = os.path.join(HERE, "plugin")


def exported(library):
    """The names of Belay that a shared object defines for others."""
    out = subprocess.run(["nm", "-DC", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    return {line.split(maxsplit=2)[2] for line in out.splitlines() if "belay::" in line}


def next_version(folder):
    """A copy of the sources with the next version's number; the numbers."""
    copy = os.path.join(folder, "next")
    for name in ("cmake", "include", "src", "CMakeLists.txt"):
        (shutil.copytree if os.path.isdir(os.path.join(ROOT, name)) else shutil.copy)(
            os.path.join(ROOT, name), os.path.join(empty(copy) if name == "cmake" else copy, name))
    header = os.path.join(copy, "include", "belay", "version.h")
    with open(header, encoding="utf-8") as f:
        text = f.read()
    major, minor, patch = (int(re.search(rf"#define BELAY_VERSION_{part} (\d+)", text).group(1))
                           for part in ("MAJOR", "MINOR", "PATCH"))
    with open(header, "w", encoding="utf-8") as f:
        f.write(text.replace(f"BELAY_VERSION_MINOR {minor}\n", f"BELAY_VERSION_MINOR {minor + 1}\n"))
    return copy, f"{major}.{minor}.{patch}", f"{major}.{minor + 1}.{patch}", f"v{major}_{minor}", f"v{major}_{minor + 1}"


def main():
    if len(sys.argv) not in (5, 6):
        sys.exit(__doc__.strip())
    cmake, compiler, folder, whole = sys.argv[1:5]
    launcher = sys.argv[5] if len(sys.argv) == 6 else ""
    tools = [f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}", "-DCMAKE_UNITY_BUILD=ON"]
    empty(folder)
    copy, this, later, this_space, later_space = next_version(folder)

    here, there, prefix = (os.path.join(folder, name) for name in ("here", "there", "installed"))
    run(cmake, "--install", whole, "--prefix", prefix)
    run(cmake, "-S", PLUGIN, "-B", here, *tools, *hidden(prefix))
    run(cmake, "-S", PLUGIN, "-B", there, *tools, f"-DBELAY={copy}", *hidden())
    for build in (here, there):
        run(cmake, "--build", build, "-j", "2")

    says = {os.path.join(here, "libplugin.so"): f'{this} {this} {{"a":[1,2]}}\n',
            os.path.join(here, "libplugin_shared.so"): f'{this} {this} {{"a":[1,2]}}\n',
            os.path.join(there, "libplugin.so"): f'{later} {later} {{"a":[1,2]}}\n'}
    for order in itertools.permutations(says):
        same(run(os.path.join(here, "host"), *order), "".join(says[plugin] for plugin in order), "two versions, each its own")

    # Every name says its version, so that none is taken for another one's.
    for library, space in ((os.path.join(here, "libplugin.so"), this_space), (os.path.join(there, "libplugin.so"), later_space),
                           (os.path.join(prefix, "lib", "libbelay.so"), this_space)):
        same([name for name in sorted(exported(library)) if re.search(rf"belay::(?!{space}::)", name)], [],
             f"names of {library} outside belay::{space}")
    names = exported(os.path.join(prefix, "lib", "libbelay.so"))
    for name in (f"belay::{this_space}::version()", f"belay::{this_space}::json::Reader::finish(belay::{this_space}::json::Ending)"):
        same(name in names, True, f"{name} is exported")
    same([name for name in sorted(names) if re.search("Mender|json::prose", name)], [], "private, and exported")
    print(f"{this} and {later} live side by side")


if __name__ == "__main__":
    main()
