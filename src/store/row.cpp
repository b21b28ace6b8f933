#include "store/row.h"

#include "base/utf8.h"
#include "store/failure.h"
#include "task/stored_words.h"

#include <algorithm>

namespace BELAY_NAMESPACE::store {

Row to_row(const task::Record& record) {
  return {record.task, record.number, record.time, std::string(task::kind_of(record.body)), task::to_json(record.body)};
}

namespace {

std::unexpected<Error> damaged(const Row& row, std::string_view why) {
  return fail(Error::Kind::corrupt, "record " + std::to_string(row.number) + " of task " + row.task +
                                        " is not as it was written (" + std::string(why) +
                                        "): restore a copy of the file");
}

Expected<task::Body> body_of(const Row& row) {
  auto body = task::body_from_json(row.body);
  if (!body) return damaged(row, body.error());
  if (task::kind_of(*body) != row.kind)
    return damaged(row, "its kind is " + row.kind + ", its body's is " + std::string(task::kind_of(*body)));
  return std::move(*body);
}

}  // namespace

Expected<task::Record> to_record(const Row& row) {
  auto body = body_of(row);
  if (!body) return std::unexpected(std::move(body.error()));
  return task::Record{row.task, row.number, row.time, std::move(*body)};
}

// FNV-1a: each step is a bijection of the state, so that two texts that differ in one byte never meet again.
std::uint64_t record_sum(const Row& row) noexcept {
  std::uint64_t sum = 0xcbf29ce484222325;
  const auto add = [&](std::string_view bytes) {
    for (char c : bytes) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  };
  const auto add_number = [&](std::uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8) sum = (sum ^ (number >> shift & 0xff)) * 0x100000001b3;
  };
  add(row.task);
  add_number(row.number);
  add_number(static_cast<std::uint64_t>(row.time));
  add(row.kind);
  add(row.body);
  return sum;
}

void fold(Summary& summary, std::string_view kind, std::int64_t time, const task::Body* body) {
  if (kind == "created") {
    summary.created = summary.changed = time;
    if (const auto* created = body ? std::get_if<task::Created>(body) : nullptr) {
      summary.parent = created->parent;
      summary.title = title_of(*created);
      summary.model = created->settings.model;
    }
  }
  ++summary.records;
  summary.changed = std::max(summary.changed, time);
  if (kind == "turn") ++summary.turns;
  if (kind == "finished") {
    if (const auto* finished = body ? std::get_if<task::Finished>(body) : nullptr)
      summary.end = task::word_of(finished->reason);
  }
  // What opens a finished task again; an outcome that is counted late does not.
  if (kind == "said" || kind == "turn" || kind == "changed") summary.end.clear();
}

Expected<void> fold(Summary& summary, const Row& row) {
  if (row.kind != "created" && row.kind != "finished") {
    fold(summary, row.kind, row.time, nullptr);
    return {};
  }
  auto body = body_of(row);
  if (!body) return std::unexpected(std::move(body.error()));
  fold(summary, row.kind, row.time, &*body);
  return {};
}

std::vector<std::string> counted_kinds(const task::Outcome& outcome) {
  std::vector<std::string> kinds;
  for (const std::string& kind : outcome.kinds)
    if (std::ranges::find(kinds, kind) == kinds.end()) kinds.push_back(kind);
  if (kinds.empty()) kinds.emplace_back(task::word_of(outcome.verdict));
  return kinds;
}

std::string title_of(const task::Created& created) {
  for (const chat::Block& block : created.goal) {
    if (block.kind != chat::Block::Kind::text) continue;
    std::string_view text = block.text;
    const auto space = [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f'; };
    while (!text.empty() && space(text.front())) text.remove_prefix(1);
    text = text.substr(0, text.find('\n'));
    while (!text.empty() && space(text.back())) text.remove_suffix(1);
    if (text.empty()) continue;
    std::string title;
    while (!text.empty()) {
      const utf8::Step step = utf8::step(text.data(), text.size());
      std::string_view piece = text.substr(0, step.length);
      if (step.is != utf8::Step::Is::whole) piece = utf8::kReplacement;
      if (step.length == 1 && space(text.front())) piece = " ";
      if (title.size() + piece.size() > kTitleBytes) break;
      title += piece;
      text.remove_prefix(step.length);
    }
    return title;
  }
  return {};
}

}  // namespace BELAY_NAMESPACE::store
