// Puts records into a store, for tests of the program from outside.
//   keep_records DATABASE
// Reads lines of JSON: [task, number, milliseconds, body], where body is the record's JSON text.
#include <belay/json.h>
#include <belay/store.h>

#include <cstdio>
#include <iostream>
#include <string>

using namespace belay;

int main(int argc, char** argv) {
  const auto fail = [](const std::string& what) {
    std::fprintf(stderr, "keep_records: %s\n", what.c_str());
    return 1;
  };
  if (argc != 2) return fail("usage: keep_records DATABASE");
  store::SqliteOptions options;
  options.path = argv[1];
  auto store = store::open_sqlite(options);
  if (!store) return fail(store.error().message);
  std::vector<task::Record> records;
  for (std::string line; std::getline(std::cin, line);) {
    const json::Reading reading = json::read(line);
    const json::Value row = reading.document.root();
    std::vector<json::Value> cells;
    for (const json::Value cell : row.items()) cells.push_back(cell);
    if (cells.size() != 4) return fail("four cells are needed: " + line);
    auto body = task::body_from_json(cells[3].as_string());
    if (!body) return fail(body.error() + ": " + line);
    records.push_back(
        {std::string(cells[0].as_string()), *cells[1].as_uint64(), *cells[2].as_int64(), std::move(*body)});
  }
  if (auto kept = (*store)->append(records); !kept) return fail(kept.error().message);
  return 0;
}
