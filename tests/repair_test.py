#!/usr/bin/env python3
"""The command-line contract of `belay repair`: what it writes, and how it exits.

  repair_test.py BELAY [unittest arguments]
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

BELAY = sys.argv.pop(1) if len(sys.argv) > 1 else "belay"


def repair(text, *args):
    """Exit code, standard output and standard error of `belay repair ARGS` on the text."""
    data = text if isinstance(text, bytes) else text.encode()
    done = subprocess.run([BELAY, "repair", *args], input=data, capture_output=True, timeout=60)
    return done.returncode, done.stdout.decode(), done.stderr.decode(errors="replace")


class Repair(unittest.TestCase):
    def gives(self, text, code, out, *args):
        got = repair(text, *args)
        self.assertEqual((got[0], got[1]), (code, out), got[2])
        return got[2]

    def test_valid_mended_and_split_exit_0_and_are_quiet(self):
        for text, out in [
            ('{"a": 1}', '{"a":1}\n'),
            ("{'a': True,}", '{"a":true}\n'),
            ('{"a":1}\n{"b":2}', '{"a":1}\n{"b":2}\n'),
            ('"text"', '"text"\n'),
            ('[12345678901234567890123]', '[12345678901234567890123]\n'),
        ]:
            self.assertEqual(self.gives(text, 0, out), "")

    def test_guessed_and_truncated_exit_3_write_the_best_value_and_say_why(self):
        self.assertIn("guess", self.gives('{"a":1', 3, '{"a":1}\n'))
        self.assertIn("truncated", self.gives('{"a":"x', 3, '{"a":"x"}\n', "--end", "cut"))

    def test_broken_exits_1_with_nothing_on_standard_output(self):
        for text in ["", "no value here", ":"]:
            self.assertNotEqual(self.gives(text, 1, ""), "")

    def test_wrong_usage_exits_2(self):
        for args in [["--end", "soon"], ["--root", "list"], ["--chunk", "0"], ["--chunk", "x"], ["--no-such-flag"],
                     ["--limit", "width=3"], ["--limit", "depth"], ["--limit", "depth=x"], ["--json", "--stream"]]:
            code, out, err = repair("{}", *args)
            self.assertEqual((code, out), (2, ""), args)
            self.assertNotEqual(err, "", args)

    def test_strict_mends_nothing(self):
        self.gives('{"a":1}', 0, '{"a":1}\n', "--strict")
        self.gives('{"a":1,}', 1, "", "--strict")
        self.gives("{}{}", 1, "", "--strict")
        self.gives('{"a":1,"a":2}', 0, '{"a":1,"a":2}\n', "--strict")

    def test_root_object_takes_lists_and_scalars_for_prose(self):
        self.gives('[1,2] {"a":1}', 0, '{"a":1}\n', "--root", "object")
        self.gives("[1,2]", 1, "", "--root", "object")

    def test_a_file_is_read_like_standard_input(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "in.json")
            with open(path, "w") as f:
                f.write('{"a":1,}')
            self.gives("", 0, '{"a":1}\n', path)
            self.assertEqual(repair("", os.path.join(folder, "missing"))[0], 2)

    def test_the_report_has_the_documented_shape(self):
        code, out, err = repair('{"ab": 1,}', "--json")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(out, '{"verdict":"mended","values":[{"ab":1}],"edits":[{"kind":"trailing_comma","offset":8,'
                              '"length":1,"grade":"safe"}],"edits_total":1,"error":null}\n')

    def test_the_report_of_a_failure_says_where(self):
        code, out, _ = repair('{"a":1,\n"b":"x', "--json", "--end", "cut")
        report = json.loads(out)
        self.assertEqual((code, report["verdict"], report["values"]), (3, "truncated", [{"a": 1, "b": "x"}]))
        error = report["error"]
        self.assertEqual(sorted(error), ["column", "kind", "line", "message", "offset"])
        self.assertEqual((error["kind"], error["offset"], error["line"], error["column"]), ("truncated", 14, 2, 7))

        code, out, _ = repair("nothing", "--json")
        report = json.loads(out)
        self.assertEqual((code, report["verdict"], report["values"]), (1, "broken", []))
        self.assertEqual(report["error"]["kind"], "no_value")

    def test_the_report_of_strict_mode_names_the_deviation(self):
        code, out, _ = repair('[1,\n 2,]', "--json", "--strict")
        error = json.loads(out)["error"]
        self.assertEqual((code, error["kind"], error["offset"], error["line"], error["column"]),
                         (1, "unexpected_byte", 7, 2, 4))

    def test_any_chunk_size_gives_the_same_report(self):
        for text in ['{"a":"é😀\\u00e9", b: [1,2,], \'c\': None}', '{"a":"say "hi" now"}', "Sure: {\"a\":1}} bye", "{}{}[]", "{"]:
            whole = repair(text, "--json")
            for chunk in ["1", "2", "7", "64", "4096"]:
                self.assertEqual(repair(text, "--json", "--chunk", chunk), whole, (text, chunk))

    def test_stream_passes_JSON_byte_for_byte(self):
        for text in ['{"a" : [1, 2.50e1 ]}\n', ' "x\\u0041" ', "[]"]:
            self.gives(text, 0, text, "--stream")

    def test_stream_goes_through_safe_edits(self):
        code, out, _ = repair("Here: {'a': True,} Done.", "--stream")
        self.assertEqual((code, json.loads(out)), (0, {"a": True}))

    def test_stream_stops_before_the_first_guess_and_closes_nothing(self):
        code, out, _ = repair('{"a":1,"b":007,"c":3}', "--stream")
        self.assertEqual(code, 3)
        self.assertTrue('{"a":1,"b":'.startswith(out), out)
        code, out, _ = repair('{"a":[1,"x', "--stream", "--end", "cut")
        self.assertEqual(code, 3)
        self.assertTrue('{"a":[1,"x'.startswith(out), out)

    def test_stream_writes_while_the_input_arrives(self):
        p = subprocess.Popen([BELAY, "repair", "--stream"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL)
        try:
            p.stdin.write(b'{"path":"src/main')
            p.stdin.flush()
            self.assertEqual(os.read(p.stdout.fileno(), 1), b"{")  # blocks until something was written
        finally:
            p.stdin.close()
            p.stdout.read()
            p.stdout.close()
            p.wait(timeout=60)

    def test_limits_are_errors_that_name_themselves(self):
        for limit, text in [("depth=2", "[[[]]]"), ("bytes=5", "[1,2,3,4]"), ("values=1", "{}{}")]:
            name = limit.split("=")[0]
            code, out, _ = repair(text, "--json", "--limit", limit)
            error = json.loads(out)["error"]
            self.assertEqual((code, error["kind"]), (1, "limit"), limit)
            self.assertIn("--limit " + name + "=", error["message"])
        self.assertEqual(repair("{}" * 100)[0], 0, "belay repair has no limit of values")
        self.assertEqual(repair("[" * 2000 + "]" * 2000)[0], 1)
        self.assertEqual(repair("[" * 2000 + "]" * 2000, "--limit", "depth=2000")[0], 0)

    def test_edits_beyond_the_limit_are_counted(self):
        report = json.loads(repair("{a:{b:{c:1,},},}", "--json", "--limit", "edits=2")[1])
        self.assertEqual((report["verdict"], len(report["edits"]), report["edits_total"]), ("mended", 2, 6))

    def test_help_names_every_option_of_the_contract(self):
        done = subprocess.run([BELAY, "repair", "--help"], capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 0)
        for option in [b"--strict", b"--end", b"--root", b"--json", b"--stream", b"--chunk", b"--limit"]:
            self.assertIn(option, done.stdout)

    def test_bytes_that_are_not_UTF_8_come_out_as_UTF_8(self):
        code, out, _ = repair(b'{"a":"\xff"}')
        self.assertEqual((code, out), (3, '{"a":"\ufffd"}\n'))


if __name__ == "__main__":
    unittest.main()
