#include "tasks.h"

#include <belay/json/writer.h>
#include <belay/store.h>

#include "asking.h"
#include "json_string.h"
#include "kept_tasks.h"
#include "result_json.h"
#include "table.h"
#include "terminal.h"
#include "transcript.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

namespace belay::cli {
namespace {

using store::Store;
using store::Summary;

constexpr std::uint64_t kCompared = 10'000;  // tasks that a short id is told apart from

Exit fail(Output& err, std::string_view message, Exit code) {
  err << "belay tasks: " << printable(message) << "\n";
  return code;
}

Exit fail(Output& err, const store::Error& error) {
  using Kind = store::Error::Kind;
  const bool usage = error.kind == Kind::not_found || error.kind == Kind::ambiguous;
  return fail(err, error.message, usage ? Exit::usage : Exit::failed);
}

// A terminal obeys DEL and C1, which JSON leaves as they are.
std::string json_for(const Output& out, const std::string& text) { return out.is_terminal() ? quiet_json(text) : text; }

Exit write(Output& out, Output& err, std::string_view text) {
  out << text;
  out.finish();
  if (out.error() == 0) return Exit::done;
  if (out.error() != EPIPE)
    err << "belay tasks: cannot write to standard output: " << std::strerror(out.error()) << "\n";
  return Exit::failed;
}

// The folder that a task works in; empty when it has none.
std::string folder_of(Store& store, const std::string& id) {
  auto first = store.load_first(id);
  const auto* created = first ? std::get_if<task::Created>(&first->body) : nullptr;
  return created ? created->settings.workspace : std::string();
}

std::string as_json(const Summary& s, std::string_view folder) {
  const auto text = [](std::string_view t) { return t.empty() ? "null" : json_string(t); };
  return R"({"id":)" + json_string(s.id) + R"(,"parent":)" + text(s.parent) + R"(,"title":)" + json_string(s.title) +
         R"(,"model":)" + json_string(s.model) + R"(,"created":)" + std::to_string(s.created) + R"(,"changed":)" +
         std::to_string(s.changed) + R"(,"records":)" + std::to_string(s.records) + R"(,"turns":)" +
         std::to_string(s.turns) + R"(,"end":)" + text(s.end) + R"(,"workspace":)" + text(folder) + "}";
}

// How many characters tell these ids apart.
std::size_t short_length(const std::vector<Summary>& all) {
  constexpr std::size_t kLeast = 8, kMost = 24;
  std::vector<std::string_view> ids;
  ids.reserve(all.size());
  for (const Summary& s : all) ids.push_back(s.id);
  std::ranges::sort(ids);
  std::size_t length = kLeast;
  for (std::size_t i = 1; i < ids.size(); ++i) {
    const auto differ = std::ranges::mismatch(ids[i - 1], ids[i]);
    length = std::max(length, static_cast<std::size_t>(differ.in1 - ids[i - 1].begin()) + 1);
  }
  return std::min(length, kMost);
}

// The folder stands above the tasks of it: a column would leave no room for titles.
std::string as_table(const std::vector<Summary>& shown, const std::vector<std::string>& folders, std::size_t id,
                     bool more, std::size_t width, const Style& style) {
  constexpr std::size_t kWhen = 16, kTurns = 5, kEnd = 14, kTitle = 12;
  const std::size_t fixed = id + kWhen + kTurns + kEnd + 4 * 2;
  // Below that the rows are broken by the terminal: a title says more than a straight edge.
  const std::size_t title = std::max(width, fixed + kTitle) - fixed;
  std::string out = style.bold(padded("ID", id) + "  " + padded("CHANGED", kWhen) + "  " +
                               padded_left("TURNS", kTurns) + "  " + padded("END", kEnd) + "  TITLE") +
                    "\n";
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const Summary& s = shown[i];
    if (folders[i] != (i == 0 ? std::string() : folders[i - 1]))
      out += style.dim("in " + (folders[i].empty() ? "no folder" : clipped(folders[i], width - 3))) + "\n";
    out += printable(s.id.substr(0, id)) + std::string(id - std::min(id, s.id.size()), ' ') + "  " +
           local_minute(s.changed) + "  " + padded_left(std::to_string(s.turns), kTurns) + "  " +
           padded(s.end.empty() ? "open" : s.end, kEnd) + "  " + clipped(s.title, title) + "\n";
  }
  if (more) out += "\nThere are more: --limit N shows N of them.\n";
  return out;
}

Exit list(const TasksOptions& options, Store* store, Output& out, Output& err) {
  std::vector<Summary> found;
  if (store != nullptr) {
    auto listed =
        store->list({.at_most = std::max(options.limit + 1, kCompared), .children = options.all, .before = ""});
    if (!listed) return fail(err, listed.error());
    found = std::move(*listed);
  }
  const std::size_t length = short_length(found);
  // Demonstrations are nobody's work.
  const std::size_t demos = options.all ? 0 : std::erase_if(found, [](const Summary& s) { return s.model == kDemo; });
  const bool more = found.size() > options.limit;
  if (more) found.resize(static_cast<std::size_t>(options.limit));
  std::vector<std::string> folders;
  folders.reserve(found.size());
  for (const Summary& s : found) folders.push_back(folder_of(*store, s.id));
  if (options.json) {
    std::string text = "[";
    for (std::size_t i = 0; i < found.size(); ++i)
      text += (text.size() == 1 ? "" : ",\n ") + as_json(found[i], folders[i]);
    return write(out, err, json_for(out, text + "]\n"));
  }
  std::string text =
      found.empty() ? "No tasks yet: belay run \"...\" begins one.\n"
                    : as_table(found, folders, length, more, columns_of(out), Style::for_terminal(out.is_terminal()));
  if (demos > 0)
    text += "\n" + std::to_string(demos) + (demos == 1 ? " demonstration is" : " demonstrations are") +
            " not shown: --all shows all.\n";
  return write(out, err, text);
}

Exit show(const TasksOptions& options, Store& store, const std::string& id, Output& out, Output& err) {
  auto records = store.load(id);
  if (!records) return fail(err, records.error());
  if (options.json) {
    for (const task::Record& r : *records)
      out << json_for(out, R"({"task":)" + json_string(r.task) + R"(,"number":)" + std::to_string(r.number) +
                               R"(,"time":)" + std::to_string(r.time) + R"(,"body":)" + task::to_json(r.body) + "}\n");
    return write(out, err, "");
  }
  std::string head = "Task " + printable(id);
  if (!records->empty()) {
    head += "\nbegan " + local_minute(records->front().time) + ", changed " + local_minute(records->back().time);
    if (const auto* created = std::get_if<task::Created>(&records->front().body))
      head += "\nmodel " + clipped(created->settings.model, 70) +
              (created->settings.workspace.empty() ? "" : "\nin " + folded(created->settings.workspace, 3));
  }
  const Style style = Style::for_terminal(out.is_terminal());
  return write(out, err, head + "\n\n" + transcript(*records, {options.full, columns_of(out)}, style));
}

Exit remove(const TasksOptions& options, Store& store, const std::vector<std::string>& ids, Output& out, Output& err) {
  std::string question;
  for (const std::string& id : ids) {
    auto records = store.load(id);
    std::string title;
    if (records && !records->empty())
      if (const auto* created = std::get_if<task::Created>(&records->front().body))
        for (const chat::Block& block : created->goal) title += block.text;
    question += "  " + clipped(id, 30) + "  " + clipped(title.substr(0, title.find('\n')), 40) + "\n";
  }
  if (!options.yes) {
    question += ids.size() == 1 ? "Delete it for good? [y/N] " : "Delete them for good? [y/N] ";
    const auto answer = ask_person(question, err);
    if (!answer) return fail(err, "there is nobody to ask; --yes deletes without asking", Exit::usage);
    if (!*answer) return fail(err, "nothing was deleted", Exit::failed);
  }
  for (const std::string& id : ids) {
    if (auto removed = store.remove(id); !removed) return fail(err, removed.error());
    out << "deleted " << printable(id) << "\n";
  }
  return write(out, err, "");
}

}  // namespace

Exit tasks(const TasksOptions& options, Output& out, Output& err) {
  const auto opened = open_kept_tasks();
  if (!opened) return fail(err, opened.error(), Exit::failed);
  Store* const store = opened->get();
  if (options.action == TasksOptions::Action::list) return list(options, store, out, err);
  if (store == nullptr) return fail(err, "there are no tasks yet", Exit::usage);

  // All of them are found before anything is done with one.
  std::vector<std::string> ids;
  for (const std::string& prefix : options.ids) {
    auto id = store->find(prefix);
    if (!id) return fail(err, id.error());
    if (std::ranges::find(ids, *id) == ids.end()) ids.push_back(std::move(*id));
  }
  switch (options.action) {
    case TasksOptions::Action::list: break;
    case TasksOptions::Action::show: return show(options, *store, ids.front(), out, err);
    case TasksOptions::Action::remove: return remove(options, *store, ids, out, err);
    case TasksOptions::Action::export_one: {
      const auto text = store->export_json(ids.front());
      return text ? write(out, err, json_for(out, *text + "\n")) : fail(err, text.error());
    }
  }
  return Exit::failed;
}

}  // namespace belay::cli
