#include "builtin/arguments.h"
#include "builtin/file_pattern.h"
#include "builtin/file_tools.h"
#include "builtin/ignoring.h"
#include "builtin/line_search.h"
#include "builtin/text_lines.h"

namespace BELAY_NAMESPACE::builtin {
namespace {

constexpr std::size_t kMatches = 300;    // in one result
constexpr std::size_t kFiles = 200'000;  // entries that one search goes through
constexpr std::size_t kNamedFiles = 3;   // files that were left out and are named

using sandbox::Entry;
using sandbox::Visit;

class Finder : public IgnoringVisitor {
 public:
  Finder(const regex::Search& search, const FilePattern& pattern, const sandbox::WorkspaceLimits& limits,
         std::stop_token stop)
      : search_(search), pattern_(pattern), limits_(limits), stop_(std::move(stop)) {}

  Visit see(const Entry& entry, const sandbox::FolderView& folder) override {
    if (entry.kind == Entry::Kind::folder) return Visit::take;
    if (entry.kind != Entry::Kind::file || !pattern_.matches(entry.path)) return Visit::skip;
    auto file = folder.open(entry.name);
    if (!file) {
      ++unreadable_;
      return Visit::skip;
    }
    std::string place(folder.place());
    if (!place.empty()) place += '/';
    return look(*file, place + entry.name) ? Visit::take : Visit::stop;
  }

  // False when the search is over.
  bool look(const sandbox::OpenFile& file, const std::string& place) {
    if (file.facts.size > limits_.file_bytes) return leave_out(place);
    text_.clear();
    bool binary = false, ended = false;
    const auto done = sandbox::read_pieces(file, limits_.file_bytes, "file_bytes", [&](std::string_view piece) {
      binary = binary || (text_.size() < kBeginning && sight_of(piece.substr(0, kBeginning)).binary);
      ended = stop_.stop_requested();
      if (!binary) text_ += piece;
      return !binary && !ended;
    });
    if (ended) return false;
    if (binary) return ++binary_, true;
    if (!done && done.error().kind == sandbox::PathErrorKind::too_large) return leave_out(place);
    if (!done) return ++unreadable_, true;
    ++files_;
    LineSearchOptions options;
    options.matches = kMatches - matches_;
    options.bytes = kShownBytes - std::min(kShownBytes, out_.size());
    const LineSearchResult found = search_lines(text_, search_, options, [&] { return !stop_.stop_requested(); });
    if (found.matches > 0) {
      matches_ += found.matches;
      ++files_with_;
      out_ += sandbox::shown_path(place) + "\n" + found.text + "\n";
    }
    full_ = found.full;
    return !found.full && !found.stopped;
  }

  [[nodiscard]] bool full() const { return full_; }

  [[nodiscard]] std::string report(const sandbox::WalkEnd& end) const {
    std::string out = counted(matches_, "line") + " in " + counted(files_with_, "file") + " of " +
                      std::to_string(files_) + " searched" + (full_ ? ", and there are more; narrow the search" : "");
    out += matches_ > 0 ? "\n\n" + out_ : "\n";
    const auto note = [&](std::size_t count, std::string_view what) {
      if (count > 0) out += "[" + std::to_string(count) + " " + std::string(what) + "]\n";
    };
    note(binary_, "binary and left out");
    note(too_large_, "larger than the limit file_bytes (" + std::to_string(limits_.file_bytes) +
                         " bytes) and left out: " + large_ + (too_large_ > kNamedFiles ? ", ..." : ""));
    note(unreadable_ + end.unreadable, "could not be read");
    note(ignored(), "left out by .gitignore");
    note(end.off_limits, "protected and left out");
    note(end.too_deep, "not entered for the depth (limit depth)");
    note(end.folders_full, "with too many entries, of which some were not searched (limit folder_entries)");
    if (end.full) out += "[cut after " + std::to_string(kFiles) + " files and folders; search further down]\n";
    return out;
  }

 private:
  bool leave_out(const std::string& place) {
    if (++too_large_ <= kNamedFiles) large_ += (large_.empty() ? "" : ", ") + clipped(sandbox::shown_path(place), 200);
    return true;
  }

  const regex::Search& search_;
  const FilePattern& pattern_;
  const sandbox::WorkspaceLimits& limits_;
  std::stop_token stop_;
  std::string text_, out_;
  std::string large_;  // the first files that are too large
  std::size_t files_ = 0, files_with_ = 0, matches_ = 0, binary_ = 0, too_large_ = 0, unreadable_ = 0;
  bool full_ = false;
};

tool::Result search(const sandbox::Workspace& workspace, const tool::Invocation& call) {
  const std::string_view path = text_argument(call, "path");
  auto compiled = regex::Search::compile(text_argument(call, "regex"));
  if (!compiled)
    return tool::error_result("the regex cannot be used: " + compiled.error() +
                              ". It is RE2's syntax: no look-around, no back-references");
  auto pattern = FilePattern::compile(text_argument(call, "file_pattern"));
  if (!pattern) return tool::error_result(pattern.error());
  Finder finder(*compiled, *pattern, workspace.limits(), call.stop);

  auto folder = workspace.open_folder(path);
  if (!folder && folder.error().kind == sandbox::PathErrorKind::not_a_folder) {
    auto file = workspace.open_file(path);
    if (!file) return failed(file.error());
    finder.look(*file, file->place);
    if (call.stop.stop_requested()) return stopped();
    return tool::text_result(finder.report({}));
  }
  if (!folder) return failed(folder.error());
  finder.read_above(workspace, folder->place);
  sandbox::WalkOptions options;
  options.recursive = true;
  options.entries = kFiles;
  options.stop = call.stop;
  auto end = workspace.walk(path, options, finder);
  if (!end) return failed(end.error());
  if (call.stop.stop_requested()) return stopped();
  return tool::text_result(finder.report(*end));
}

}  // namespace

tool::Spec search_files_spec() {
  tool::Spec spec;
  spec.name = "search_files";
  spec.description =
      "Searches the files beneath a folder of the workspace, or one file, for a regular expression in RE2's syntax, "
      "line "
      "by line. The result has the lines that match (12: text) and one line around them (13- text), grouped by file; "
      "at "
      "most 300 lines that match. Binary files and what .gitignore leaves out are not searched. file_pattern is a glob "
      "such as *.ts, *.{h,cpp} or src/**/*.py. One call searches one folder for one expression; write alternatives as "
      "a|b." +
      std::string(kOneObject);
  spec.parameters =
      R"({"type":"object","properties":{)"
      R"("path":{"type":"string","description":"The folder, relative to the workspace; . is the workspace itself"},)"
      R"("regex":{"type":"string","description":"What to look for; (?i) at its beginning: in any case"},)"
      R"("file_pattern":{"type":"string","description":"Only files like this; all by default"}},)"
      R"("required":["path","regex"],"additionalProperties":false})";
  spec.effect = tool::Effect::read;
  spec.parameter_aliases = {{"file_path", "path"}};
  return spec;
}

tool::Code search_files_code(SharedWorkspace workspace) {
  return [workspace = std::move(workspace)](const tool::Invocation& call) { return search(*workspace, call); };
}

}  // namespace BELAY_NAMESPACE::builtin
