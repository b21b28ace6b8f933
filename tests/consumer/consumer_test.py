#!/usr/bin/env python3
"""Uses the library from a small project, as README.md says: its sample must compile, and print what README.md says.

  consumer_test.py CMAKE COMPILER FOLDER [LAUNCHER]

FOLDER is emptied first. LAUNCHER is a compiler cache. Exit 0 when the sample printed the right lines.
"""
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def run(*command, env=None):
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env)
    if ran.returncode != 0:
        sys.exit(f"{' '.join(command)}\nexit {ran.returncode}\n{ran.stdout}")
    return ran.stdout


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
    # What our environment sets, a user's machine may not have.
    env = {k: v for k, v in os.environ.items() if not k.startswith("CMAKE_")}
    build = os.path.join(folder, "build")
    run(cmake, "-S", HERE, "-B", build, f"-DBELAY={ROOT}", f"-DSAMPLE={source}", f"-DCMAKE_CXX_COMPILER={compiler}",
        f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}", env=env)
    run(cmake, "--build", build, "-j", "2", env=env)
    made = sorted(name for _, _, files in os.walk(build) for name in files if name.endswith(".a"))
    if made != ["libbelay_base.a", "libbelay_json.a"]:
        sys.exit(f"a project that links belay::json should make belay_base and belay_json, and makes {made}")
    got = run(os.path.join(build, "consumer"))
    if got != wanted:
        sys.exit(f"README.md says that its sample prints\n{wanted}\nbut it prints\n{got}")
    print("README.md's sample compiles and prints what it says")


if __name__ == "__main__":
    main()
