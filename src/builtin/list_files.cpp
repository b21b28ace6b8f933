#include "builtin/arguments.h"
#include "builtin/file_tools.h"
#include "builtin/ignoring.h"
#include "builtin/text_lines.h"

namespace BELAY_NAMESPACE::builtin {
namespace {

using sandbox::Entry;

// One entry a line, from the workspace on.
std::string line_of(const Entry& entry, std::string_view place) {
  std::string path(place);
  if (!path.empty()) path += '/';
  path += entry.name;
  switch (entry.kind) {
    case Entry::Kind::folder: return sandbox::shown_path(path + "/") + "\n";
    case Entry::Kind::link: return sandbox::shown_path(path) + " -> " + sandbox::shown_path(entry.target) + "\n";
    default: return sandbox::shown_path(path) + "\n";
  }
}

class Flat : public sandbox::Visitor {
 public:
  sandbox::Visit visit(const Entry& entry, const sandbox::FolderView& folder) override {
    lines.push_back(line_of(entry, folder.place()));
    return sandbox::Visit::take;
  }
  std::vector<std::string> lines;
};

class Deep : public IgnoringVisitor {
 public:
  sandbox::Visit see(const Entry& entry, const sandbox::FolderView& folder) override {
    lines.push_back(line_of(entry, folder.place()));
    return sandbox::Visit::take;
  }
  std::vector<std::string> lines;
};

// What the list does not show.
std::string notes_of(const sandbox::WalkEnd& end, std::size_t ignored, const sandbox::WorkspaceLimits& limits) {
  std::string out;
  const auto note = [&](const std::string& text) { out += "[" + text + "]\n"; };
  if (end.full)
    note("cut after " + std::to_string(end.entries) + " entries" +
         " (limit entries); list a folder further down to see more");
  if (end.folders_full > 0)
    note(counted(end.folders_full, "folder") + " with more than " + std::to_string(limits.folder_entries) +
         " entries, of which some are not shown (limit folder_entries)");
  if (end.too_deep > 0) note(counted(end.too_deep, "folder") + " not entered for the depth (limit depth)");
  if (end.unreadable > 0) note(counted(end.unreadable, "folder") + " could not be read");
  if (ignored > 0) note(std::to_string(ignored) + " left out by .gitignore");
  if (end.off_limits > 0) note(std::to_string(end.off_limits) + " protected and left out");
  return out;
}

tool::Result list(const sandbox::Workspace& workspace, const tool::Invocation& call) {
  const std::string_view path = text_argument(call, "path");
  sandbox::WalkOptions options;
  options.recursive = flag_argument(call, "recursive");
  options.stop = call.stop;
  auto folder = workspace.open_folder(path);
  if (!folder && folder.error().kind == sandbox::PathErrorKind::not_a_folder && folder.error().error_number == 0)
    return tool::error_result(folder.error().message + "; read_file shows it");
  if (!folder) return failed(folder.error());

  Flat flat;
  Deep deep;
  if (options.recursive) deep.read_above(workspace, folder->place);
  auto end = options.recursive ? workspace.walk(path, options, deep) : workspace.walk(path, options, flat);
  if (!end) return failed(end.error());
  if (end->stopped) return stopped();
  std::vector<std::string>& lines = options.recursive ? deep.lines : flat.lines;
  // The one that was too much was shown to the visitor, but does not count.
  lines.resize(std::min(lines.size(), end->entries));
  std::string out;
  for (const std::string& line : lines) out += line;
  if (lines.empty()) out = "[" + sandbox::shown_path(path) + " has no entries to show]\n";
  return tool::text_result(out + notes_of(*end, deep.ignored(), workspace.limits()));
}

}  // namespace

tool::Spec list_files_spec() {
  tool::Spec spec;
  spec.name = "list_files";
  spec.description =
      "Lists a folder of the workspace, one entry a line, with paths from the workspace on: folders end with /, links "
      "are shown as name -> target and not followed, names with control characters stand in quotes with C escapes. "
      "With "
      "recursive, everything beneath it is listed, without what .gitignore leaves out. At most 10,000 entries; a cut "
      "is "
      "stated. One call lists one folder: make several calls for several folders." +
      std::string(kOneObject);
  spec.parameters =
      R"({"type":"object","properties":{)"
      R"("path":{"type":"string","description":"The folder, relative to the workspace; . is the workspace itself"},)"
      R"("recursive":{"type":"boolean","description":"List what is in its folders too; false by default"}},)"
      R"("required":["path"],"additionalProperties":false})";
  spec.effect = tool::Effect::read;
  spec.parameter_aliases = {{"file_path", "path"}};
  return spec;
}

tool::Code list_files_code(SharedWorkspace workspace) {
  return [workspace = std::move(workspace)](const tool::Invocation& call) { return list(*workspace, call); };
}

}  // namespace BELAY_NAMESPACE::builtin
