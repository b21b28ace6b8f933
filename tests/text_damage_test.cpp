// One token of a call's framing is damaged: missing, there twice, or misspelt. What is read then is never trusted with
// other values than those that were written, and no call is trusted that nobody wrote.
#include "support/outcome.h"
#include "support/text_events.h"
#include "support/text_writers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace belay::check {
namespace {

// Calls whose names and values occur in no framing, so that they can be told apart from it.
struct Scene {
  std::vector<WrittenCall> calls;
  std::vector<std::string_view> values;  ///< as they are written
  std::string_view before, after;        ///< prose around them
  std::vector<text::Tool> tools;
};

WrittenCall call(std::string name, std::vector<std::pair<std::string, Tree>> arguments) {
  WrittenCall out{std::move(name), Tree::object()};
  for (auto& [key, value] : arguments) {
    out.arguments.keys.push_back(key);
    out.arguments.items.push_back(std::move(value));
  }
  return out;
}

text::Tool tool(std::string name, std::string_view properties) {
  const json::Document schema = document_of(R"({"type":"object","properties":)" + std::string(properties) + "}");
  return {std::move(name), text::shape_of(schema.root())};
}

Scene plain_values() {
  Scene scene;
  scene.calls = {call("deploy_app", {{"command_line", Tree::string("rm -r build7")},
                                     {"dry_run", Tree::boolean(true)},
                                     {"environ", Tree::string("testing9")}}),
                 call("look_for", {{"what_for", Tree::string("zebras42")}, {"max_hits", Tree::number("777")}})};
  scene.values = {"rm -r build7", "testing9", "zebras42", "777"};
  scene.tools = {tool("deploy_app", R"({"command_line":{"type":"string"},"dry_run":{"type":"boolean"},
                                        "environ":{"type":"string"}})"),
                 tool("look_for", R"({"what_for":{"type":"string"},"max_hits":{"type":"integer"}})")};
  return scene;
}

// Values that hold markup and brackets of their own, in the midst of prose.
Scene rich_values() {
  Scene scene;
  Tree settings = Tree::object(), labels = Tree::array();
  settings.keys = {"retries", "mode7"};
  settings.items = {Tree::number("88"), Tree::string("slow9")};
  labels.items = {Tree::string("urgent4"), Tree::string("db5")};
  scene.calls = {
      call("save_page",
           {{"markup", Tree::string("<div><b>x</b> a[0] < 5</div>")}, {"settings", settings}, {"labels", labels}}),
      call("save_page", {{"markup", Tree::string("{y}: it (z) > 6")}})};
  scene.values = {"<div><b>x</b> a[0] < 5</div>", "88", "slow9", "urgent4", "db5", "{y}: it (z) > 6"};
  scene.before = "Saving it.\n";
  scene.after = "\nSaved.";
  scene.tools = {tool("save_page", R"({"markup":{"type":"string"},"settings":{"type":"object","properties":
                  {"retries":{"type":"integer"},"mode7":{"type":"string"}}},
                  "labels":{"type":"array","items":{"type":"string"}}})")};
  return scene;
}

Scene short_names() {
  Scene scene;
  scene.calls = {call("zz", {{"kk", Tree::string("v7")}, {"jj", Tree::number("9.5")}}), call("yy", {}),
                 call("zz", {{"kk", Tree::string("line w1\\nline w2")}, {"jj", Tree::string("")}})};
  scene.values = {"v7", "9.5", "line w1\\nline w2", "line w1\nline w2", "line w1\\\\nline w2"};
  scene.before = "Go:\n";
  scene.tools = {tool("zz", R"({"kk":{"type":"string"},"jj":{"type":["number","string"]}})"), tool("yy", "{}")};
  return scene;
}

struct Range {
  std::size_t from, to;
  bool value = false;
};

// What is no framing: the values, and the names where they stand first.
std::vector<Range> content(const Scene& scene, std::string_view text, bool raw) {
  std::vector<Range> out;
  auto add = [&](std::string_view word, std::size_t from, bool value) {
    const std::size_t at = text.find(word, from);
    if (at != std::string_view::npos) out.push_back({at, at + word.size(), value});
    return at == std::string_view::npos ? from : at + word.size();
  };
  std::size_t from = 0;
  for (const WrittenCall& one : scene.calls) {
    from = add(one.name, from, false);
    for (const std::string& key : one.arguments.keys) from = add(key, from, false);
  }
  for (std::string_view key : {"retries", "mode7"}) add(key, 0, false);
  for (std::string_view value : scene.values) add(value, 0, true);
  // Raw text between tags is a value as a whole.
  if (raw)
    for (const WrittenCall& one : scene.calls)
      for (const Tree& value : one.arguments.items)
        if (!value.items.empty()) add(to_text(value), 0, true);
  for (std::string_view yes : {"true", "True"})
    for (std::size_t at = text.find(yes); at != std::string_view::npos; at = text.find(yes, at + 1))
      out.push_back({at, at + yes.size(), true});
  return out;
}

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool inside_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// The pieces that framing is made of: characters, words, and all that stands between two brackets.
std::vector<Range> tokens(std::string_view text, const std::vector<Range>& content) {
  constexpr std::size_t kLong = 48;
  std::set<std::pair<std::size_t, std::size_t>> out;
  auto add = [&](std::size_t from, std::size_t to) {
    for (const Range& c : content) {
      // Of what holds a name only the whole is a token; what holds a value is none.
      const bool inside = from >= c.from && to <= c.to;
      const bool half = (from > c.from && from < c.to) || (to > c.from && to < c.to);
      const bool around = c.value && from <= c.from && to >= c.to;
      if (inside || half || around) return;
    }
    if (from < to && to - from < kLong) out.emplace(from, to);
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (inside_character(text[i])) continue;
    std::size_t next = i + 1;
    while (next < text.size() && inside_character(text[next])) ++next;
    add(i, next);
    if (letter(text[i]) && (i == 0 || !letter(text[i - 1]))) {
      std::size_t end = i;
      while (end < text.size() && letter(text[end])) ++end;
      add(i, end);
    }
    for (auto [open, close] : {std::pair{'<', '>'}, {'[', ']'}, {'"', '"'}})
      if (text[i] == open) {
        const std::size_t end = text.find(close, i + 1);
        // From one quote to the next may be from the end of a string to the beginning of another.
        const bool between = open == '"' && text.substr(i, end - i).find_first_of("=:,<{") != std::string_view::npos;
        if (end != std::string_view::npos && !between) add(i, end + 1);
      }
    for (std::string_view mark : {"]<]minimax[>[", "</", "<|", "|>", "```", "<｜", "｜>", "｜DSML｜", "=\"", "\">"})
      if (text.substr(i).starts_with(mark)) add(i, i + mark.size());
  }
  std::vector<Range> ranges;
  for (auto [from, to] : out) ranges.push_back({from, to, false});
  return ranges;
}

struct Mutant {
  std::string what, text;
};

// Tags and markers: what may stand in the place of another.
bool whole_mark(std::string_view token) {
  return token.size() > 2 && ((token.starts_with('<') && token.ends_with('>')) || token == "]<]minimax[>[" ||
                              (token.starts_with('[') && token.ends_with(']')));
}

std::vector<Mutant> mutants(const Scene& scene, const std::string& call_text, bool raw) {
  const std::string text = std::string(scene.before) + call_text + std::string(scene.after);
  const std::vector<Range> named = content(scene, text, raw), all = tokens(text, named);
  // Marks that hold no name: one with another name in it is another call.
  std::set<std::string> marks;
  for (const Range& r : all) {
    const bool names =
        std::any_of(named.begin(), named.end(), [&](const Range& c) { return c.from >= r.from && c.to <= r.to; });
    if (const std::string token = text.substr(r.from, r.to - r.from); whole_mark(token) && !names) marks.insert(token);
  }
  std::vector<Mutant> out;
  for (const Range& r : all) {
    if (r.from < scene.before.size() || r.to > text.size() - scene.after.size()) continue;
    const std::string before = text.substr(0, r.from), token = text.substr(r.from, r.to - r.from),
                      behind = text.substr(r.to);
    out.push_back({"without " + token, before + behind});
    // White space that is there twice, or another one, may as well be a part of the value beside it.
    if (token == " " || token == "\n") continue;
    out.push_back({"twice " + token, before + token + token + behind});
    if (whole_mark(token))
      for (const std::string& other : marks)
        if (other != token) out.push_back({other + " for " + token, before + other + behind});
    if (token.size() > 1) continue;
    for (std::string_view other : {"q", " ", "}", "=", "/", "<", "'", "&lt;"})
      if (letter(token[0]) == letter(other[0]) && token != other)
        out.push_back({std::string(other) + " for " + token, before + std::string(other) + behind});
    if (letter(token[0]) && !behind.empty() && letter(behind[0]))
      out.push_back({"swapped " + token, before + behind[0] + token + behind.substr(1)});
  }
  return out;
}

// What is wrong about the calls that would be trusted; empty when nothing is.
std::string wrong(const TextEvents& got, const std::vector<TextCall>& written, const text::Options& options) {
  if (!got.fault.empty()) return got.fault;
  std::vector<bool> seen(written.size());
  for (const TextCall& one : got.calls) {
    if (!one.sound || one.name.empty()) continue;
    const bool known = std::any_of(options.tools.begin(), options.tools.end(),
                                   [&](const text::Tool& t) { return t.name == one.name; });
    if (!options.tools.empty() && !known) continue;
    std::size_t same = 0;
    while (same < written.size() &&
           (seen[same] || written[same].name != one.name || written[same].arguments != one.arguments))
      ++same;
    if (same == written.size()) return one.verdict + " " + one.name + " " + one.arguments;
    seen[same] = true;
  }
  return {};
}

// All mutants of a scene in one format, read as that format or without knowing which it is.
void damage(const Scene& scene, const TextWriter& writer, const text::Options& options, std::size_t& tried) {
  const std::string text = writer.write(scene.calls);
  const TextEvents whole = read_text({text}, options);
  const std::string label =
      std::string(writer.format) + " as " + options.format + (options.tools.empty() ? ", no tools known" : "");
  std::size_t shown = 0;
  for (const Mutant& mutant : mutants(scene, text, writer.strings == StringsHold::no_tags)) {
    const TextEvents got = read_text({mutant.text}, options);
    std::string fault = wrong(got, whole.calls, options);
    if (fault.empty() && tried++ % 32 == 0) fault = difference(got, read_text(chop(mutant.text, 1), options));
    if (!fault.empty() && shown++ < 5)
      ADD_FAILURE() << label << ", " << mutant.what << ": " << fault << "\n" << mutant.text;
  }
}

enum class As : std::uint8_t { known, unknown, automatic };

std::size_t damage_all(const Scene& scene, std::initializer_list<As> ways) {
  std::size_t tried = 0;
  std::set<std::string> written;
  for (const TextWriter& writer : text_writers()) {
    // Formats that write the same are read by the same rows.
    if (!written.insert(writer.write(scene.calls)).second) continue;
    for (As way : ways) {
      text::Options options;
      options.format = way == As::automatic ? "auto" : writer.format;
      if (way != As::unknown) options.tools = scene.tools;
      damage(scene, writer, options, tried);
    }
  }
  return tried;
}

TEST(TextDamage, one_damaged_token_of_framing_never_makes_another_call_that_is_trusted) {
  EXPECT_GT(damage_all(plain_values(), {As::known, As::unknown, As::automatic}), 150'000u);
}

TEST(TextDamage, nor_does_it_where_values_hold_markup_and_brackets) {
  EXPECT_GT(damage_all(rich_values(), {As::known}), 50'000u);
}

TEST(TextDamage, nor_does_it_where_names_are_short) { EXPECT_GT(damage_all(short_names(), {As::unknown}), 50'000u); }

}  // namespace
}  // namespace belay::check
