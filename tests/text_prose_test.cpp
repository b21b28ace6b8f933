// Ordinary technical prose, code, data and documentation about tool calls: there is no call in any of it, and it comes
// back byte for byte. The passages are in data/prose, apart by lines of "=====".
#include "support/outcome.h"
#include "support/text_events.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace belay::check {
namespace {

struct Passage {
  std::string where, text;
};

std::vector<Passage> passages() {
  constexpr std::string_view kLine = "\n=====\n";
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(BELAY_PROSE_DIR)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Passage> out;
  for (const auto& file : files) {
    std::ifstream stream(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    std::size_t n = 0;
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = std::min(text.find(kLine, at), text.size());
      out.push_back({file.filename().string() + " " + std::to_string(++n), text.substr(at, end - at)});
      at = end + kLine.size();
    }
  }
  return out;
}

std::vector<text::Tool> tools() {
  static constexpr std::string_view kTools[][2] = {
      {"get_weather", R"({"properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city"]})"},
      {"read_file", R"({"properties":{"path":{"type":"string"}},"required":["path"]})"},
      {"write_file", R"({"properties":{"path":{"type":"string"},"content":{"type":"string"}}})"},
      {"search", R"({"properties":{"query":{"type":"string"}}})"},
      {"execute_command", R"({"properties":{"command":{"type":"string"}}})"},
      {"think", R"({"properties":{"thought":{"type":"string"}}})"},
  };
  std::vector<text::Tool> out;
  for (const auto& [name, schema] : kTools)
    out.push_back({std::string(name), text::shape_of(root_of(document_of(schema)))});
  return out;
}

void expect_untouched(const Passage& passage, const text::Options& options) {
  for (const Pieces& pieces : {Pieces{passage.text}, chop(passage.text, 1), chop(passage.text, 7)}) {
    const TextEvents got = read_text(pieces, options);
    EXPECT_EQ(got.fault, "");
    EXPECT_TRUE(got.calls.empty()) << passage.where << ": a call of " << got.calls.front().name;
    EXPECT_EQ(got.text, passage.text) << passage.where;
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(Prose, IsFoundInTheFolder) { EXPECT_GE(passages().size(), 300u); }

TEST(Prose, HoldsNoCallWhenToolsAreKnown) {
  text::Options options;
  options.tools = tools();
  for (const Passage& passage : passages()) expect_untouched(passage, options);
}

TEST(Prose, HoldsNoCallWhenNoToolsAreKnown) {
  for (const Passage& passage : passages()) expect_untouched(passage, {});
}

}  // namespace
}  // namespace belay::check
