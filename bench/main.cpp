// bench_json: how fast the tolerant JSON reader, the schemas and the wires are, beside the peers. See docs/bench.md.
#include "documents.h"
#include "records.h"
#include "schemas.h"
#include "sections.h"
#include "streams.h"

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace belay::bench {
namespace {

constexpr std::string_view kHelp = R"(usage: bench_json [--quick] [--only SECTION] [--json FILE]
       bench_json --write-documents DIR
       bench_json --write-streams DIR
       bench_json --write-records DIR

Measures Belay's JSON reader beside simdjson, RapidJSON and nlohmann, its schemas, its wires, calls in text, the
gate, the loop and the start of commands, and prints tables with the targets.

  --quick                fewer sizes and timings: seconds, not minutes
  --only SECTION         whole, pieces, heap, mending, growth, schema, wires, texts, gate, task or sandbox
  --json FILE            also writes what was measured
  --write-documents DIR  writes the documents and a list of them (documents.json) for bench/peers.mjs, measures nothing
  --write-streams DIR    likewise streams (streams.json) and schemas (schemas.json) for bench/sdks.mjs
  --write-records DIR    files of records, one a line, and a list of them (records.json), for bench/lines.py
)";

struct Section {
  std::string_view name;
  void (*measure)(const Plan&, Results&);
};
constexpr Section kSections[] = {
    {"sandbox", measure_sandbox},  // first: it forks, and the others leave this process large
    {"whole", measure_whole},     {"pieces", measure_pieces}, {"heap", measure_heap},   {"mending", measure_mending},
    {"growth", measure_growth},   {"schema", measure_schema}, {"wires", measure_wires}, {"texts", measure_texts},
    {"gate", measure_gate},       {"task", measure_task},
};

bool write_file(const std::filesystem::path& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  return file.good();
}

bool write_documents(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  bool good = true;
  auto add = [&](std::string_view document, bool damaged, std::size_t size, const std::string& text) {
    std::string file(document);
    for (char& c : file) {
      if (c == ' ') c = '-';
    }
    std::erase(file, ',');
    file += "-" + std::to_string(size) + ".json";
    good = good && write_file(folder / file, text);
    list.push_back(
        {{"document", document}, {"damaged", damaged}, {"size", size}, {"bytes", text.size()}, {"file", file}});
  };
  for (std::size_t size : {kKB, 16 * kKB, 128 * kKB, kMB, 16 * kMB}) {
    for (Shape shape : {Shape::code, Shape::todo}) add(name(shape), false, size, make_document(shape, size));
    if (size > kMB) continue;
    for (Damage damage : damages()) add(name(damage), true, size, make_damaged(damage, size));
  }
  return good && write_file(folder / "documents.json", list.dump(1) + "\n");
}

bool write_streams(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  nlohmann::ordered_json streams = nlohmann::ordered_json::array(), schemas = streams;
  bool good = true;
  for (wire::Wire wire : {wire::Wire::openai_chat, wire::Wire::openai_responses, wire::Wire::anthropic})
    for (std::size_t payload : {128 * kKiB, kMiB}) {
      const Stream stream = make_stream(wire, payload);
      const std::string file = std::string(wire::name(wire)) + "-" + std::to_string(payload) + ".sse";
      good = good && write_file(folder / file, stream.body);
      streams.push_back({{"wire", wire::name(wire)},
                         {"payload", payload},
                         {"bytes", stream.body.size()},
                         {"piece", kNetworkRead},
                         {"file", file}});
    }
  for (const ToolSchema& tool : make_schemas())
    schemas.push_back({{"name", tool.name},
                       {"schema", nlohmann::ordered_json::parse(tool.schema)},
                       {"value", nlohmann::ordered_json::parse(tool.arguments)}});
  return good && write_file(folder / "streams.json", streams.dump(1) + "\n") &&
         write_file(folder / "schemas.json", schemas.dump(1) + "\n");
}

int run(int count, char** arguments) {
  Plan plan;
  std::string json, only, documents, streams, records;
  for (int i = 1; i < count; ++i) {
    std::string_view argument = arguments[i];
    std::string* value = argument == "--json"              ? &json
                         : argument == "--only"            ? &only
                         : argument == "--write-documents" ? &documents
                         : argument == "--write-streams"   ? &streams
                         : argument == "--write-records"   ? &records
                                                           : nullptr;
    if (value != nullptr && i + 1 < count)
      *value = arguments[++i];
    else if (argument == "--quick")
      plan.quick = true;
    else if (argument == "--help")
      return std::fputs(kHelp.data(), stdout), 0;
    else
      return std::fputs(kHelp.data(), stderr), 2;
  }
  if (const std::string folder = documents + streams + records; !folder.empty()) {
    if (!documents.empty() ? write_documents(folder) : !streams.empty() ? write_streams(folder) : write_records(folder))
      return 0;
    std::fprintf(stderr, "bench_json: cannot write to %s\n", folder.c_str());
    return 1;
  }
  Results results;
  results.set("quick", plan.quick);
  bool any = false;
  for (const Section& section : kSections) {
    if (!only.empty() && only != section.name) continue;
    section.measure(plan, results);
    any = true;
  }
  if (!any) return std::fputs(kHelp.data(), stderr), 2;
  results.print_targets();
  if (!json.empty() && !results.write(json)) {
    std::fprintf(stderr, "bench_json: cannot write %s\n", json.c_str());
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace belay::bench

int main(int count, char** arguments) {
  try {
    return belay::bench::run(count, arguments);
  } catch (const std::exception& e) {
    std::fflush(stdout);
    std::fprintf(stderr, "bench_json: %s\n", e.what());
    return 1;
  }
}
