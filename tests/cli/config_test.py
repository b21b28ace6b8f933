#!/usr/bin/env python3
"""Runs `belay config` from outside.

  config_test.py BELAY
"""
import json
import os
import sys

from home import expect, main, same, test


def shown(home, *args, code=0, **env):
    ran = home.belay("config", "--json", *args, **env)
    same((ran.code, ran.err), (code, b""), ran)
    report = json.loads(ran.out)
    return report, {s["name"]: s for s in report["settings"]}


@test("with nothing configured the built-in model is shown, and nothing is made")
def _(home):
    report, settings = shown(home)
    same((report["demo"], report["found"], report["unusable"], report["notes"]), (True, False, None, []))
    same(settings["model"], {"name": "model", "value": "demo", "source": {"level": "default", "name": None, "line": None}})
    expect("base_url" not in settings and "key" not in settings, settings)
    same(os.listdir(home.folder), [])


@test("each setting says whence it comes")
def _(home):
    home.put_config("max_turns = 7\n\n[models.m]\nbase_url = 'http://127.0.0.1:1/v1'\nprice = {input = 0.5}\n")
    report, s = shown(home, "--effort", "high", "--network", "--deny=read_file(x)", BELAY_MODEL="m")
    at = {name: s[name]["source"]["line"] for name in s if s[name]["source"]["level"] == "file"}
    same(at, {"base_url": 4, "max_turns": 1, "wire": 4, "price.input": 5}, s)
    same((s["max_turns"]["value"], s["price.input"]["value"], s["network"]["value"]), (7, 0.5, True))
    same(s["model"]["source"], {"level": "environment", "name": "BELAY_MODEL", "line": None})
    same(s["effort"]["source"], {"level": "flag", "name": "--effort", "line": None})
    same((s["permissions.deny"]["value"], s["permissions.deny"]["source"]["name"]), ("read_file(x)", "--deny"))
    same(report["config_file"], home.config)
    lines = home.lines("config", "--effort", "high", BELAY_MODEL="m")
    expect("max_turns                  7                             line 1" in lines, lines)
    expect("effort                     high                          --effort" in lines, lines)


@test("BELAY_HOME and the XDG folders say where the file is")
def _(home):
    x = os.path.join(home.folder, "x")
    report, _ = shown(home, BELAY_HOME=x)
    same((report["config_file"], report["data"]), (x + "/config.toml", x))
    report, _ = shown(home, XDG_CONFIG_HOME=x, XDG_STATE_HOME=x + "/s")
    same((report["config_file"], report["data"]), (x + "/belay/config.toml", x + "/s/belay"))
    ran = home.belay("config", BELAY_HOME="here")
    expect(ran.code == 2 and b"BELAY_HOME must be an absolute path" in ran.err, ran)


@test("a config file in the workspace is not read")
def _(home):
    for name in ["config.toml", ".belay/config.toml", "belay.toml", ".env"]:
        os.makedirs(os.path.dirname(os.path.join(home.folder, name)), exist_ok=True)
        with open(os.path.join(home.folder, name), "w") as f:
            f.write("base_url = 'https://evil.example'\n")
    report, settings = shown(home, "--model", "gpt-5", OPENAI_API_KEY="sk-1")
    same(settings["base_url"]["value"], "https://api.openai.com/v1")


@test("keys are shown as set, and their text is nowhere")
def _(home):
    env = {"OPENAI_API_KEY": "sk-very-secret", "BELAY_MODEL": "gpt-5"}
    lines = home.lines("config", **env)
    expect("key                        set (from OPENAI_API_KEY)     OPENAI_API_KEY" in lines, lines)
    for args in [[], ["--json"], ["--base-url", "https://x.example"], ["--base-url", "http://x.example", "--key-env",
                 "OPENAI_API_KEY"], ["--max-turns", "x"], ["--header", "X-A: sk-very-secret"]]:
        ran = home.belay("config", *args, **env)
        expect(b"secret" not in ran.out + ran.err, ran)
    home.put_config("key = 'sk-very-secret'\nwire = 'gemini'\n[headers]\nX-Token='sk-very-secret'\n")
    ran = home.belay("config", BELAY_MODEL="m")
    expect(ran.code == 0 and b"secret" not in ran.out and b"set (from line 1)" in ran.out, ran)


@test("a key that is not sent is noted, and one over plain http makes it unusable")
def _(home):
    env = {"OPENAI_API_KEY": "sk-1", "BELAY_MODEL": "gpt-5"}
    report, settings = shown(home, "--base-url", "https://x.example", **env)
    same(settings["key"]["value"], None)
    expect("is not sent to https://x.example:443" in report["notes"][0], report)
    expect(any(line.startswith("note: the key from OPENAI_API_KEY") for line in
               home.lines("config", "--base-url", "https://x.example", **env)), "for people too")
    report, settings = shown(home, code=3, OPENAI_BASE_URL="http://x.example", **env)
    expect("insecure_http" in report["unusable"] and settings["key"]["value"] is None, report)
    expect(any("not usable:" in line for line in home.lines("config", code=3, OPENAI_BASE_URL="http://localhost:1")), "no model")


@test("a cost that cannot be counted is no limit: nothing runs")
def _(home):
    report, _ = shown(home, "--model", "ollama/m", "--max-cost", "1", code=3)
    expect("no price is known" in report["unusable"], report)
    ran = home.belay("run", "-p", "--model", "ollama/m", "--max-cost", "1", "go")
    expect(ran.code == 2 and b"no price is" in ran.err, ran)


@test("a key is enough: its provider's model is shown, and whose it is")
def _(home):
    report, settings = shown(home, OPENAI_API_KEY="sk-1", ANTHROPIC_API_KEY="sk-2")
    same((report["demo"], report["unusable"]), (False, None))
    same(settings["model"], {"name": "model", "value": "claude-sonnet-4-5",
                             "source": {"level": "default", "name": "ANTHROPIC_API_KEY", "line": None}})
    same((settings["key"]["value"], settings["key"]["source"]["name"]), ("set", "ANTHROPIC_API_KEY"))
    lines = home.lines("config", OPENAI_API_KEY="sk-1")
    expect("key                        set (from OPENAI_API_KEY)     OPENAI_API_KEY" in lines, lines)
    expect("model                      gpt-5                         by OPENAI_API_KEY" in lines, lines)


@test("a rule that belay run would refuse is reported")
def _(home):
    home.put_config("[permissions]\nallow = ['Bash(ls)']\n")
    ran = home.belay("config")
    expect(ran.code == 3 and b"not usable:" in ran.out and b"would do nothing" in ran.out, ran)
    expect("execute_command" in json.loads(home.belay("config", "--json").out)["unusable"], ran)
    home.put_config("[permissions]\nallow = ['bash(ls)', 'server__tool', '*(**/.env)']\n")
    same(home.belay("config").code, 0)


@test("prices of cached tokens that are not set are those of the input, as they are charged")
def _(home):
    home.put_config('[models."m"]\nwire = "openai-chat"\nbase_url = "http://127.0.0.1:9/v1"\nprice.input = 3\n'
                    'price.output = 15\nprice.cache_write = 4\n')
    settings = {s["name"]: s for s in json.loads(home.belay("config", "--json", "--model", "m").out)["settings"]}
    same([settings["price." + name]["value"] for name in ("input", "cached", "cache_write")], [3, 3, 4])
    same(settings["price.cached"]["source"], {"level": "default", "name": "price.input", "line": None})


@test("doctor says whether tasks can be kept, and makes nothing")
def _(home):
    def store(**env):
        return json.loads(home.belay("doctor", "--offline", "--json", **env).out)["store"][0]
    same((store()["well"], os.listdir(home.folder)), (None, []), "it can be made")
    open(os.path.join(home.folder, "file"), "w").close()
    for path in ["/file", "/file/deep/down"]:
        found = store(BELAY_HOME=home.folder + path)
        expect(found["well"] is False and home.folder + "/file" in found["what"] and "BELAY_HOME" in found["remedy"], found)
    os.mkdir(os.path.join(home.folder, "open"))
    os.chmod(os.path.join(home.folder, "open"), 0o777)
    expect("chmod go-w" in store(BELAY_HOME=home.folder + "/open")["what"], "others can change it")
    os.mkdir(os.path.join(home.folder, "shut"), 0o500)
    if os.geteuid() != 0:  # root writes everywhere
        for path in ["/shut", "/shut/below"]:
            found = store(BELAY_HOME=home.folder + path)
            expect(found["well"] is False and "cannot be written" in found["what"], found)
    same(sorted(os.listdir(home.folder)), ["file", "open", "shut"])


@test("doctor says which key is missing")
def _(home):
    ran = home.belay("doctor", "--offline", "--json", "--model", "claude-x")
    found = json.loads(ran.out)["model"][0]
    expect(found["well"] is False and "set ANTHROPIC_API_KEY" in found["what"], found)
    ran = home.belay("run", "-p", "--model", "claude-x", "hi")
    expect(ran.code == 2 and b"ANTHROPIC_API_KEY" in ran.err, ran)


@test("a bad file is exit 2, with its place and what was meant")
def _(home):
    home.put_config("model = 'x'\nmax_turn = 3\n")
    ran = home.belay("config")
    same((ran.code, ran.out), (2, b""), ran)
    same(ran.err.decode(), f"belay config: {home.config}:2:1: no key 'max_turn'; did you mean max_turns?\n")
    home.put_config("max_turns = \x1b\n")
    expect(b"\x1b" not in home.belay("config").err, "nothing steers the terminal")
    home.put_config("max_turns = 3\n", 0o666)
    ran = home.belay("config")
    expect(ran.code == 2 and b"chmod go-w" in ran.err, ran)
    home.put_config("key = 'sk'\nwire='gemini'\n", 0o644)
    expect(b"chmod 600" in home.belay("config").err, "a key that others can read")


@test("a wrong command line is told what was meant")
def _(home):
    for args, words in [(["--jsn"], b"did you mean --json?"), (["x"], b"takes no 'x'"), (["--model"], b"needs a value"),
                        (["--json=1"], b"takes no value"), (["--wire", "telex"], b"--wire: expected openai-chat"),
                        (["--profile", "p"], b"[profiles.p]"), (["--color", "pink"], b"--color: expected"),
                        (["--colour", "pink"], b"--colour: expected"), (["--theme", "dark"], b"no option '--theme'")]:
        ran = home.belay("config", *args)
        expect(ran.code == 2 and words in ran.err and ran.out == b"", ran)


@test("the manual names every key and every flag, in 80 columns")
def _(home):
    manual = "\n".join(home.lines("config", "--help"))
    _, settings = shown(home, "--model", "m", "--base-url", "http://localhost")
    for name in settings:
        expect(name.split(".")[-1] in manual, name)
    same(home.belay("help", "config").out.decode(), manual + "\n")


@test("wide values keep to 80 columns")
def _(home):
    url = "https://models.example/" + "a/long/path" * 12
    text = "".join(line.strip() for line in home.lines("config", "--model", "m" * 200, "--base-url", url))
    expect("m" * 200 in text and url.rstrip("/") in text, text)


if __name__ == "__main__":
    sys.exit(main())
