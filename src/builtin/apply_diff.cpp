#include "builtin/arguments.h"
#include "builtin/file_tools.h"
#include "builtin/search_replace.h"
#include "builtin/text_lines.h"
#include "builtin/unified_diff.h"

namespace BELAY_NAMESPACE::builtin {
namespace {

using sandbox::Expected;
using sandbox::PathErrorKind;

tool::Result nothing_written(const std::string& name, const std::string& why) {
  return tool::error_result(name + " was not changed: " + why);
}

std::string told(const std::string& name, const Applied& applied, const sandbox::Written& written,
                 const Damage& damage) {
  std::string out = "changed " + name + ": " + counted(applied.places.size(), "block");
  std::string loose;
  for (std::size_t i = 0; i < applied.places.size(); ++i)
    if (!applied.places[i].exact) loose += (loose.empty() ? "" : ", ") + std::to_string(i + 1);
  if (!loose.empty()) out += "; found without regard to white space at the ends of lines: " + loose;
  if (written.owner_lost) out += "; its owner could not be kept";
  if (!written.synchronised) out += "; its folder could not be forced to the disk";
  out += "\n";
  if (damage.parts > 0)
    out += "[" + counted(damage.parts, "part") + " of it " + (damage.parts == 1 ? "is" : "are") +
           " not UTF-8, and left as it was]\n";
  return out;
}

tool::Result apply(const sandbox::Workspace& workspace, const tool::Invocation& call) {
  const std::string_view path = text_argument(call, "path");
  const std::string name = sandbox::shown_path(path);
  auto blocks = read_blocks(text_argument(call, "diff"));
  if (!blocks) return nothing_written(name, blocks.error());
  if (call.stop.stop_requested()) return stopped();
  auto old = workspace.read(path);
  if (!old && old.error().kind == PathErrorKind::not_found)
    return tool::error_result(old.error().message + "; write_to_file makes a new file");
  if (!old) return failed(old.error());
  // The same that read_file refuses: nobody can have seen the lines to find.
  std::string why = why_binary(old->bytes);
  if (why.empty() && sight_of(old->bytes).binary) why = "it is an image";
  if (!why.empty())
    return nothing_written(name, "it is binary (" + std::to_string(old->bytes.size()) + " bytes): " + why +
                                     ". Only text is changed by blocks; write_to_file replaces a file as a whole");
  auto applied = apply_blocks(old->bytes, *blocks);
  if (!applied) return nothing_written(name, applied.error());
  if (applied->text == old->bytes)
    return tool::text_result(name + " is unchanged: the blocks put there what is there already");
  if (call.stop.stop_requested()) return stopped();
  auto written =
      workspace.write(path, applied->text, {Expected::Is::content, old->bytes}, by_its_name(workspace, path));
  if (!written) return failed(written.error());
  return tool::text_result(told(name, *applied, *written, damage_of(applied->text)) +
                           unified_diff(name, old->bytes, applied->text));
}

}  // namespace

tool::Spec apply_diff_spec() {
  tool::Spec spec;
  spec.name = "apply_diff";
  spec.description = R"(Changes parts of one file of the workspace by search/replace blocks:

<<<<<<< SEARCH
:start_line:12
-------
lines to find, exactly as they are in the file
=======
lines to put there
>>>>>>> REPLACE

:start_line: and the dashes may be left out; the lines to find must then be found once only. Several changes of a file go as several blocks, one after the other, into one diff: all are applied or none, and each is looked for in the file as it is now. Lines of the text that look like a marker have a backslash before them, as in \=======. Read the file first, and copy the lines exactly. One call changes one file: make several calls for several files.)" +
                     std::string(kOneObject);
  spec.parameters = R"({"type":"object","properties":{)"
                    R"("path":{"type":"string","description":"The file, relative to the workspace"},)"
                    R"("diff":{"type":"string","description":"One or more search/replace blocks"}},)"
                    R"("required":["path","diff"],"additionalProperties":false})";
  spec.effect = tool::Effect::write;
  spec.parameter_aliases = {{"file_path", "path"}};
  return spec;
}

tool::Code apply_diff_code(SharedWorkspace workspace) {
  return [workspace = std::move(workspace)](const tool::Invocation& call) { return apply(*workspace, call); };
}

}  // namespace BELAY_NAMESPACE::builtin
