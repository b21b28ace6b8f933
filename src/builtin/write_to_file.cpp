#include "builtin/arguments.h"
#include "builtin/file_tools.h"
#include "builtin/text_lines.h"
#include "builtin/unified_diff.h"

namespace BELAY_NAMESPACE::builtin {
namespace {

constexpr int kTries = 4;

using sandbox::Expected;
using sandbox::PathErrorKind;

std::string size_of(std::string_view content) {
  return counted(line_count(content), "line") + ", " + counted(content.size(), "byte");
}

// What was there before: its content, nothing, or something too large to be held.
struct Before {
  Expected::Is is = Expected::Is::nothing;
  std::string bytes;
};

tool::Result told(const std::string& name, const Before& before, std::string_view content,
                  const sandbox::Written& written) {
  std::string out = (written.created ? "created " : "overwrote ") + name + " (" + size_of(content) + ")";
  if (written.folders > 0) out += ", and made " + counted(written.folders, "folder") + " for it";
  if (written.owner_lost) out += "; its owner could not be kept";
  if (!written.synchronised) out += "; its folder could not be forced to the disk";
  out += "\n";
  if (before.is == Expected::Is::anything) return tool::text_result(out + "[it was too large before for a diff]\n");
  if (!is_text(before.bytes) || !is_text(content)) return tool::text_result(out + "[binary, no diff]\n");
  return tool::text_result(out + unified_diff(name, before.bytes, content));
}

tool::Result write(const sandbox::Workspace& workspace, const tool::Invocation& call) {
  const std::string_view path = text_argument(call, "path"), content = text_argument(call, "content");
  const std::string name = sandbox::shown_path(path);
  sandbox::PathError last;
  // The diff is of exactly what was replaced: when somebody else is faster, all is read again.
  for (int i = 0; i < kTries; ++i) {
    if (call.stop.stop_requested()) return stopped();
    Before before;
    auto old = workspace.read(path);
    if (old) {
      before = {Expected::Is::content, std::move(old->bytes)};
      if (before.bytes == content) return tool::text_result(name + " is unchanged: it has this content already");
    } else if (old.error().kind == PathErrorKind::too_large || old.error().kind == PathErrorKind::no_permission) {
      before.is = Expected::Is::anything;
    } else if (old.error().kind != PathErrorKind::not_found) {
      return failed(old.error());
    }
    auto written = workspace.write(path, content, {before.is, before.bytes}, by_its_name(workspace, path));
    if (written) return told(name, before, content, *written);
    last = written.error();
    if (last.kind != PathErrorKind::changed) break;
  }
  return failed(last);
}

}  // namespace

tool::Spec write_to_file_spec() {
  tool::Spec spec;
  spec.name = "write_to_file";
  spec.description =
      "Writes a whole file of the workspace: makes it, with the folders that it needs, or replaces what it holds. The "
      "content is written exactly as given, line ends too, so it has to be complete; to change a part of a file use "
      "apply_diff. The result is a diff of what changed. One call writes one file: make several calls for several "
      "files." +
      std::string(kOneObject);
  spec.parameters = R"({"type":"object","properties":{)"
                    R"("path":{"type":"string","description":"The file, relative to the workspace"},)"
                    R"("content":{"type":"string","description":"All that the file is to hold"}},)"
                    R"("required":["path","content"],"additionalProperties":false})";
  spec.effect = tool::Effect::write;
  spec.parameter_aliases = {{"file_text", "content"}, {"file_path", "path"}};
  return spec;
}

tool::Code write_to_file_code(SharedWorkspace workspace) {
  return [workspace = std::move(workspace)](const tool::Invocation& call) { return write(*workspace, call); };
}

}  // namespace BELAY_NAMESPACE::builtin
