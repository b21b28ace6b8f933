// Permissions: modes, and rules by tool and pattern.
#include <belay/policy.h>

#include "policy/rule_match.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace belay::policy {
namespace {

using tool::Effect;

// A name that says nothing in the workspace can be a key's in another folder.
TEST(Permission, TheFolderThatACommandStartsInCounts) {
  tool::Spec run;
  run.name = "execute_command";
  run.effect = Effect::execute;
  Permissions p;
  p.workspace = "/ws";
  auto decide = [&](std::string_view command, std::string_view cwd) {
    json::Reading r = json::read(R"({"command":")" + std::string(command) + R"(","cwd":")" + std::string(cwd) + "\"}");
    return permit(p, run, r.document.root()).decision;
  };
  for (std::string_view here : {"", ".", "./", "/ws", "/ws/", "/ws/."})
    EXPECT_EQ(decide("cat config", here), Decision::allow) << here;
  for (std::string_view inside : {"sub", "/ws/sub", "./sub/x", "~"}) {
    EXPECT_EQ(decide("cat config", inside), Decision::sandbox) << inside;
    EXPECT_EQ(decide("git status", inside), Decision::ask) << inside;  // by the configuration that lies there
  }
  for (std::string_view other : {".git", "sub/.GIT/hooks", ".ssh", ".aws", "..", "sub/..", "/", "/etc", ".belay"})
    EXPECT_EQ(decide("cat config", other), Decision::ask) << other;
  EXPECT_EQ(decide("ls", "a\\u0000b"), Decision::deny);
  EXPECT_EQ(decide("ls", "a\\u202eb"), Decision::ask);
  p.rules = {*rule_from(Decision::allow, "execute_command(make test)")};
  EXPECT_EQ(decide("make test", "."), Decision::allow);
  EXPECT_EQ(decide("make test", "sub"), Decision::ask);
  p.rules = {*rule_from(Decision::allow, "execute_command"), *rule_from(Decision::deny, "execute_command(rm:*)")};
  EXPECT_EQ(decide("make test", "sub"), Decision::allow);
  EXPECT_EQ(decide("rm x", "sub"), Decision::deny);
}

// Everywhere else commands see no home.
TEST(Permission, InTheHomeDirectoryCommandsAreAskedAbout) {
  tool::Spec run;
  run.name = "execute_command";
  run.effect = Effect::execute;
  Permissions p;
  p.workspace = "/home/me";
  p.home = true;
  auto decide = [&](std::string_view command) {
    json::Reading r = json::read(R"({"command":")" + std::string(command) + "\"}");
    return permit(p, run, r.document.root());
  };
  for (const char* command : {"ls", "grep -r KEY .", "git status"}) {
    EXPECT_EQ(decide(command).decision, Decision::ask) << command;
    EXPECT_EQ(decide(command).reason, kInHome) << command;
  }
  EXPECT_EQ(decide("rm x").reason, "rm removes files");
  p.mode = Mode::plan;
  EXPECT_EQ(decide("ls").decision, Decision::deny);
  p.mode = Mode::dont_ask;
  EXPECT_EQ(decide("ls").decision, Decision::deny);
  p.mode = Mode::bypass;
  EXPECT_EQ(decide("ls").decision, Decision::allow);
  p.mode = Mode::ask;
  p.rules = {*rule_from(Decision::allow, "execute_command(ls:*)")};
  EXPECT_EQ(decide("ls").decision, Decision::allow);
  p.home = false;
  p.rules = {};
  EXPECT_EQ(decide("ls").decision, Decision::allow);
}

TEST(Permission, OfJoinedCommandsTheOneThatNoRuleAllowsIsNamed) {
  tool::Spec run;
  run.name = "execute_command";
  run.effect = Effect::execute;
  Permissions p;
  p.workspace = "/ws";
  auto reason = [&](std::string_view command) {
    json::Reading r = json::read(R"({"command":")" + std::string(command) + "\"}");
    const Permit permit = belay::policy::permit(p, run, r.document.root());
    EXPECT_EQ(permit.decision, Decision::ask) << command;
    return permit.reason;
  };
  EXPECT_EQ(reason("make x && rm -rf y"), "make runs what the project's files say");
  p.rules = {*rule_from(Decision::allow, "execute_command(make:*)")};
  EXPECT_EQ(reason("make x && rm -rf y"), "rm removes files");
  EXPECT_EQ(reason("rm -rf y; make x | ls"), "rm removes files");
  EXPECT_EQ(reason("ls && curl x && make y && rm z"), "curl reaches the network");
  EXPECT_EQ(reason("make x && make y"),
            "the rule for make:* is for that command alone, and not for several that are joined");
  EXPECT_EQ(reason("rm y && npm x"), "rm removes files");
  // What cannot be taken apart with certainty keeps the reason that it has as a whole.
  EXPECT_EQ(reason("make x && rm 'a b'"), "make runs what the project's files say");
}

TEST(Permission, ARuleForAServerIsForAllItsToolsAndForNoOthers) {
  tool::Spec spec;
  spec.effect = Effect::execute;
  const json::Reading none = json::read("{}");
  auto decide = [&](std::string name, Decision decision, std::string_view rule) {
    spec.name = std::move(name);
    return permit({.rules = {*rule_from(decision, rule)}}, spec, none.document.root()).decision;
  };
  EXPECT_EQ(decide("every__echo", Decision::allow, "every__*"), Decision::allow);
  EXPECT_EQ(decide("every__a__b", Decision::allow, "every__*"), Decision::allow);
  EXPECT_EQ(decide("every__echo", Decision::deny, "every__*"), Decision::deny);
  for (std::string_view other : {"ever__*", "every_*", "*__*", "__*", "e*__*", "every__e*", "every__echo__*", "every"})
    EXPECT_EQ(decide("every__echo", Decision::allow, other), Decision::ask) << other;
  EXPECT_EQ(decide("every__a__b", Decision::allow, "every__a__*"), Decision::ask);
  EXPECT_EQ(decide("execute_command", Decision::allow, "every__*"), Decision::ask);
  spec.name = "every__echo";
  EXPECT_EQ(permit({}, spec, none.document.root()).reason,
            "it is a tool of the server every, which runs outside of the sandbox");
  spec.name = "other";
  EXPECT_EQ(permit({}, spec, none.document.root()).reason, "it runs a program");
}

// What nobody can see is asked about, whatever a rule with a star says.
TEST(Permission, ARuleIsNotFooledByCharactersThatNobodySees) {
  tool::Spec run, write;
  run.name = "execute_command";
  run.effect = Effect::execute;
  write.name = "write_to_file";
  write.effect = Effect::write;
  Permissions p;
  p.rules = {*rule_from(Decision::allow, "execute_command(make test:*)"),
             *rule_from(Decision::allow, "execute_command(./say *)"),
             *rule_from(Decision::allow, "write_to_file(src/**)")};
  auto decide = [&](const tool::Spec& spec, std::string_view key, std::string_view text) {
    json::Reading r = json::read(R"({")" + std::string(key) + R"(":")" + std::string(text) + "\"}");
    return permit(p, spec, r.document.root()).decision;
  };
  EXPECT_EQ(decide(run, "command", "make test a"), Decision::allow);
  EXPECT_EQ(decide(run, "command", "./say hello"), Decision::allow);
  EXPECT_EQ(decide(write, "path", "src/a.txt"), Decision::allow);
  for (std::string_view hides : {"\\u3164", "\\u115f", "\\u1160", "\\uffa0", "\\u2800", "\\u034f", "\\u17b4", "\\u17b5",
                                 "\\ud834\\udd73", "\\ud834\\udd7a", "\\ufe00", "\\ufe0f", "\\udb40\\udd00",
                                 "\\udb40\\uddef", "\\udb40\\udc41", "\\u200b", "\\u200d", "\\u202e"}) {
    EXPECT_EQ(decide(run, "command", "make test a" + std::string(hides)), Decision::ask) << hides;
    EXPECT_EQ(decide(run, "command", "./say " + std::string(hides)), Decision::ask) << hides;
    EXPECT_EQ(decide(write, "path", "src/a" + std::string(hides)), Decision::ask) << hides;
  }
  p.mode = Mode::accept_edits;
  EXPECT_EQ(decide(write, "path", "src/a\\u3164"), Decision::ask);
  p.mode = Mode::dont_ask;
  EXPECT_EQ(decide(write, "path", "src/a\\u3164"), Decision::deny);
}

TEST(Permission, ModesAndRules) {
  auto spec = [](std::string name, Effect effect) {
    tool::Spec s;
    s.name = std::move(name);
    s.effect = effect;
    return s;
  };
  const tool::Spec write = spec("write_to_file", Effect::write), run = spec("execute_command", Effect::execute),
                   look = spec("read_file", Effect::read);
  auto decide = [](const Permissions& p, const tool::Spec& s, std::string_view arguments) {
    json::Reading r = json::read(arguments);
    return permit(p, s, r.document.root()).decision;
  };
  Permissions p;
  EXPECT_EQ(decide(p, look, R"({"path":"a"})"), Decision::allow);
  EXPECT_EQ(decide(p, write, R"({"path":"a"})"), Decision::ask);
  EXPECT_EQ(decide(p, run, R"({"command":"ls"})"), Decision::allow);
  EXPECT_EQ(decide(p, run, R"({"command":"touch x"})"), Decision::ask);
  EXPECT_EQ(decide(p, run, R"({"command":"git status"})"), Decision::sandbox);
  p.mode = Mode::accept_edits;
  EXPECT_EQ(decide(p, write, R"({"path":"a"})"), Decision::allow);
  EXPECT_EQ(decide(p, write, R"({"path":".vscode/tasks.json"})"), Decision::ask);
  EXPECT_EQ(decide(p, write, R"({"path":"x/.MCP.json"})"), Decision::ask);
  p.mode = Mode::plan;
  EXPECT_EQ(decide(p, write, R"({"path":"a"})"), Decision::deny);
  EXPECT_EQ(decide(p, run, R"({"command":"touch x"})"), Decision::deny);
  EXPECT_EQ(decide(p, run, R"({"command":"ls"})"), Decision::allow);
  p.mode = Mode::dont_ask;
  EXPECT_EQ(decide(p, write, R"({"path":"a"})"), Decision::deny);
  p.mode = Mode::bypass;
  EXPECT_EQ(decide(p, run, R"({"command":"touch x"})"), Decision::allow);
  p.rules = {*rule_from(Decision::deny, "execute_command(rm:*)")};
  EXPECT_EQ(decide(p, run, R"({"command":"rm -rf x"})"), Decision::deny);
  p = {};
  p.rules = {*rule_from(Decision::allow, "execute_command(npm test:*)"),
             *rule_from(Decision::allow, "write_to_file(src/**)"),
             *rule_from(Decision::ask, "write_to_file(src/secret*)")};
  EXPECT_EQ(decide(p, run, R"({"command":"npm test --watch"})"), Decision::allow);
  EXPECT_EQ(decide(p, run, R"({"command":"npm test; touch x"})"), Decision::ask);
  EXPECT_EQ(decide(p, run, R"({"command":"npm testing"})"), Decision::ask);
  EXPECT_EQ(decide(p, write, R"({"path":"src/a/b.cpp"})"), Decision::allow);
  EXPECT_EQ(decide(p, write, R"({"path":"src/secret.cpp"})"), Decision::ask);
  EXPECT_EQ(decide(p, write, R"({"path":"other"})"), Decision::ask);
  EXPECT_FALSE(rule_from(Decision::allow, "tool(never closed"));
}

TEST(Permission, ARuleThatAllowsAPathDoesNotAllowOneThatLeavesIt) {
  tool::Spec write;
  write.name = "write_to_file";
  write.effect = Effect::write;
  Permissions p;
  p.rules = {*rule_from(Decision::allow, "write_to_file(src/**)")};
  for (std::string_view path : {"src/../.bashrc", "src/a/../../b", "src/./../x"}) {
    json::Reading r = json::read(R"({"path":")" + std::string(path) + "\"}");
    EXPECT_EQ(permit(p, write, r.document.root()).decision, Decision::ask) << path;
  }
}

tool::Spec spec_of(std::string name, Effect effect) {
  tool::Spec spec;
  spec.name = std::move(name);
  spec.effect = effect;
  return spec;
}

Decision decide(const Permissions& permissions, const tool::Spec& spec, std::string_view key, std::string_view about) {
  std::string arguments = "{\"" + std::string(key) + "\":";
  json::write_string(about, arguments);
  json::Reading r = json::read(arguments + "}");
  return permit(permissions, spec, r.document.root()).decision;
}

TEST(Permission, StarsStopAtSlashesAndDoubleStarsDoNot) {
  struct Row {
    std::string_view pattern, text;
    bool matches;
  };
  for (const Row& row : {
           Row{"a", "a", true},
           Row{"a", "b", false},
           Row{"", "", true},
           Row{"*", "", true},
           Row{"*", "a/b", false},
           Row{"**", "a/b", true},
           Row{"src/*", "src/a", true},
           Row{"src/*", "src/a/b", false},
           Row{"src/**", "src/a/b", true},
           Row{"**/*.key", "a/b/c.key", true},
           Row{"**/*.key", "a/b/c.txt", false},
           Row{"**/a*b", "x/ay/acb", true},
           Row{"*/x/*", "a/x/b", true},
           Row{"*/x/*", "a/b/x/c", false},
           Row{"**.pem", "deep/er/k.pem", true},
           Row{"a*c", "abbbc", true},
           Row{"a*c", "ab/bc", false},
           Row{"**a**b", "/a/b/a/c/b", true},
       })
    EXPECT_EQ(glob(row.pattern, row.text), row.matches) << row.pattern << " on " << row.text;
  // Many stars are no way to spend time.
  std::string stars;
  for (int i = 0; i < 50; ++i) stars += "**a";
  EXPECT_FALSE(glob(stars + "b", std::string(4000, 'a')));
}

TEST(Permission, PathsAreComparedByWhatTheyMean) {
  EXPECT_EQ(plain_path("./src//a/../b.cpp", ""), "src/b.cpp");
  EXPECT_EQ(plain_path("/w/src/b.cpp", "/w"), "src/b.cpp");
  EXPECT_EQ(plain_path("/w/../etc/x", "/w"), "/etc/x");
  EXPECT_EQ(plain_path("/w", "/w/"), ".");
  EXPECT_EQ(plain_path("/w-evil/x", "/w"), "/w-evil/x");
  EXPECT_EQ(plain_path("../../x", ""), "../../x");
  EXPECT_EQ(plain_path("a/..", ""), ".");
  const tool::Spec look = spec_of("read_file", Effect::read);
  Permissions p;
  p.workspace = "/w";
  p.rules = {*rule_from(Decision::deny, "read_file(secrets/**)")};
  for (std::string_view path :
       {"secrets/a", "./secrets/a", "secrets//a", "x/../secrets/a", "/w/secrets/a", "/w/./secrets/b/c"})
    EXPECT_EQ(decide(p, look, "path", path), Decision::deny) << path;
  EXPECT_EQ(decide(p, look, "path", "public/a"), Decision::allow);
}

TEST(Permission, FilesOfKeysAreReadUnlessARuleDeniesIt) {
  tool::Spec look;
  look.name = "read_file";
  look.effect = Effect::read;
  Permissions p;
  auto decide = [&](std::string_view path) {
    json::Reading r = json::read("{\"path\":\"" + std::string(path) + "\"}");
    return permit(p, look, r.document.root()).decision;
  };
  for (std::string_view path : {".env", "id_rsa", "sub/server.key"}) EXPECT_EQ(decide(path), Decision::allow) << path;
  // The rules of docs/safety.md.
  for (const char* text : {"read_file(.env*)", "read_file(**/.env*)", "read_file(**id_rsa*)", "read_file(**.key)"})
    p.rules.push_back(*rule_from(Decision::deny, text));
  for (Mode mode : {Mode::ask, Mode::bypass}) {
    p.mode = mode;
    for (std::string_view path :
         {".env", ".env.local", "a/b/.env", "./.env", "id_rsa", "a/id_rsa.bak", "x.key", "sub/server.key"})
      EXPECT_EQ(decide(path), Decision::deny) << path;
    EXPECT_EQ(decide("env.txt"), Decision::allow);
  }
}

TEST(Permission, ADenyRuleSeesEveryCommandInAList) {
  const tool::Spec run = spec_of("execute_command", Effect::execute);
  Permissions p;
  p.mode = Mode::bypass;
  p.rules = {*rule_from(Decision::deny, "execute_command(rm:*)"),
             *rule_from(Decision::deny, "execute_command(git push*)")};
  for (std::string_view command : {"rm x",
                                   "rm  -rf   x",
                                   "/bin/rm x",
                                   "true; rm x",
                                   "true && rm x | cat",
                                   "sudo rm x",
                                   "env A=1 rm x",
                                   "A=1 rm x",
                                   "xargs rm",
                                   "sh -c 'rm x'",
                                   "(rm x)",
                                   "'rm' x",
                                   "r\\m x",
                                   "git push",
                                   "cd a && git push origin",
                                   "sh -c 'ls; rm x'",
                                   "bash -x -c 'true && /bin/rm x'",
                                   "awk 'BEGIN{system(\"rm x\")}'",
                                   "sed '1e rm x' a",
                                   "tar --to-command='rm x' -xf a",
                                   "git submodule foreach 'ls && rm x'",
                                   "git -c alias.y='!rm x' y",
                                   "alias ls=rm",
                                   "python3 -c 'import os; os.system(\"rm x\")'",
                                   "su -c 'cd a; rm x'",
                                   "find . -exec sh -c 'rm x' ';'"})
    EXPECT_EQ(decide(p, run, "command", command), Decision::deny) << command;
  for (std::string_view command :
       {"git commit -m 'do not rm x'", "echo 'a rm b'", "sh -c 'ls rm-old form.rm'", "sh -c warm"})
    EXPECT_EQ(decide(p, run, "command", command), Decision::allow) << command;
  // What cannot be read cannot be cleared of it, not even where everything else is bypassed.
  for (std::string_view command : {"$(echo rm) x", "x=rm; $x y", "for f in a; do rm $f; done"})
    EXPECT_NE(decide(p, run, "command", command), Decision::allow) << command;
  EXPECT_EQ(decide(p, run, "command", "touch x"), Decision::allow);
  EXPECT_EQ(decide(p, run, "command", "git pull"), Decision::allow);
}

// A rule against a program holds where the program's name, or what a shell reads, is known only when it runs.
TEST(Permission, WhatACommandMayBecomeIsAskedAboutWhereARuleIsAgainstIt) {
  const tool::Spec run = spec_of("execute_command", Effect::execute);
  const std::string_view hidden[] = {"/bin/r? x",
                                     "/bin/[r]m x",
                                     "/bin/*m x",
                                     "A=1 /bin/r? x",
                                     "{/bin/rm,x}",
                                     "/bin/s? -c 'echo x'",
                                     "sudo /bin/r? x",
                                     "nice /bin/r? x",
                                     "nice /bin/s? x",
                                     "find . -exec /bin/r? x ';'",
                                     "sh -c '/bin/r? x'",
                                     "sh -c \"sh -c 'r? x'\"",
                                     "eval /bin/r? x",
                                     "sh -c 'x=r; ${x}m y'",
                                     "sh <<< 'r\\m x'",
                                     "sh <<EOF\nr\\m x\nEOF",
                                     "cat <<EOF | sh\nr\\m x\nEOF",
                                     "echo cm0geAo= | base64 -d | sh",
                                     "echo cm0geAo= | base64 -d | sudo -n bash -s",
                                     "sh -c 'echo cm0geAo= | base64 -d | sh'",
                                     "sh -c sh <<< x",
                                     "{ sh; } <<< x",
                                     "(cd a && bash) < x",
                                     "bash -o posix <<< x",
                                     "nice sh < x",
                                     "busybox sh < x",
                                     "sh <> x",
                                     "sh <&3",
                                     "bash /dev/stdin < x",
                                     "bash /dev/fd/3 3<<EOF\nx\nEOF",
                                     ". /dev/stdin < x",
                                     "python3 < x",
                                     "python3.11 - < x",
                                     "echo x | perl",
                                     "make -f - <<EOF\nx:\nEOF",
                                     "make --file=- <<EOF\nx:\nEOF",
                                     "make -f /dev/stdin < x",
                                     "echo a x | xargs env",
                                     "echo a x | xargs -I{} {} x",
                                     "echo x | at now",
                                     "echo x | parallel"};
  for (std::string_view rule : {"execute_command(rm:*)", "execute_command(rm *)"})
    for (Decision decision : {Decision::deny, Decision::ask})
      for (std::string_view command : hidden) {
        Permissions p;
        p.mode = Mode::bypass;
        p.rules = {*rule_from(Decision::allow, "execute_command"), *rule_from(decision, rule)};
        EXPECT_EQ(decide(p, run, "command", command), Decision::ask) << rule << " and " << command;
        p.mode = Mode::dont_ask;
        EXPECT_EQ(decide(p, run, "command", command), Decision::deny) << rule << " and " << command;
        p.rules.pop_back();
        EXPECT_EQ(decide(p, run, "command", command), Decision::allow) << command;
      }
  Permissions p;
  p.mode = Mode::bypass;
  p.rules = {*rule_from(Decision::deny, "execute_command(git push:*)")};
  for (std::string_view command : {"git pus? x", "git {push,x}", "git * x", "/bin/gi? push", "sudo git p* x"})
    EXPECT_EQ(decide(p, run, "command", command), Decision::ask) << command;
  EXPECT_EQ(decide(p, run, "command", "git add *"), Decision::allow);
  p.rules = {*rule_from(Decision::deny, "execute_command(rm *)")};
  for (std::string_view command : {"rm x", "A=1 rm x", "sudo rm x", "sh -c 'rm x'"})
    EXPECT_EQ(decide(p, run, "command", command), Decision::deny) << command;
}

TEST(Permission, ARuleAgainstOneProgramLeavesTheOthersAlone) {
  const tool::Spec run = spec_of("execute_command", Effect::execute);
  for (std::string_view rule : {"execute_command(rm:*)", "execute_command(rm *)"}) {
    Permissions p;
    p.mode = Mode::bypass;
    p.rules = {*rule_from(Decision::deny, rule)};
    for (std::string_view command : {"ls *",
                                     "ls *.txt",
                                     "cp * d",
                                     "git add *",
                                     "sed -i s/a/b/ *.txt",
                                     "env A=1 ls *.c",
                                     "mv {a,b} d",
                                     "cat a | grep python",
                                     "cat a | grep -c sh",
                                     "grep x < a",
                                     "cat <<EOF\nx\nEOF",
                                     "python3 a.py < b",
                                     "echo x | python3 a.py",
                                     "cat a.json | python3 -m json.tool",
                                     "cat a | python3 -c 'print(1)'",
                                     "cat a | perl -ne 'print'",
                                     "find . | xargs grep x",
                                     "find . | xargs -I{} cp {} d",
                                     "sh build.sh",
                                     "sh -c 'ls; cat x'",
                                     "make test",
                                     "tar xf a.tar",
                                     "ls ~/x",
                                     "[ -f a ] && cat a"})
      EXPECT_EQ(decide(p, run, "command", command), Decision::allow) << rule << " and " << command;
  }
}

TEST(Permission, APlanThatMustBeAskedAboutIsNeverJustAllowed) {
  auto made = tool::Tool::make(spec_of("put", Effect::write), {});
  ASSERT_TRUE(made);
  Plan plan;
  plan.tool = &*made;
  plan.doubt = "it was read by guessing";
  plan.runs.emplace_back();
  json::Reading r = json::read(R"({"path":"a"})");
  plan.runs[0].arguments = std::move(r.document);
  Permissions p;
  for (Mode mode : {Mode::ask, Mode::accept_edits, Mode::bypass}) {
    p.mode = mode;
    EXPECT_EQ(clear(p, plan, 0).decision, Decision::ask) << name(mode);
  }
  p.mode = Mode::plan;
  EXPECT_EQ(clear(p, plan, 0).decision, Decision::deny);
  p.mode = Mode::dont_ask;
  EXPECT_EQ(clear(p, plan, 0).decision, Decision::deny);
  plan.doubt.clear();
  p.mode = Mode::accept_edits;
  EXPECT_EQ(clear(p, plan, 0).decision, Decision::allow);
}

TEST(Permission, WhatIsConfinedStaysSoWhenItMustBeAskedAbout) {
  auto made = tool::Tool::make(spec_of("execute_command", Effect::execute), {});
  ASSERT_TRUE(made);
  policy::Run run;
  json::Reading r = json::read(R"({"command":"make --version"})");
  run.arguments = std::move(r.document);
  Permissions p;
  p.workspace = "/work/place";
  ASSERT_EQ(permit(p, made->spec(), run.arguments.root()).decision, Decision::sandbox);
  const Clearance sure = clear(p, made->spec(), run, "");
  EXPECT_EQ(sure.decision, Decision::allow);
  EXPECT_TRUE(sure.confined);
  const Clearance doubtful = clear(p, made->spec(), run, "it was read by guessing");
  EXPECT_EQ(doubtful.decision, Decision::ask);
  EXPECT_TRUE(doubtful.confined) << "to be asked about is one more condition, not one less";
  EXPECT_FALSE(doubtful.rule_helps);
}

}  // namespace
}  // namespace belay::policy
