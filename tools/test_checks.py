#!/usr/bin/env python3
"""Tests of the checks themselves: each violation is found, and what is allowed is left alone."""
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import check_headers  # noqa: E402
import check_layers  # noqa: E402
import check_links  # noqa: E402

LAYERS = "# who\npure\n  base:\n  json: base\n  sse: base\nedges\n  net: base sse\n"


class Project(unittest.TestCase):
    """A throw-away project: write(path, text) makes a file in it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()
        self.write("layers.txt", LAYERS)

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


class LayersTest(Project):
    def found(self, path, text):
        self.write(path, text)
        return check_layers.violations(self.root)

    def assert_clean(self, path, text):
        self.assertEqual(self.found(path, text), [])

    def assert_found(self, path, text, *words):
        found = self.found(path, text)
        self.assertEqual(len(found), 1, found)
        for word in (path, *words):
            self.assertIn(word, found[0])

    def test_a_module_may_include_itself_and_what_its_line_names(self):
        self.write("src/json/scan.h", "")
        self.assert_clean("src/json/a.cpp", '#include <belay/json/reader.h>\n#include "json/scan.h"\n#include "scan.h"\n'
                                            '#include <belay/base.h>\n#include "base/utf8.h"\n#include <vector>\n')

    def test_the_version_is_for_everybody_and_stands_alone(self):
        self.assert_clean("src/base/a.cpp", "#include <belay/version.h>\n")
        self.assert_found("include/belay/version.h", "#include <belay/base.h>\n", "stands alone")

    def test_a_public_header_of_a_module_that_is_not_allowed(self):
        self.assert_found("src/json/a.cpp", "\n#include <belay/sse.h>\n", ":2:", "json may not include sse")

    def test_a_private_header_of_a_module_that_is_not_allowed(self):
        self.assert_found("src/base/a.cpp", '#include "json/scan.h"\n', "base may not include json")

    def test_an_upward_include_in_a_public_header(self):
        self.assert_found("include/belay/base.h", "#include <belay/json/value.h>\n", "base may not include json")

    def test_a_private_header_in_a_public_one(self):
        self.assert_found("include/belay/json/a.h", '#include "json/scan.h"\n', "private")

    def test_the_way_around_by_dots(self):
        self.assert_found("src/base/a.cpp", '#include "../json/scan.h"\n', "without '..'")

    def test_a_module_that_is_not_listed(self):
        self.assert_found("src/magic/a.cpp", "", "magic is not listed")

    def test_memory_from_the_kernel_is_for_one_file(self):
        self.assert_clean("src/json/block.cpp", "#include <sys/mman.h>\n")
        self.assert_found("src/json/a.cpp", "#include <sys/mman.h>\n", "sys/mman.h", "pure")

    def test_headers_that_a_pure_module_may_not_have(self):
        for header in ("iostream", "fstream", "sstream", "thread", "mutex", "atomic", "chrono", "filesystem", "cstdio",
                       "ctime", "random", "regex", "locale", "unistd.h", "sys/socket.h", "stdio.h", "fmt/core.h",
                       "nlohmann/json.hpp", "CLI/CLI.hpp"):
            with self.subTest(header):
                self.assert_found("src/json/a.cpp", f"#  include <{header}>\n", header, "pure")

    def test_a_third_party_header_in_quotes_in_a_pure_module(self):
        self.assert_found("src/json/a.cpp", '#include "simdjson.h"\n', "simdjson.h", "pure")

    def test_the_same_headers_are_fine_at_the_edges_and_in_programs(self):
        self.write("src/net/a.cpp", '#include <thread>\n#include <curl/curl.h>\n#include "sqlite3.h"\n')
        self.assert_clean("apps/belay/main.cpp", "#include <iostream>\n#include <belay/belay.h>\n#include <CLI/CLI.hpp>\n")

    def test_a_program_may_not_reach_into_a_module(self):
        self.assert_found("apps/belay/main.cpp", '#include "json/scan.h"\n', "private")

    def test_intrinsics_are_allowed(self):
        self.assert_clean("src/json/a_avx2.cpp", "#include <immintrin.h>\n#include <emmintrin.h>\n#include <arm_neon.h>\n")

    def test_calls_that_a_pure_module_may_not_make(self):
        for call in ('std::getenv("HOME")', 'getenv("X")', '::system("ls")', "std::rand()", 'printf("x")'):
            with self.subTest(call):
                self.assert_found("src/json/a.cpp", f"void f() {{ {call}; }}\n", "pure")

    def test_comments_literals_and_members_are_not_calls(self):
        self.assert_clean("src/json/a.cpp", '// getenv("X") and #include <thread>\n/* #include <mutex>\n rand() */\n'
                                            'auto s = "getenv(1)"; auto r = R"x(system("ls"))x";\n'
                                            "int f(T t) { return t.system() + t->puts() + 1'000 + g('\"'); }\n")

    def test_a_comment_does_not_hide_the_line_after_it(self):
        self.assert_found("src/json/a.cpp", "char c = '\"';  // it's \"odd\n#include <thread>\n", ":2:", "thread")

    def test_a_target_that_depends_on_too_much(self):
        self.assert_found("src/base/CMakeLists.txt", "belay_module(base DEPENDS json)\n", "may not depend on json")
        self.assert_found("src/base/CMakeLists.txt", "belay_module(base DEPENDS json OPTIONS -O2)\n", "may not depend on json")

    def test_a_pure_target_with_a_library(self):
        self.assert_found("src/json/CMakeLists.txt", "belay_module(json DEPENDS base LIBRARIES fmt::fmt)\n", "third-party")

    def test_layers_that_make_no_sense(self):
        for text in ("base:\n", "pure\n json: base\n base:\n", "pure\n a:\n a:\n", "edges\n a:\npure\n b: a\n", "pure\n a b\n"):
            with self.subTest(text), self.assertRaises(ValueError):
                check_layers.Layers(text)


class HeadersTest(Project):
    def test_a_header_that_stands_alone(self):
        self.write("include/belay/a.h", "#pragma once\n#include <string>\nstruct A { std::string s; };\n")
        self.assertEqual(check_headers.failures(self.root), [])

    def test_headers_that_lean_on_others_warn_or_lack_a_guard(self):
        self.write("include/belay/lean.h", "#pragma once\nstruct A { std::string s; };\n")
        self.write("include/belay/warn.h", "#pragma once\ninline int f(long x) { return x; }\n")
        self.write("include/belay/x/guard.h", "struct A {};\n")
        names = [header.name for header, _ in check_headers.failures(self.root)]
        self.assertEqual(names, ["lean.h", "warn.h", "guard.h"])


    def test_after_a_build_a_header_that_a_source_begins_with_is_known_to_stand_alone(self):
        self.write("include/belay/first.h", "#pragma once\nstruct A { std::string s; };\n")
        self.write("include/belay/second.h", "#pragma once\nstruct B { std::string s; };\n")
        self.write("include/belay/guard.h", "struct C {};\n")
        self.write("src/a/first.cpp", "// What it is.\n#include <belay/first.h>\n#include <belay/second.h>\n")
        self.write("src/a/guard.cpp", "#include <belay/guard.h>\n")
        names = [header.name for header, _ in check_headers.failures(self.root, built=True)]
        self.assertEqual(names, ["guard.h", "second.h"])


class LinksTest(Project):
    def found(self, text):
        self.write("docs/a.md", text)
        return check_links.broken(self.root)

    def test_links_that_lead_somewhere(self):
        self.write("README.md", "# A `b` & c\n[x](docs/a.md) ![i](i.svg)\n")
        self.write("i.svg", "")
        self.assertEqual(self.found("# T\n[r](../README.md) [h](../README.md#a-b--c) [t](#t) [web](https://example.org/x)\n"
                                    "[d](../docs/)\n```\n[code](nowhere.md)\n```\nand `[span](nowhere.md)`\n"), [])

    def test_links_that_do_not(self):
        for text, what in (("[x](b.md)", "nowhere"), ("![x](b.svg)", "nowhere"), ("[x]: b.md", "nowhere"),
                           ("[x](#no)", "heading"), ("[x](../../y.md)", "out of the project"),
                           ('<img src="b.svg">', "nowhere"), ("[a [b] c](b.md)", "nowhere")):
            with self.subTest(text):
                found = self.found(f"one\n\n{text}\n")
                self.assertEqual(len(found), 1, found)
                self.assertIn("docs/a.md:3:", found[0])
                self.assertIn(what, found[0])

    def test_other_peoples_files_are_left_alone(self):
        self.write("bench/node_modules/x/README.md", "[x](nowhere.md)\n")
        self.assertEqual(self.found("fine\n"), [])


if __name__ == "__main__":
    unittest.main()
