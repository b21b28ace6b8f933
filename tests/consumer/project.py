"""Projects that use the library, configured and built as on a machine that has only a compiler and CMake."""
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

CORE_PRINTS = """text: Sure.
read_file {"line":3}
ask
1 action
"""


STRICT_PRINTS = '{"a":1}21noneff0f1209m1xquotam1shryesquota\n'


def hidden(*but):
    """CMake finds headers, libraries and packages in these folders only. Programs it may find."""
    paths = ";".join(but) or "/nonexistent"
    return [f"-DCMAKE_FIND_ROOT_PATH={paths}", f"-DCMAKE_PREFIX_PATH={paths}", "-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF"] + [
        f"-DCMAKE_FIND_ROOT_PATH_MODE_{kind}=ONLY" for kind in ("INCLUDE", "LIBRARY", "PACKAGE")]


def environment(pkg_config="/nonexistent"):
    """What our environment sets, a user's machine may not have; what pkg-config finds, it has not."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("CMAKE_") and not k.endswith("_ROOT")}
    # As tools/build.sh has it, so that what is the same there is not compiled again.
    return env | {"PKG_CONFIG_LIBDIR": pkg_config, "PKG_CONFIG_PATH": "", "CCACHE_BASEDIR": ROOT, "CCACHE_NOHASHDIR": "1",
                  "CCACHE_SLOPPINESS": "pch_defines,time_macros,include_file_mtime,include_file_ctime"}


def run(*command, fails=False, **more):
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment(**more))
    if (ran.returncode != 0) != fails:
        sys.exit(f"{' '.join(command)}\nexit {ran.returncode}\n{ran.stdout}")
    return ran.stdout


def same(got, wanted, what):
    if got != wanted:
        sys.exit(f"{what}: wanted\n{wanted}\nbut got\n{got}")


def wants(text, *words):
    flat = " ".join(text.split())  # CMake breaks lines
    for word in words:
        if word not in flat:
            sys.exit(f"wanted: {word}\ngot:\n{text}")


def empty(folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return folder


def readme_sample(folder):
    """The README's sample as a file, and what it prints."""
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as f:
        readme = f.read()
    source = os.path.join(folder, "sample.cpp")
    with open(source, "w", encoding="utf-8") as f:
        f.write(re.search(r"```cpp\n(.*?)```", readme, re.S).group(1))
    return source, re.search(r"It prints:\n\n```text\n(.*?)```", readme, re.S).group(1)
