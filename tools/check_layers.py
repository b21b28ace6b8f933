#!/usr/bin/env python3
"""Checks that the includes agree with layers.txt and that the pure modules are pure.

usage: check_layers.py [ROOT]

Prints one line for each violation, as FILE:LINE: what is wrong. Exit 0: none, 1: some, 2: layers.txt cannot be read.
"""
import re
import sys
from pathlib import Path

# What a pure module may include beside Belay's own headers: this part of the standard library, and intrinsics.
PURE_STD = set("""
algorithm any array bit bitset cassert cctype cfloat charconv cinttypes climits cmath compare complex concepts
coroutine cstddef cstdint cstdlib cstring cuchar cwchar cwctype deque exception expected forward_list functional
initializer_list iosfwd iterator limits list map memory memory_resource new numbers numeric optional queue ranges
ratio scoped_allocator set source_location span stack stdexcept stop_token string string_view tuple type_traits typeindex
typeinfo unordered_map unordered_set utility valarray variant vector version
""".split())
INTRINSICS = re.compile(r"^([a-z0-9]*intrin|arm_neon|arm_sve|cpuid)\.h$")

# Memory from the kernel is still only memory: the one file that may ask for it (docs/adr/0008).
MEMORY = {("src/json/block.cpp", "sys/mman.h")}

# Below every module.
VERSION = Path("include/belay/version.h")

# Reachable through <cstdlib> or a declaration of one's own, so includes alone do not show them.
IMPURE_CALL = re.compile(
    r"(?<![\w.>:])(?:std::|::)?"
    r"(getenv|secure_getenv|setenv|unsetenv|putenv|system|popen|rand|srand|printf|fprintf|puts|exit|_exit|quick_exit)"
    r"\s*\(")
IMPURE_WORD = re.compile(r"\b(environ|thread_local|__DATE__|__TIME__)\b")

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)")')
SOURCES = (".h", ".cpp")


class Layers:
    """The content of layers.txt: for each module what it may include, and whether it is pure."""

    def __init__(self, text):
        self.may = {}
        self.pure = set()
        section = None
        for number, line in enumerate(text.splitlines(), 1):
            line = line.split("#", 1)[0].strip()
            if not line:
                continue
            if line in ("pure", "edges"):
                section = line
                continue
            match = re.fullmatch(r"(\w+):\s*([\w\s]*)", line)
            if not match or section is None:
                raise ValueError(f"layers.txt:{number}: expected 'module: modules' below 'pure' or 'edges'")
            module, allowed = match[1], match[2].split()
            if module in self.may:
                raise ValueError(f"layers.txt:{number}: {module} is listed twice")
            for other in allowed:
                if other not in self.may:
                    raise ValueError(f"layers.txt:{number}: {module} names {other}, which does not stand above it")
                if section == "pure" and other not in self.pure:
                    raise ValueError(f"layers.txt:{number}: {module} is pure, {other} is not")
            self.may[module] = set(allowed)
            if section == "pure":
                self.pure.add(module)


def code_lines(text):
    """The lines of a C++ text with comments and the insides of literals blanked; includes stay readable."""
    out = []
    pattern = re.compile(
        r'//[^\n]*|/\*.*?\*/|R"([^()\\\s]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])\'(?:\\.|[^\'\\\n])+\'',
        re.S)
    at = 0
    for match in pattern.finditer(text):
        out.append(text[at:match.start()])
        token = match[0]
        line_start = text.rfind("\n", 0, match.start()) + 1
        if re.match(r"\s*#\s*include\b", text[line_start:match.start()]) and token.startswith('"'):
            out.append(token)
        else:
            out.append(" " + "\n" * token.count("\n"))
        at = match.end()
    out.append(text[at:])
    return "".join(out).split("\n")


def module_of(path):
    """The module that a file below include/belay or src belongs to; None for belay.h, which is all of them."""
    parts = path.parts
    if parts[0] == "src":
        return parts[1] if len(parts) > 2 else None
    name = parts[2]
    return name[:-2] if len(parts) == 3 else name


def check_file(root, path, layers):
    """Yields (line, message) for each violation in one file; path is relative to root."""
    public = path.parts[0] == "include"
    app = path.parts[0] == "apps"
    umbrella = path in (Path("include/belay/belay.h"), VERSION)
    module = None if app or umbrella else module_of(path)
    if not app and not umbrella and module not in layers.may:
        yield 1, f"module {module} is not listed in layers.txt"
        return
    pure = umbrella or module in layers.pure

    for number, line in enumerate(code_lines((root / path).read_text(encoding="utf-8", errors="replace")), 1):
        match = INCLUDE.match(line)
        if match:
            header = match[1] or match[2]
            if path == VERSION:
                yield number, f"{header}: version.h stands alone, as every module may include it"
                continue
            if Path("include", header) == VERSION:
                continue
            parts = Path(header).parts
            if parts[0] == "belay" and len(parts) > 1:
                target = parts[1][:-2] if len(parts) == 2 else parts[1]
                if header == "belay/belay.h":
                    if not app:
                        yield number, "belay/belay.h is for users of the library; include the module's header"
                    continue
            elif match[2] and ".." in parts:
                yield number, f"{header}: name the header from src/ on, without '..'"
                continue
            elif match[2] and (root / path.parent / header).is_file():
                continue
            elif parts[0] in layers.may and len(parts) > 1:
                target = parts[0]
                if public or app:
                    what = "a public header" if public else "a program"
                    yield number, f"{header} is private to {target}; {what} may not include it"
                    continue
            elif match[2] and not pure:
                continue
            else:
                allowed = header in PURE_STD or INTRINSICS.match(header) or (path.as_posix(), header) in MEMORY
                if pure and not allowed:
                    yield number, f"{header} has no place in {module or 'belay.h'}, which is pure"
                continue
            if target not in layers.may:
                yield number, f"{header}: there is no module {target} in layers.txt"
            elif not app and not umbrella and target != module and target not in layers.may[module]:
                yield number, f"{module} may not include {target} ({header})"
        elif pure:
            for bad in [*IMPURE_CALL.finditer(line), *IMPURE_WORD.finditer(line)]:
                yield number, f"{bad[1]} has no place in {module}, which is pure"


def check_targets(root, layers):
    """Yields (path, line, message) where a module's CMake target depends on more than layers.txt allows."""
    for cmake in sorted(root.glob("src/*/CMakeLists.txt")):
        path = cmake.relative_to(root)
        text = cmake.read_text(encoding="utf-8")
        for match in re.finditer(r"belay_module\(\s*(\w+)([^)]*)\)", text):
            line = text.count("\n", 0, match.start()) + 1
            module, rest = match[1], match[2]
            if module != path.parts[1]:
                yield path, line, f"folder {path.parts[1]} makes the target {module}"
                continue
            depends = re.search(r"\bDEPENDS\b(.*?)(?=\b(?:LIBRARIES|OPTIONS)\b|$)", rest, re.S)
            for other in depends[1].split() if depends else []:
                if other not in layers.may.get(module, set()):
                    yield path, line, f"{module} may not depend on {other}"
            if module in layers.pure and re.search(r"\bLIBRARIES\b", rest):
                yield path, line, f"{module} is pure and may not link third-party libraries"


def violations(root):
    layers = Layers((root / "layers.txt").read_text(encoding="utf-8"))
    found = []
    for top in ("include/belay", "src", "apps"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix in SOURCES and file.is_file():
                path = file.relative_to(root)
                found += [f"{path}:{line}: {message}" for line, message in check_file(root, path, layers)]
    found += [f"{path}:{line}: {message}" for path, line, message in check_targets(root, layers)]
    return found


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    try:
        found = violations(root)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
