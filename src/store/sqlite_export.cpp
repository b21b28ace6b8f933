// A task as one JSON object, for people and other programs.
#include "store/failure.h"
#include "store/sqlite_store.h"

#include <belay/json/writer.h>

namespace BELAY_NAMESPACE::store {
namespace {

// The body is an object with members; the record's own stand in front of them. It is read before it is trusted to be
// one.
Expected<void> write_row(const Row& row, std::string& out) {
  auto read = to_record(row);
  if (!read) return std::unexpected(std::move(read.error()));
  if (!row.body.starts_with("{\""))
    return fail(Error::Kind::corrupt, "record " + std::to_string(row.number) + " of task " + row.task +
                                          " is no object: restore a copy of the file");
  if (out.back() == '}') out += ',';
  out += R"({"number":)" + std::to_string(row.number) + R"(,"time":)" + std::to_string(row.time) + ",";
  out.append(row.body, 1);
  return {};
}

}  // namespace

Expected<std::string> SqliteStore::export_json(std::string_view task) {
  return guarded([&]() -> Expected<std::string> {
    auto transaction = Transaction::begin(*database_, Transaction::Mode::read);
    if (!transaction) return std::unexpected(std::move(transaction.error()));
    auto ids = family(task);
    if (!ids) return std::unexpected(std::move(ids.error()));
    std::string out = R"({"belay":1,"tasks":[)";
    for (const std::string& id : *ids) {
      out += out.back() == '[' ? R"({"id":)" : R"(,{"id":)";
      json::write_string(id, out);
      out += R"(,"records":[)";
      auto done = each_row(id, kUnlimited, [&](const Row& row) { return write_row(row, out); });
      if (!done) return std::unexpected(std::move(done.error()));
      out += "]}";
    }
    out += "]}";
    return out;
  });
}

}  // namespace BELAY_NAMESPACE::store
