#include <belay/mcp/tool_cache.h>

#include "mcp/files.h"
#include "mcp/object.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace BELAY_NAMESPACE::mcp {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kTools = 10'000;  // that are read; what was kept was bounded by its session

// As the server would list them.
std::string list_of(const std::vector<ToolDefinition>& tools) {
  std::string out = "{\"tools\":[";
  for (const ToolDefinition& tool : tools) {
    Object o;
    o.text("name", tool.name);
    if (!tool.title.empty()) o.text("title", tool.title);
    if (!tool.description.empty()) o.text("description", tool.description);
    if (!tool.input_schema.empty()) o.raw("inputSchema", tool.input_schema);
    if (!tool.output_schema.empty()) o.raw("outputSchema", tool.output_schema);
    if (!tool.annotations.empty()) o.raw("annotations", tool.annotations);
    out += (out.ends_with('[') ? "" : ",") + o.done();
  }
  return out + "]}\n";
}

bool is_hash(std::string_view text) {
  return text.size() == 64 &&
         std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

}  // namespace

std::string ToolCache::path_of(std::string_view server) const {
  return folder_.empty() || !is_hash(server) ? std::string() : folder_ + "/" + std::string(server) + ".json";
}

std::vector<ToolDefinition> ToolCache::load(std::string_view server) const {
  const std::string path = path_of(server);
  if (path.empty()) return {};
  const auto text = read_small(path, limits_.bytes);
  if (!text || !text->has_value()) return {};
  json::ReaderOptions strict;
  strict.mode = json::Mode::strict;
  const json::Reading reading = json::read(text->value_or(""), strict);
  if (reading.verdict.word() != json::Word::valid) return {};
  bool more = false;
  auto page = tools_page(reading.document.root(), kTools, more);
  if (!page) return {};
  return std::move(page->items);
}

std::expected<void, std::string> ToolCache::keep(std::string_view server,
                                                 const std::vector<ToolDefinition>& tools) const {
  const std::string path = path_of(server);
  if (path.empty()) return {};
  const std::string text = list_of(tools);
  if (text.size() > limits_.bytes)
    return std::unexpected("the list of its tools is larger than " + std::to_string(limits_.bytes) +
                           " bytes, and is not kept for when it is down");
  if (const auto there = read_small(path, limits_.bytes); there && *there == text) return {};
  if (auto written = write_small(path, text); !written) return written;
  thin_out();
  return {};
}

void ToolCache::thin_out() const {
  std::error_code trouble;
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  for (fs::directory_iterator at(folder_, trouble), end; !trouble && at != end; at.increment(trouble)) {
    if (at->path().extension() != ".json" || !is_hash(at->path().stem().string())) continue;
    std::error_code gone;
    const auto time = at->last_write_time(gone);
    if (!gone) files.emplace_back(time, at->path());
  }
  if (files.size() <= limits_.servers) return;
  std::ranges::sort(files);
  files.resize(files.size() - limits_.servers);
  for (const auto& [time, path] : files) fs::remove(path, trouble);
}

}  // namespace BELAY_NAMESPACE::mcp
