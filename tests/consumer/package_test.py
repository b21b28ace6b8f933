#!/usr/bin/env python3
"""Installs the library on a machine that has only a compiler and CMake, and uses it from there: by find_package and by
pkg-config, static and shared, and from inside a library that is installed itself. Then what a whole build installs.

  package_test.py CMAKE COMPILER FOLDER WHOLE [LAUNCHER]

FOLDER is emptied first; beside the build folder WHOLE, the compiler cache knows what is compiled. WHOLE is a build folder
with all of Belay. LAUNCHER is a compiler cache. Exit 0 when all of it holds.
"""
import os
import subprocess
import sys

from project import CORE_PRINTS, HERE, ROOT, empty, hidden, readme_sample, run, same, wants


def main():
    if len(sys.argv) not in (5, 6):
        sys.exit(__doc__.strip())
    cmake, compiler, folder, whole = sys.argv[1:5]
    launcher = sys.argv[5] if len(sys.argv) == 6 else ""
    tools = [f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}"]
    empty(folder)
    source, wanted = readme_sample(folder)

    def within(*names):
        return os.path.join(folder, *names)

    def built(name, at, *options):
        """Configures the project at a folder, and builds it."""
        run(cmake, "-S", at, "-B", within(name), *tools, *options)
        run(cmake, "--build", within(name), "-j", "2")

    # The core alone, with the flags of a release, so that a compiler cache knows it.
    with open(os.path.join(whole, "CMakeCache.txt"), encoding="utf-8") as f:
        flags = next(line for line in f if line.startswith("CMAKE_CXX_FLAGS_RELEASE:")).split("=", 1)[1].strip()
    run(cmake, "-G", "Ninja", "-S", ROOT, "-B", folder, "-DBELAY_EDGES=OFF", "-DBELAY_WERROR=ON", *tools, *hidden(),
        "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_CXX_FLAGS_RELEASE={flags}")
    run(cmake, "--build", folder, "-j", "2")
    run(cmake, "--install", folder, "--prefix", within("first"))
    # It can be moved.
    prefix = within("moved")
    os.rename(within("first"), prefix)

    by_package = [f"-DSAMPLE={source}", "-DWAY=find_package", *hidden(prefix)]
    built("found", HERE, *by_package, "-DCOMPONENTS=Core")
    same(run(within("found", "consumer")), wanted, "README.md's sample by find_package")
    for program in ("core", "core_shared"):
        same(run(within("found", program)), CORE_PRINTS, f"{program} by find_package")
    wants(subprocess.run(["ldd", within("found", "core_shared")], capture_output=True, text=True).stdout, "libbelay.so.")

    there = os.path.join(prefix, "lib")
    for word in ("--libs", "--static"):
        config = run("pkg-config", "--cflags", "--libs", *([word] if word == "--static" else []), "belay",
                     pkg_config=os.path.join(there, "pkgconfig")).split()
        static = ["-Wl,-Bstatic", "-lbelay", "-Wl,-Bdynamic"]
        if word == "--static":
            config = [part for flag in config for part in (static if flag == "-lbelay" else [flag])]
        run(compiler, "-std=c++23", os.path.join(HERE, "core.cpp"), *config, f"-Wl,-rpath,{there}", "-o", within("by_hand"))
        same(run(within("by_hand")), CORE_PRINTS, f"the core by pkg-config {word}")

    # A component that is not there says so; one of which Belay knows nothing, too.
    for component in ("net", "Magic"):
        wants(run(cmake, "-S", HERE, "-B", within("found"), f"-DCOMPONENTS=Core;{component}", fails=True),
              f"has no component {component.lower()}; it has: core")

    # A library that uses Belay, built either way, is used through its own package.
    for way, options in (("found", [*hidden(prefix)]), ("added", [f"-DBELAY={ROOT}", "-DCMAKE_UNITY_BUILD=ON", *hidden()])):
        built(f"library_{way}", os.path.join(HERE, "library"), *options)
        run(cmake, "--install", within(f"library_{way}"), "--prefix", within(f"reads_{way}"))
        same(sorted(os.listdir(within(f"reads_{way}", "lib"))), ["cmake", "libreads.a"], "installed with a library")
        built(f"user_{way}", os.path.join(HERE, "user"), *hidden(prefix, within(f"reads_{way}")))
        same(run(within(f"user_{way}", "user")), '{"a":[1,2]}\n', f"a user of a library, Belay {way}")

    # All of Belay. Components need what they are made with, and each brings what it depends on.
    run(cmake, "--install", whole, "--prefix", within("whole"))
    wants(run(cmake, "-S", HERE, "-B", within("lacking"), *tools, f"-DSAMPLE={source}", "-DWAY=find_package",
              *hidden(within("whole")), "-DCOMPONENTS=screen", fails=True),
          "belay::store needs what was not found: SQLite (libsqlite3-dev)")
    built("edges", HERE, f"-DSAMPLE={source}", "-DWAY=find_package", f"-DCMAKE_PREFIX_PATH={within('whole')}",
          "-DCOMPONENTS=Config;Mcp;Screen;Builtin", "-DEDGES=ON")
    same(run(within("edges", "edges")), "11111110\n", "something of every edge")
    print("the package is found, linked and run in every way")


if __name__ == "__main__":
    main()
