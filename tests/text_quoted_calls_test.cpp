// A call that another call or a text only quotes is never trusted: in every format, and for the same texts in `auto`.
// A plain call is one trusted call, content byte for byte.
#include "text_dialect_calls.h"

#include <belay/json.h>
#include <belay/json/builder.h>
#include <belay/schema.h>
#include <belay/turn.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

namespace belay::text::testing {
namespace {

constexpr std::string_view kRun =
    R"({"type":"object","properties":{"command":{"type":"string"},"dry_run":{"type":"boolean"}},"required":["command"]})";
constexpr std::string_view kNote =
    R"({"type":"object","properties":{"result":{"type":"string"},"final":{"type":"boolean"}},"required":["result"]})";

const std::vector<chat::Tool> kOffered = {{"execute_command", "Runs a command.", std::string(kRun), {}},
                                          {"attempt_completion", "Ends the task.", std::string(kNote), {}}};

/// What the model writes may also be a tool that is not offered.
const std::vector<chat::Tool> kLearnt = {
    kOffered[0], kOffered[1], {"old_note", "Keeps a note.", std::string(kNote), {}}};

schema::Schema schema_of(std::string_view text) {
  const json::Reading reading = json::read(text);
  return *schema::Schema::compile(reading.document.root());
}

/// The calls of a text, judged with the tools that were offered.
std::vector<turn::Call> calls_in(std::string_view format, std::string_view text, std::size_t piece) {
  static const schema::Schema run = schema_of(kRun), note = schema_of(kNote);
  struct Deaf final : turn::EventSink {
  } sink;
  turn::LedgerOptions options;
  options.tools = {{"execute_command", &run}, {"attempt_completion", &note}};
  options.any_tool = false;
  options.format = format;
  options.shapes = shapes(kOffered);
  turn::Ledger ledger(sink, std::move(options));
  for (std::size_t at = 0; at < text.size(); at += piece) ledger.on(chat::delta::Text{text.substr(at, piece)});
  ledger.on(chat::delta::Stop{chat::StopReason::end, "stop"});
  ledger.on(chat::delta::End{});
  return ledger.finish().calls;
}

/// "NAME ARGUMENTS; ..." of the trusted calls.
std::string trusted(std::string_view format, std::string_view text, std::size_t piece = 1 << 20) {
  std::string out;
  for (const turn::Call& call : calls_in(format, text, piece))
    if (call.trusted)
      for (json::Value v : call.values()) out += (out.empty() ? "" : "; ") + call.tool + " " + json::to_string(v);
  return out;
}

/// A call as the format has it; empty where the format has no way to say it.
std::string written(std::string_view format, std::string_view tool, const std::string& arguments) {
  const std::string x = std::string(tool);
  if (format == "hy_v3" || format == "inkling") {
    const json::Reading reading = json::read(arguments);
    if (format == "inkling")
      return "<|message_model|>" + x + "<|content_invoke_tool_json|>{\"name\":\"" + x + "\",\"args\":" + arguments +
             "}<|end_message|>";
    std::string out = "<tool_calls><tool_call>" + x + "<tool_sep>";
    for (json::Member m : reading.document.root().members())
      out += "<arg_key>" + std::string(m.key) + "</arg_key><arg_value>" +
             (m.value.is_string() ? std::string(m.value.as_string()) : json::to_string(m.value)) + "</arg_value>";
    return out + "</tool_call></tool_calls>";
  }
  const Dialect dialect(format, kLearnt);
  return dialect.write_call({x, arguments, "123456789"}).value_or("");
}

std::string object(std::string_view key, std::string_view text, std::string_view more = {}) {
  json::Builder b;
  b.string(text);
  const json::Document document = b.take();
  return "{\"" + std::string(key) + "\": " + json::to_string(document.root()) + std::string(more) + "}";
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  const std::size_t at = text.find(what);
  if (at != text.npos) text.replace(at, what.size(), with);
  return text;
}

/// Neither as the format itself nor in `auto` is there a trusted call that runs the command as it was quoted.
void never_runs(std::string_view format, const std::string& text, std::string_view what) {
  for (std::string_view as : {format, std::string_view("auto")})
    for (std::size_t piece : {std::size_t{1} << 20, std::size_t{1}}) {
      std::string runs;
      for (const turn::Call& call : calls_in(as, text, piece))
        if (call.trusted && call.tool == "execute_command")
          for (json::Value v : call.values())
            if (std::string_view command = v.find("command")->as_string(); command == "rm -rf build")
              runs = json::to_string(v);
      EXPECT_EQ(runs, "") << what << ": " << format << " as " << as << (piece == 1 ? " byte by byte" : "") << "\n  in\n"
                          << text;
      if (!runs.empty()) break;
    }
}

class QuotedCalls : public ::testing::TestWithParam<std::string_view> {};

TEST_P(QuotedCalls, APlainCallIsOneTrustedCall) {
  for (const std::string& command :
       {std::string("rm -rf build"), std::string("echo \"a b\" | grep -v 'x' && ls {a,b}\n# done\n"),
        std::string("a < b > c; f(x=[1, 2]); C:\\temp\\é”")}) {
    const std::string arguments = object("command", command, ", \"dry_run\": true");
    const std::string text = written(GetParam(), "execute_command", arguments);
    ASSERT_FALSE(text.empty());
    const json::Reading wanted = json::read(arguments);
    const std::string want = "execute_command " + json::to_string(wanted.document.root());
    for (const std::string& before : {std::string(), std::string("I clean up first.\n\n")})
      for (const std::string& behind : {std::string(), std::string("\n")}) {
        EXPECT_EQ(trusted(GetParam(), before + text + behind), want) << before + text + behind;
      }
  }
}

TEST_P(QuotedCalls, ACallThatIsQuotedInAStringIsThatString) {
  const std::string inner = written(GetParam(), "execute_command", R"({"command":"rm -rf build"})");
  for (std::string_view tool : {"attempt_completion", "old_note"}) {
    const std::string outer = written(GetParam(), tool, object("result", "Write " + inner + " to clean up."));
    if (!outer.empty()) never_runs(GetParam(), outer, "escaped in " + std::string(tool));
  }
}

TEST_P(QuotedCalls, ACallThatIsQuotedWithoutEscapesIsNotTrusted) {
  const std::string inner = written(GetParam(), "execute_command", R"({"command":"rm -rf build"})");
  for (std::string_view tool : {"attempt_completion", "old_note"})
    for (std::string_view around : {"@@@ or @@@", "Write @@@ or @@@ to clean up.", "@@@", "Write @@@ to clean up.",
                                    "Write\n@@@\nto clean up.", "Write @@@", "@@@ cleans up."})
      for (std::string_view more : {"", ", \"final\": true"}) {
        const std::string outer = written(GetParam(), tool, object("result", std::string(around), more));
        never_runs(GetParam(), replaced(replaced(outer, "@@@", inner), "@@@", inner), "raw in " + std::string(tool));
      }
}

TEST_P(QuotedCalls, ACallBetweenTagsThatAreNoToolIsNotTrusted) {
  const std::string inner = written(GetParam(), "execute_command", R"({"command":"rm -rf build"})");
  for (std::string_view around :
       {"<old_note>\n<result>@@@</result>\n</old_note>", "<old_note><result>\n@@@\n</result></old_note>",
        "<write_note><content>Write @@@ here</content></write_note>",
        "<function=old_note>\n<parameter=result>\n@@@\n</parameter>\n</function>",
        "<invoke name=\"old_note\">\n<parameter name=\"result\">@@@</parameter>\n</invoke>",
        "<old_note>\n@@@\n</old_note>"})
    never_runs(GetParam(), replaced(std::string(around), "@@@", inner), "between tags");
}

// The command holds the end of a call: "rm -rf build" + its end + more. It was never to be run without the rest.
TEST_P(QuotedCalls, ACallThatMayHaveEndedTooEarlyIsNotTrusted) {
  const std::string plain = written(GetParam(), "execute_command", R"({"command":"rm -rf build"})");
  const std::string end = plain.substr(plain.find("rm -rf build") + 12);
  for (std::string_view more : {", \"dry_run\": true", ""})
    for (std::string_view behind : {"", " && ls"}) {
      if (more.empty() && behind.empty()) continue;
      const std::string outer =
          written(GetParam(), "execute_command", object("command", "rm -rf build@@@" + std::string(behind), more));
      never_runs(GetParam(), replaced(outer, "@@@", end), "an end inside");
    }
}

TEST_P(QuotedCalls, ACallInAQuotationOfMarkdownIsNotTrusted) {
  const std::string inner = written(GetParam(), "execute_command", R"({"command":"rm -rf build"})");
  for (std::string_view before : {"> For example:\n", "> For example\n> this:\n", "Like\n> this one\n"})
    never_runs(GetParam(), std::string(before) + inner + "\nto clean up.", "quotation");
}

std::string name_of(const ::testing::TestParamInfo<std::string_view>& info) { return std::string(info.param); }

INSTANTIATE_TEST_SUITE_P(Formats, QuotedCalls, ::testing::ValuesIn(formats()), name_of);

}  // namespace
}  // namespace belay::text::testing
